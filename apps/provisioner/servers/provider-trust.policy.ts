import { event } from '@moorage/contracts';
import { type AlertFacts, Alerts, auditLog, refusedPlaces } from '@moorage/database';
import { type BreakerReason, CREATE_REFUSED_MS, HOUR_MS, type Instant, isAccountRefused, iso } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Cloud, CloudError } from '../clouds/cloud';

export interface BreakerRow {
  readonly provider: string;
  readonly project_id: string | null;
  readonly pinned_at: Instant | null;
  /** Time of the last trusted reconciliation. */
  readonly compared_at: Instant | null;
  readonly opened_at: Instant | null;
  readonly reason: BreakerReason | null;
}

/** Servers of a fleet that a reconciliation did not find, and those that it found. */
export interface Sightings {
  readonly missing: readonly number[];
  readonly shown: readonly number[];
}

/** Maximum time without a reconciliation, during which a lost server would go unnoticed. */
const SILENT_MS = HOUR_MS;

/**
 * Decides whether a provider's responses can be trusted. The state is one row per provider, visible to operators and
 * shared by all provisioner processes. It contains the project to which the credentials led first, and the breaker.
 */
@Injectable()
export class ProviderTrust {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly alerts: Alerts,
    private readonly log: Log,
  ) {}

  /**
   * Returns whether absence can be trusted and servers may be created, which needs our project and a closed breaker.
   */
  async mayBelieve(cloud: Cloud, signal: AbortSignal): Promise<boolean> {
    const projectId = await cloud.projectId(signal);
    return this.db.tx('provider.may-believe', async (tx) => {
      if (!(await this.isOurs(tx, cloud.name, projectId))) {
        await this.noteCredentials(tx, cloud, false);
        return false;
      }
      return !(await isOpen(tx, cloud.name));
    });
  }

  /** Pins the first project. Another project replaces it only while we have nothing at the provider. */
  async isOurs(tx: Tx, provider: string, projectId: string): Promise<boolean> {
    const known = await findBreaker(tx, provider);
    if (known?.project_id === projectId) return true;
    const row = await this.locked(tx, provider);
    if (row.project_id === projectId) return true;
    if (row.project_id !== null && (await hasServers(tx, provider))) return false;
    const now = await this.clock.now(tx);
    await tx.execute('update provider_breakers set project_id = $2, pinned_at = $3 where provider = $1', [
      provider,
      projectId,
      iso(now),
    ]);
    await auditLog.record(tx, {
      action: 'provider.project_pinned',
      subject: `provider:${provider}`,
      facts: { project_id: projectId, before: row.project_id },
      at: now,
    });
    return true;
  }

  /** Opens the breaker or keeps it open. Changes nothing except the record of missing servers. */
  async distrust(
    tx: Tx,
    provider: string,
    { reason, facts, missing, shown }: { reason: BreakerReason; facts: AlertFacts } & Sightings,
  ): Promise<void> {
    const row = await this.locked(tx, provider);
    const now = await this.clock.now(tx);
    await tx.execute(
      `update provider_breakers set opened_at = coalesce(opened_at, $2), reason = $3, facts = $4 where provider = $1`,
      [provider, iso(now), reason, JSON.stringify(facts)],
    );
    await this.alerts.raise(tx, { kind: 'provider_distrusted', subject: provider, facts: { reason, ...facts } });
    await this.alerts.resolve(tx, { kind: 'provider_silent', subject: provider });
    if (row.opened_at === null || row.reason !== reason)
      await auditLog.record(tx, {
        action: 'provider.breaker_opened',
        subject: `provider:${provider}`,
        facts: { reason, ...facts },
        at: now,
      });
    // None of these checks alone counts towards a loss.
    const missed = await tx.query<Owned>(
      `update servers s set lost_seen_at = null, missed_at = coalesce(s.missed_at, $2)
       from deployments d where d.id = s.deployment_id and s.deployment_id = any($1::int[]) and s.state = 'exists'
       returning d.id, d.user_id, (s.missed_at = $2 or $3) as changed`,
      [missing, iso(now), row.opened_at === null],
    );
    await this.notify(
      tx,
      missed.filter(({ changed }) => changed),
      now,
    );
    await this.notify(tx, await clearMissed(tx, shown), null);
  }

  /**
   * Records whether the credentials lead to our project, which allows orders there. Writes only changes. A rejected
   * create is not cleared by this, unless the credentials have changed since.
   */
  async noteCredentials(tx: Tx, { name, budgetKey }: Token, good: boolean): Promise<void> {
    await this.locked(tx, name);
    const now = await this.clock.now(tx);
    if (!good) {
      await tx.execute('update provider_breakers set refused_at = $2 where provider = $1 and refused_at is null', [
        name,
        iso(now),
      ]);
      return;
    }
    const proven = await tx.execute(
      `update provider_breakers set proven_at = $2, refused_at = null, create_refused_with = null
       where provider = $1 and (proven_at is null or refused_at is not null)
         and (create_refused_with is distinct from $3 or refused_at <= $4 or $3 is null)`,
      [name, iso(now), budgetKey, iso(now - CREATE_REFUSED_MS)],
    );
    if (proven > 0) await this.alerts.resolve(tx, { kind: 'provider_refused', subject: name });
    await this.forgetRefusals(tx, { name, budgetKey }, now);
  }

  /** Records that the provider rejected the credentials. It is no longer offered, and operators receive its message. */
  async refused(tx: Tx, token: Token, refusal: CloudError): Promise<void> {
    await this.noteCredentials(tx, token, false);
    // Without a token, the provider is off or has no credentials, so open alerts about access or limits are obsolete.
    if (token.budgetKey === null) {
      await this.alerts.resolve(tx, { kind: 'provider_refused', subject: token.name });
      return this.alerts.resolve(tx, { kind: 'provider_quota', subject: token.name });
    }
    const facts = { kind: refusal.kind, words: refusal.message };
    await this.alerts.raise(tx, { kind: 'provider_refused', subject: token.name, facts });
  }

  /** Records that the credentials may not create servers, which no check would detect. */
  async mayNotCreate(tx: Tx, token: Token): Promise<void> {
    await this.noteCredentials(tx, token, false);
    await tx.execute('update provider_breakers set create_refused_with = $2 where provider = $1', [
      token.name,
      token.budgetKey,
    ]);
  }

  /** Takes a place out of sale after a create that was not permitted, or the provider once the whole account is refused. */
  async placeRefused(
    tx: Tx,
    token: Token,
    { deployment_id, region, instance_type }: { deployment_id: number; region: string; instance_type: string },
    refusal: CloudError,
  ): Promise<void> {
    await this.locked(tx, token.name);
    const now = await this.clock.now(tx);
    await tx.execute(
      `insert into refused_places (provider, region, instance_type, deployment_id, refused_at, refused_with)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (provider, region, instance_type)
         do update set deployment_id = $4, refused_at = $5, refused_with = $6, disproven = false`,
      [token.name, region, instance_type, deployment_id, iso(now), token.budgetKey],
    );
    if (isAccountRefused(await refusedPlaces(tx, [token.name], now), now)) {
      await this.mayNotCreate(tx, token);
      return this.refused(tx, token, refusal);
    }
    const facts = { region, instance_type, words: refusal.message };
    await this.alerts.raise(tx, { kind: 'place_refused', subject: token.name, facts });
  }

  /** Deletes refusals that have expired or were met with other credentials. */
  private async forgetRefusals(tx: Tx, { name, budgetKey }: Token, now: Instant): Promise<void> {
    await tx.execute(
      'delete from refused_places where provider = $1 and (refused_at <= $2 or refused_with is distinct from $3)',
      [name, iso(now - CREATE_REFUSED_MS), budgetKey],
    );
    const left = await tx.query('select 1 from refused_places where provider = $1 limit 1', [name]);
    if (left.length === 0) await this.alerts.resolve(tx, { kind: 'place_refused', subject: name });
  }

  /** Alerts that our account has reached a limit, which only an operator can have raised. */
  async outOfQuota(tx: Tx, { name }: Token, refusal: CloudError): Promise<void> {
    await this.alerts.raise(tx, { kind: 'provider_quota', subject: name, facts: { words: refusal.message } });
  }

  /**
   * Resolves alerts, because a server that was requested since then runs. Neither credentials nor limits prevent it.
   */
  async created(tx: Tx, { name }: Token, since: Instant): Promise<void> {
    await this.alerts.resolve(tx, { kind: 'provider_quota', subject: name, seen_before: since });
    await tx.execute(
      'update refused_places set disproven = true where provider = $1 and refused_at < $2 and not disproven',
      [name, iso(since)],
    );
    const proven = await tx.execute(
      `update provider_breakers set refused_at = null, create_refused_with = null
       where provider = $1 and create_refused_with is not null and refused_at < $2`,
      [name, iso(since)],
    );
    if (proven > 0) await this.alerts.resolve(tx, { kind: 'provider_refused', subject: name });
  }

  /** Records a reconciliation without response. Raises an alert after an hour if deployments run there. */
  async noAnswer(tx: Tx, provider: string, facts: { readonly running: number; readonly kind: string }): Promise<void> {
    const row = await this.locked(tx, provider);
    const now = await this.clock.now(tx);
    const since = row.compared_at ?? row.pinned_at;
    if (since === null || row.opened_at !== null || now - since < SILENT_MS) return;
    const alert = { kind: 'provider_silent', subject: provider } as const;
    if (facts.running === 0) await this.alerts.resolve(tx, alert);
    else await this.alerts.raise(tx, { ...alert, facts: { ...facts, since: iso(since) } });
  }

  /**
   * Trusts the responses from now on. Missing servers are evaluated separately, starting with their first missed check.
   */
  async trust(tx: Tx, provider: string, { missing, shown }: Sightings): Promise<void> {
    const row = await this.locked(tx, provider);
    const now = await this.clock.now(tx);
    await tx.execute(
      `update provider_breakers set compared_at = $2, opened_at = null, reason = null, facts = '{}' where provider = $1`,
      [provider, iso(now)],
    );
    await this.alerts.resolve(tx, { kind: 'provider_silent', subject: provider });
    const cleared = await clearMissed(tx, shown);
    if (row.opened_at === null) return;
    await this.alerts.resolve(tx, { kind: 'provider_distrusted', subject: provider });
    this.log.warn('provider breaker closed', { provider, reason: row.reason, still_missing: missing.length });
    await auditLog.record(tx, {
      action: 'provider.breaker_closed',
      subject: `provider:${provider}`,
      facts: { reason: row.reason, still_missing: missing.length },
      at: now,
    });
    const others = await tx.query<Owned>(
      'select id, user_id, true as changed from deployments where id = any($1::int[])',
      [missing],
    );
    await this.notify(tx, [...cleared, ...others], null);
  }

  private async locked(tx: Tx, provider: string): Promise<BreakerRow> {
    await tx.execute('insert into provider_breakers (provider) values ($1) on conflict (provider) do nothing', [
      provider,
    ]);
    const [row] = await tx.query<BreakerRow>(
      'select provider, project_id, pinned_at, compared_at, opened_at, reason from provider_breakers where provider = $1 for update',
      [provider],
    );
    if (row === undefined) throw new Error('the breaker row does not exist');
    return row;
  }

  /** Notifies the owners' consoles that the provider does not list the server, or lists it again. */
  private async notify(tx: Tx, rows: readonly Owned[], since: Instant | null): Promise<void> {
    if (rows.length === 0) return;
    await this.outbox.appendMany(
      tx,
      rows.map(({ id, user_id }) =>
        event('deployment.server_missed', id, {
          deployment_id: id,
          user_id,
          since: since === null ? null : iso(since),
        }),
      ),
    );
  }
}

