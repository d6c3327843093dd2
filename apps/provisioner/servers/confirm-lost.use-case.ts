import { auditLog, type Deployment, type DeploymentRow, Deployments, type Server } from '@moorage/database';
import { type BreakerReason, type Instant, iso } from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Incidents } from '../incidents/incidents.service';
import { Intervals } from '../runs/step-timeouts';
import { LOSABLE, loseServer } from './lost-servers';
import { findBreaker } from './provider-trust.policy';

/** A server that a provider has not listed since `missed_at`. */
export interface MissedServer
  extends Pick<Server, 'deployment_id' | 'region' | 'address'>, Pick<Deployment, 'user_id' | 'client_name' | 'status'> {
  readonly provider_server_id: string;
  readonly missed_at: Instant;
  /** Why the server would not be declared lost yet, or null if it would be. */
  readonly kept_because: 'restarting' | 'missed_too_shortly' | null;
}

export interface LossPlan {
  readonly opened_at: Instant | null;
  readonly reason: BreakerReason | null;
  readonly servers: readonly MissedServer[];
}

/**
 * Confirms a real loss while a breaker is open, because only an operator can distinguish it from a wrong response.
 * Confirmation follows the rows. Each deployment fails in its own transaction, and its charges end at the first
 * reconciliation that missed it.
 */
@Injectable()
export class ConfirmLost {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly incidents: Incidents,
    private readonly intervals: Intervals,
    private readonly log: Log,
  ) {}

  /** Returns what a confirmation would do now, without changing anything. */
  async plan(provider: string): Promise<LossPlan> {
    return this.db.tx('confirm-lost.plan', async (tx) => {
      const breaker = await findBreaker(tx, provider);
      const missedBefore = (await this.clock.now(tx)) - this.intervals.lost_again_after_ms;
      const servers = await missedServers(tx, provider, missedBefore);
      return { opened_at: breaker?.opened_at ?? null, reason: breaker?.reason ?? null, servers };
    });
  }

  /**
   * Returns the deployments that failed. Empty if the breaker is closed or nothing has been missing for long enough.
   */
  async confirm({ provider, by, reason }: { provider: string; by: string; reason: string }): Promise<number[]> {
    const { opened_at, servers } = await this.plan(provider);
    const lost: number[] = [];
    if (opened_at === null) return lost;
    for (const { deployment_id, kept_because } of servers) {
      if (kept_because !== null) continue;
      const confirmed = await this.db.tx('confirm-lost.one', async (tx) => {
        const row = await this.deployments.lock(tx, deployment_id);
        const breaker = await findBreaker(tx, provider);
        return row !== null && breaker?.opened_at != null && (await this.loseOne(tx, row, { by, reason }));
      });
      if (confirmed) lost.push(deployment_id);
    }
    this.log.warn('loss of servers confirmed by an operator', { provider, by, count: lost.length });
    return lost;
  }

  /**
   * Checks under the deployment's lock that it is still running and has been missing for as long as a loss without an
   * operator requires.
   */
  private async loseOne(tx: Tx, row: DeploymentRow, { by, reason }: { by: string; reason: string }): Promise<boolean> {
    if (!LOSABLE.includes(row.status)) return false;
    const now = await this.clock.now(tx);
    const [server] = await tx.query<{ missed_at: Instant | null; provider: string; provider_server_id: string }>(
      `select missed_at, provider, provider_server_id from servers where deployment_id = $1 and state = 'exists' for update`,
      [row.id],
    );
    if (server?.missed_at == null || now < server.missed_at + this.intervals.lost_again_after_ms) return false;
    await loseServer(tx, { deployments: this.deployments, incidents: this.incidents }, row, {
      now,
      billable_to: server.missed_at,
    });
    const facts = { by, reason, provider: server.provider, server_id: server.provider_server_id };
    await auditLog.record(tx, {
      action: 'server.loss_confirmed',
      subject: `deployment:${row.id}`,
      facts: { ...facts, missed_at: iso(server.missed_at) },
      at: now,
    });
    return true;
  }
}

async function missedServers(tx: Tx, provider: string, missedBefore: Instant): Promise<MissedServer[]> {
  return tx.query<MissedServer>(
    `select d.id as deployment_id, d.user_id, d.client_name, d.status, s.region, s.provider_server_id,
       host(s.address) as address, s.missed_at,
       case when not (d.status = any($2)) then 'restarting' when s.missed_at > $3 then 'missed_too_shortly' end as kept_because
     from servers s join deployments d on d.id = s.deployment_id
     where s.provider = $1 and s.state = 'exists' and s.missed_at is not null and d.status = any($4)
     order by d.id`,
    [provider, LOSABLE, iso(missedBefore), [...LOSABLE, 'RESTARTING']],
  );
}
