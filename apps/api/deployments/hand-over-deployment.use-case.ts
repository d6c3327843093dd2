import { DEPLOYMENTS_CALLS, type HandedOverDeployment } from '@moorage/contracts';
import { DomainError, isActionOf, isoOrNull, ORDER_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { keptUntil } from '../backup-policy/retained-copies';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { refuseAction } from './refuse-action';
import { refuseLocked, StopDeployment } from './stop-deployment.use-case';

@Injectable()
export class HandOverDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly stopping: StopDeployment,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Leaves a deployment running on its owner's server and withdraws from there. It costs nothing from now on, and its
   * remaining whole hours are refunded. Only its owner may hand it over, not even administrators. `key` is the
   * Idempotency-Key header.
   */
  run({ userId, id, key }: { userId: number; id: number; key: string | null }): Promise<HandedOverDeployment> {
    const call = DEPLOYMENTS_CALLS.handOver;
    const what = [call.method, call.path, { id }];
    const request = this.idempotency.keyed({ userId, key, call, what });
    return this.idempotency.tx('deployments.hand-over', request, async (tx, at) => {
      await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action: 'deployment.handed_over' });
      const found = await this.stopping.prepare(tx, { userId, id, at });
      if (!isActionOf(found.row.server_type, 'hand_over'))
        throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.hand_over_own_only);
      await refuseAction(tx, found.row, 'hand_over');
      refuseLocked(found.row);
      const { row, refunded } = await this.stopping.stop(tx, found, {
        at,
        reason: 'handed_over',
        cause: request?.cause,
      });
      const stored = await keptUntil(tx, { id, level: row.support_level, isGone: true, at });
      return {
        status: row.status,
        deleted_at: isoOrNull(row.deleted_at),
        refunded_amount: refunded.toWire(),
        backups_kept_until: isoOrNull(stored),
      };
    });
  }
}