type Token = Pick<Cloud, 'name' | 'budgetKey'>;

interface Owned {
  readonly id: number;
  readonly user_id: number;
  readonly changed: boolean;
}

export async function findBreaker(tx: Tx, provider: string): Promise<BreakerRow | null> {
  const [row] = await tx.query<BreakerRow>(
    'select provider, project_id, pinned_at, compared_at, opened_at, reason from provider_breakers where provider = $1',
    [provider],
  );
  return row ?? null;
}

export async function isOpen(tx: Tx, provider: string): Promise<boolean> {
  return (await findBreaker(tx, provider))?.opened_at != null;
}

/** Updates only rows that differ. */
function clearMissed(tx: Tx, ids: readonly number[]): Promise<Owned[]> {
  return tx.query<Owned>(
    `update servers s set lost_seen_at = null, missed_at = null
     from deployments d where d.id = s.deployment_id and s.deployment_id = any($1::int[])
       and (s.missed_at is not null or s.lost_seen_at is not null)
     returning d.id, d.user_id, true as changed`,
    [ids],
  );
}

/** Returns whether we may have a server at the provider, either existing or with a create request sent. */
async function hasServers(tx: Tx, provider: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from servers where provider = $1 and state <> 'gone' and (state = 'exists' or asked_at is not null) limit 1`,
    [provider],
  );
  return rows.length > 0;
}
