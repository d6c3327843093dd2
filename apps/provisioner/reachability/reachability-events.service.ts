import { DeploymentReachability, Deployments } from '@moorage/database';
import { afterStart, afterStop, CHECK_FIRST_MS, MONITORED, NEVER_CHECKED } from '@moorage/domain';
import { OnEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

@Injectable()
export class ReachabilityEvents {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
  ) {}

  /** Starts checks when a deployment runs and ends them when it does not. A restart only interrupts them. */
  @OnEvent('deployment.status_changed')
  async follow(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    const row = await this.deployments.lock(tx, data.deployment_id);
    if (row === null) return;
    const rows = tx.repository(DeploymentReachability);
    const found = await rows.findOneBy({ deployment_id: row.id });
    const now = await this.clock.now(tx);
    if (MONITORED.includes(row.status)) {
      if (found !== null && found.due_at !== null) return;
      const first = { deployment_id: row.id, due_at: now + CHECK_FIRST_MS };
      await rows.upsert({ ...afterStart(found ?? NEVER_CHECKED), ...first }, ['deployment_id']);
    } else if (found !== null && row.status === 'RESTARTING') {
      await rows.update({ deployment_id: row.id }, { due_at: null });
    } else if (found !== null && (found.due_at !== null || found.state !== 'unknown')) {
      await rows.update({ deployment_id: row.id }, { ...afterStop(found, now), due_at: null });
    }
  }
}
