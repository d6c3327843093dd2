import { type CancelledDeployment, DEPLOYMENTS_CALLS } from '@moorage/contracts';
import type { DeploymentRow } from '@moorage/database';
import { type Instant, isoOrNull, Money } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { keptUntil } from '../backup-policy/retained-copies';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { refuseState } from './refuse-action';
import { refuseLocked, StopDeployment } from './stop-deployment.use-case';

@Injectable()
export class CancelDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly stopping: StopDeployment,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Cancels a deployment that is being built or is waiting for DNS (decisions 51). It ends at its next step boundary
   * and costs nothing from now on. Only its owner may cancel it, not even administrators. `key` is the Idempotency-Key
   * header.
   */
  run({ userId, id, key }: { userId: number; id: number; key: string | null }): Promise<CancelledDeployment> {
    const call = DEPLOYMENTS_CALLS.cancel;
    const what = [call.method, call.path, { id }];
    const request = this.idempotency.keyed({ userId, key, call, what });
    return this.idempotency.tx('deployments.cancel', request, async (tx, at) => {
      await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action: 'deployment.cancelled' });
      const found = await this.stopping.prepare(tx, { userId, id, at });
      refuseState(found.row, 'cancel');
      const { support_level: level } = found.row;
      const stored = await keptUntil(tx, { id, level, isGone: true, at });
      // It was cancelled before, or ended because the balance ran out. The requested removal is already in progress.
      if (found.row.desired === 'destroyed') return answerOf(found.row, Money.ZERO, stored);
      refuseLocked(found.row);
      const { row, refunded } = await this.stopping.stop(tx, found, { at, reason: 'deleted', cause: request?.cause });
      return answerOf(row, refunded, stored);
    });
  }
}

function answerOf({ status, deleted_at }: DeploymentRow, refunded: Money, stored: Instant | null): CancelledDeployment {
  return {
    status,
    deleted_at: isoOrNull(deleted_at),
    refunded_amount: refunded.toWire(),
    backups_kept_until: isoOrNull(stored),
  };
}
