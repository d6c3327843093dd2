import { DeploymentReachability, Deployments } from '@moorage/database';
import { CHECK_FIRST_MS, type DeploymentStatus, type IncidentKind, MONITORED } from '@moorage/domain';
import { OnEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Incidents } from '../incidents/incidents.service';

/** A lost server is an incident until its deployment has ended or runs again. */
const WHILE_LOST: readonly IncidentKind[] = ['server_gone'];

@Injectable()
export class WatchEvents {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly incidents: Incidents,
  ) {}

  /**
   * Starts checks when a deployment runs and ends them when it does not. A restart only interrupts them, and so does
   * wrong DNS, because the deployment may run again at any time.
   */
  @OnEvent('deployment.status_changed')
  async follow(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    const row = await this.deployments.lock(tx, data.deployment_id);
    if (row === null) return;
    const rows = tx.repository(DeploymentReachability);
    const found = await rows.findOneBy({ deployment_id: row.id });
    const now = await this.clock.now(tx);
    if (MONITORED.includes(row.status)) {
      if (found !== null && found.due_at !== null) return;
      await this.incidents.end(tx, row, { kind: 'server_gone', at: now });
      const first = now + CHECK_FIRST_MS;
      // An incident continues until it is seen to have ended, but failures from before a restart are not added to later
      // ones. Counters of containers start again.
      const started = { streaks: {}, is_quiet: false, due_at: first, host_due_at: first, names_due_at: first };
      if (found === null) await rows.insert({ deployment_id: row.id, state: 'unknown', ...started });
      else await rows.update({ deployment_id: row.id }, started);
    } else if (found !== null && INTERRUPTS.includes(row.status)) {
      const unknown = row.status === 'RESTARTING' ? {} : { state: 'unknown' as const, since: null };
      await rows.update({ deployment_id: row.id }, { ...PAUSED, ...unknown });
    } else if (found !== null) {
      const isLost = row.status === 'FAILED' && row.lost_from !== null;
      await this.incidents.stop(tx, row, { except: isLost ? WHILE_LOST : [], at: now });
      const stopped = { ...PAUSED, state: 'unknown', since: null, streaks: {}, is_quiet: false } as const;
      await rows.update({ deployment_id: row.id }, stopped);
    }
  }
}

/** Statuses from which a deployment returns by itself. Its incidents stay open meanwhile. */
const INTERRUPTS: readonly DeploymentStatus[] = ['RESTARTING', 'DNS_VALIDATION', 'DNS_FAILED'];
const PAUSED = { due_at: null, host_due_at: null, names_due_at: null };
