import { Alerts, auditLog } from '@moorage/database';
import { HOUR_MS, type Instant, iso } from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Cloud, CloudError, type ServerPlace } from '../clouds/cloud';

/** Interval between checks of a provider's firewalls while we have running servers there. */
const EVERY_MS = HOUR_MS;
/** A temporary failure is reported only once the last check is this old. */
const LATE_MS = 3 * HOUR_MS;
/** Maximum number of repairs named in an alert and an audit record. */
const NAMED_MAX = 20;

const KIND = 'provider_rules';

/**
 * Maintains the firewalls that running servers share. A create corrects them as well, but there may be no order at a
 * provider for weeks, and every site there is unreachable while a rule is missing.
 */
@Injectable()
export class SharedRules {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
    private readonly log: Log,
  ) {}

  /** Checks once an hour, after a trusted reconciliation. Throws CloudError only for a rate limit. */
  async check(cloud: Cloud, servers: readonly ServerPlace[], signal: AbortSignal): Promise<void> {
    if (servers.length === 0) return;
    const provider = cloud.name;
    const { now, checkedAt } = await this.db.tx('rules.due', async (tx) => ({
      now: await this.clock.now(tx),
      checkedAt: await lastCheck(tx, provider),
    }));
    if (checkedAt !== null && now < checkedAt + EVERY_MS) return;
    try {
      const repaired = await cloud.repairRules(servers, signal);
      await this.db.tx('rules.checked', (tx) => this.checked(tx, provider, repaired));
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind === 'rate_limit') throw error;
      const isNews = error.kind !== 'transient' || (checkedAt !== null && now >= checkedAt + LATE_MS);
      if (isNews) await this.db.tx('rules.failed', (tx) => this.failed(tx, provider, error));
    }
  }

  /** Reports repairs. The alert stays open until a later check finds nothing to repair. */
  private async checked(tx: Tx, provider: string, repaired: readonly string[]): Promise<void> {
    const now = await this.clock.now(tx);
    await tx.execute('update provider_breakers set rules_checked_at = $2 where provider = $1', [provider, iso(now)]);
    if (repaired.length === 0) return this.alerts.resolve(tx, { kind: KIND, subject: provider });
    const facts = { repaired: repaired.slice(0, NAMED_MAX).join(', '), count: repaired.length };
    this.log.error('missing or altered firewall rules at a provider repaired', {
      provider,
      ...facts,
    });
    await this.alerts.raise(tx, { kind: KIND, subject: provider, facts });
    await auditLog.record(tx, { action: 'provider.rules_repaired', subject: `provider:${provider}`, facts, at: now });
  }

  /**
   * Reports a failed check, which the next reconciliation repeats. The audit record is written when the alert opens.
   */
  private async failed(tx: Tx, provider: string, { kind, message }: CloudError): Promise<void> {
    const facts = { not_checked: kind, words: message };
    const isOpen = (await this.alerts.open(tx)).some((alert) => alert.kind === KIND && alert.subject === provider);
    await this.alerts.raise(tx, { kind: KIND, subject: provider, facts });
    if (isOpen) return;
    await auditLog.record(tx, {
      action: 'provider.rules_not_repaired',
      subject: `provider:${provider}`,
      facts,
      at: await this.clock.now(tx),
    });
  }
}

async function lastCheck(tx: Tx, provider: string): Promise<Instant | null> {
  const [row] = await tx.query<{ rules_checked_at: Instant | null }>(
    'select rules_checked_at from provider_breakers where provider = $1',
    [provider],
  );
  return row?.rules_checked_at ?? null;
}
