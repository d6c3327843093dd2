import { Deployments } from '@moorage/database';
import { OnEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { RunLifecycle } from './run-lifecycle.service';

@Injectable()
export class RunEvents {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly lifecycle: RunLifecycle,
  ) {}

  /**
   * Handles every event that may require a run in the same way, by the current row of the deployment and not by its
   * state at the time of the event. Duplicates, replays and late events are therefore harmless.
   */
  @OnEvent(
    'deployment.created',
    'deployment.deletion_requested',
    'deployment.hand_over_requested',
    'deployment.restart_requested',
    'deployment.dns_retry_requested',
    'deployment.domain_changed',
    'deployment.change_requested',
    'deployment.status_changed',
    'balance.depleted',
  )
  async ensureRun(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    const row = await this.deployments.lock(tx, data.deployment_id);
    if (row !== null) await this.lifecycle.ensureRun(tx, row, await this.clock.now(tx));
  }
}
