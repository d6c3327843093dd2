import { type CancelledDeployment, MOVES_CALLS } from '@moorage/contracts';
import { type DeploymentRow, Deployments, type MoveRow, openMove } from '@moorage/database';
import {
  DomainError,
  type Instant,
  isoOrNull,
  type Message,
  Money,
  MOVE_MESSAGES,
  refusalToCancelMove,
  refusalToRemoveSource,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { keptUntil } from '../backup-policy/retained-copies';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound } from '../deployments/deployment-view';
import { refuseLocked, StopDeployment } from '../deployments/stop-deployment.use-case';
import { Idempotency } from '../http/idempotency.service';

interface EndRequest {
  readonly userId: number;
  /** The source or the target. */
  readonly id: number;
  /** The Idempotency-Key header. */
  readonly key: string | null;
}

/**
 * Ends a move or clone for its owner by removing one of its two deployments, under the rules of a delete. The
 * provisioner records the end of the move when it sees the removal.
 */
@Injectable()
export class EndMove {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly stopping: StopDeployment,
    private readonly idempotency: Idempotency,
  ) {}

  /** Removes the old server, once the new one is ready. */
  finish(request: EndRequest): Promise<CancelledDeployment> {
    return this.end('finish', request, {
      action: 'deployment.move_finished',
      removed: ({ source_id }) => source_id,
      refusal: refusalToRemoveSource,
    });
  }

  /** Removes the new deployment, while the old one is still running. */
  cancel(request: EndRequest): Promise<CancelledDeployment> {
    return this.end('cancel', request, {
      action: 'deployment.move_cancelled',
      removed: ({ target_id }) => target_id,
      refusal: refusalToCancelMove,
    });
  }

  private end(
    name: 'finish' | 'cancel',
    { userId, id, key }: EndRequest,
    how: {
      readonly action: 'deployment.move_finished' | 'deployment.move_cancelled';
      readonly removed: (move: MoveRow) => number;
      readonly refusal: (
        move: MoveRow | null,
        deployments: { source: DeploymentRow; target: DeploymentRow },
      ) => Message | null;
    },
  ): Promise<CancelledDeployment> {
    const call = MOVES_CALLS[name];
    const request = this.idempotency.keyed({ userId, key, call, what: [call.method, call.path, { id }] });
    return this.idempotency.tx(`moves.${name}`, request, async (tx, at) => {
      await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action: how.action });
      const known = await openMove(tx, id);
      if (known === null) throw new DomainError('DEPLOYMENT_STATE', MOVE_MESSAGES.none);
      // Locks the wallet first, which serialises everything that removes either of the two.
      const found = await this.stopping.prepare(tx, { userId, id: how.removed(known), at });
      const source = await this.locked(tx, known.source_id);
      const target = await this.locked(tx, known.target_id);
      // It was removed before, or ended because the balance ran out.
      if (found.row.desired === 'destroyed') return answerOf(tx, found.row, Money.ZERO, at);
      const refusal = how.refusal(await openMove(tx, id), { source, target });
      if (refusal !== null) throw new DomainError('DEPLOYMENT_STATE', refusal);
      refuseLocked(found.row);
      const { row, refunded } = await this.stopping.stop(tx, found, { at, reason: 'deleted', cause: request?.cause });
      return answerOf(tx, row, refunded, at);
    });
  }

  private async locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    return row;
  }
}

async function answerOf(tx: Tx, row: DeploymentRow, refunded: Money, at: Instant): Promise<CancelledDeployment> {
  const { id, support_level: level, status, deleted_at } = row;
  return {
    status,
    deleted_at: isoOrNull(deleted_at),
    refunded_amount: refunded.toWire(),
    backups_kept_until: isoOrNull(await keptUntil(tx, { id, level, isGone: true, at })),
  };
}
