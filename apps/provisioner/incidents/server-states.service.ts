import { Deployments, DeploymentReachability } from '@moorage/database';
import { iso, judgeServer, MONITORED, type SwitchedOffBy } from '@moorage/domain';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import { Incidents } from './incidents.service';

/** A server in a response of its provider that is believed. */
export interface SeenServer {
  readonly deployment_id: number;
  readonly provider: string;
  readonly state: string;
  readonly stopped_by: SwitchedOffBy | null;
}

/** Notices when a provider reports that a server is switched off or runs again. */
@Injectable()
export class ServerStates {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly incidents: Incidents,
  ) {}

  /** Records servers that run and ran before. Returns the deployments that need `judge`. */
  async noteRunning(tx: Tx, seen: readonly SeenServer[]): Promise<ReadonlySet<number>> {
    const running = seen.filter(({ state }) => state === 'running').map(({ deployment_id }) => deployment_id);
    const rows = await tx.query<{ deployment_id: number }>(
      `update reachability set server_seen_at = $2 where deployment_id = any($1::int[]) and server_runs
       returning deployment_id`,
      [running, iso(await this.clock.now(tx))],
    );
    const noted = new Set(rows.map(({ deployment_id }) => deployment_id));
    return new Set(seen.map(({ deployment_id }) => deployment_id).filter((id) => !noted.has(id)));
  }

  /** Judges a server that does not run, or did not run before. A run that stops the server itself proves nothing. */
  async judge(tx: Tx, server: SeenServer): Promise<void> {
    const row = await this.deployments.lock(tx, server.deployment_id);
    if (row === null || !MONITORED.includes(row.status)) return;
    if ((await runningRun(tx, row.id)) !== null) return;
    const rows = tx.repository(DeploymentReachability);
    const before = await rows.findOneBy({ deployment_id: row.id });
    if (before === null || before.due_at === null) return;
    const at = await this.clock.now(tx);
    const judged = judgeServer(server);
    const { streaks } = before;
    const { watched, isUndecided } = await this.incidents.judge(tx, row, { streaks, judged, at });
    // It counts as running only once its incident has ended, so that every result until then is judged.
    const server_runs = server.state === 'running' && !isUndecided;
    await rows.update({ deployment_id: row.id }, { ...watched, server_runs, server_seen_at: at });
  }
}
