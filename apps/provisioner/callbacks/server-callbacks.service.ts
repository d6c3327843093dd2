import { RECONCILE_WORK, RUN_WORK, SERVER_CALLBACK_WORK } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { callbackEffect, comparisonDueAt, type Instant, iso } from '@moorage/domain';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import { findServer } from '../server-store/server-store';

const CONCURRENCY = 2;

/**
 * Makes work that waits for a server due earlier. It decides nothing, because the step or check reads the actual state.
 */
@Injectable()
export class ServerCallbacks {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly work: WorkSchedule,
  ) {}

  @HandlesWork(SERVER_CALLBACK_WORK, { concurrency: CONCURRENCY })
  run({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    return Promise.resolve({ done: true, commit: (tx) => this.followUp(tx, Number(key)) });
  }

  private async followUp(tx: Tx, deploymentId: number): Promise<void> {
    const row = await this.deployments.lock(tx, deploymentId);
    if (row === null) return;
    const now = await this.clock.now(tx);
    const run = await runningRun(tx, deploymentId);
    const step = run?.steps[run.position] ?? null;
    switch (callbackEffect({ status: row.status, step, errors: run?.step_attempts ?? 0 })) {
      case 'wake_run':
        if (run !== null) await this.work.schedule(tx, { kind: RUN_WORK, key: String(run.id), due_at: now });
        return;
      case 'check_server':
        return this.checkServer(tx, deploymentId, now);
      case 'none':
        return;
    }
  }

  private async checkServer(tx: Tx, deploymentId: number, now: Instant): Promise<void> {
    const server = await findServer(tx, deploymentId);
    if (server?.state !== 'exists') return;
    await tx.execute('update reachability set due_at = $2 where deployment_id = $1 and due_at > $2', [
      deploymentId,
      iso(now),
    ]);
    await this.work.schedule(tx, { kind: RECONCILE_WORK, key: server.provider, due_at: comparisonDueAt(now) });
  }
}
