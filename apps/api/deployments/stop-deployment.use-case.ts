import { event } from '@moorage/contracts';
import { type DeploymentRow, Deployments, endUndo } from '@moorage/database';
import { BACKED_UP, DomainError, type Instant, mayMove, type Money, ORDER_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { notFound } from './deployment-view';

/** A deployment that may be stopped: its locked row, and its state in the ledger just before. */
export interface Stoppable {
  readonly row: DeploymentRow;
  /** End of its billable interval, or null if none is open. */
  readonly billableTo: Instant | null;
  /** True if an amount due by now could not be paid, which ended the deployment. */
  readonly depleted: boolean;
}

/**
 * Ends a deployment in the caller's transaction, for delete, cancel and hand-over by its owner and for the preparation
 * of an account's deletion.
 */
@Injectable()
export class StopDeployment {
  constructor(
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
  ) {}

  /** Acquires the wallet's lock first, as everywhere. Posts amounts due by now before the deployment ends. */
  async prepare(tx: Tx, { userId, id, at }: { userId: number; id: number; at: Instant }): Promise<Stoppable> {
    const { billableTo, depleted } = await this.ledger.prepareStop(tx, { userId, deploymentId: id, at });
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    return { row, billableTo, depleted };
  }

  /**
   * Ends the costs, refunds the remaining whole hours, and lets the provisioner begin the removal: immediately, or at
   * the next step boundary of an active run. Charges never wait for the removal. `undoUntil` keeps the server until
   * then.
   */
  async stop(
    tx: Tx,
    { row, billableTo }: Stoppable,
    {
      at,
      reason,
      undoUntil = null,
      cause,
    }: {
      at: Instant;
      reason: 'deleted' | 'account' | 'handed_over';
      undoUntil?: Instant | null;
      cause?: string | undefined;
    },
  ): Promise<{ row: DeploymentRow; refunded: Money }> {
    const { id, user_id: userId } = row;
    const interval = billableTo === null ? {} : { billable_to: billableTo };
    const wasRunning = reason === 'deleted' && BACKED_UP.includes(row.status);
    const after = mayMove(row.status, 'DESTROYING', 'api')
      ? await this.deployments.move(tx, row, {
          to: 'DESTROYING',
          by: 'api',
          at,
          changes: {
            desired: 'destroyed',
            destroy_reason: reason,
            ...interval,
            ...(wasRunning ? { deleted_from: row.status, undo_until: undoUntil } : {}),
          },
        })
      : await this.deployments.markDestroyed(tx, row, { at, by: 'api', reason, ...interval });
    const { refunded } = await this.ledger.stop(tx, { userId, deploymentId: id, at, cause });
    // A waiting run checks the mark when it is woken.
    const data = { deployment_id: id, user_id: userId };
    const requested =
      reason === 'handed_over'
        ? event('deployment.hand_over_requested', id, data)
        : event('deployment.deletion_requested', id, { ...data, reason });
    await this.outbox.append(tx, requested);
    return { row: after, refunded };
  }

  /** Begins the removal of a deleted deployment whose server is still kept. */
  async removeNow(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    await endUndo(tx, row.id, at);
    const data = { deployment_id: row.id, user_id: row.user_id, reason: 'deleted' } as const;
    await this.outbox.append(tx, event('deployment.deletion_requested', row.id, data));
  }
}

/**
 * Throws DEPLOYMENT_LOCKED for a deployment that only its owner may end (decisions 51). A depleted balance and the end
 * of the account ignore the lock.
 */
export function refuseLocked({ deletion_locked }: DeploymentRow): void {
  if (deletion_locked) throw new DomainError('DEPLOYMENT_LOCKED', ORDER_MESSAGES.deletion_locked);
}
