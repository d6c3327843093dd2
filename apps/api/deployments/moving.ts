import { openMove } from '@moorage/database';
import { DomainError, MOVE_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * Throws DEPLOYMENT_STATE if a deployment is the source of a move or clone that has not ended. Its target may be
 * changed. Call it with the deployment's lock.
 */
export async function refuseMoving(tx: Tx, id: number): Promise<void> {
  const move = await openMove(tx, id);
  if (move?.source_id !== id) return;
  throw new DomainError('DEPLOYMENT_STATE', move.kind === 'move' ? MOVE_MESSAGES.moving : MOVE_MESSAGES.cloning);
}

/**
 * Throws DEPLOYMENT_STATE for a deployment that a move or clone has ordered. Ordering it again elsewhere would leave
 * out its data.
 */
export async function refuseMoveTarget(tx: Tx, id: number): Promise<void> {
  const moved = await tx.query('select 1 from moves where target_id = $1', [id]);
  if (moved.length > 0) throw new DomainError('DEPLOYMENT_STATE', MOVE_MESSAGES.order_again);
}
