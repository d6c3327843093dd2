import { event } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, type Instant, mayMove, type Money, ORDER_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { notFound } from './deployment-view';

/** A deployment that may be stopped: its row under its lock, and what the ledger said of it just before. */
export interface Stoppable {
  readonly row: DeploymentRow;
  /** Where its billable interval ends; null: none is open. */
  readonly billableTo: Instant | null;
  /** What was due by now could not be paid, and ended it. */
  readonly depleted: boolean;
}

/** How an owner's delete and cancel and the preparation of an account end a deployment, in the caller's transaction. */
@Injectable()
export class StopDeployment {
  constructor(
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
  ) {}

  /** The wallet's lock first, everywhere; what is due by now is posted before it ends. */
  async prepare(tx: Tx, { userId, id, at }: { userId: number; id: number; at: Instant }): Promise<Stoppable> {
    const { billableTo, depleted } = await this.ledger.prepareStop(tx, { userId, deploymentId: id, at });
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    return { row, billableTo, depleted };
  }

  /**
   * It stops costing, its remaining whole hours come back, and the provisioner begins to remove it: now, or at the next step
   * boundary where a run is at work. Charges never wait for the removal.
   */
  async stop(
    tx: Tx,
    { row, billableTo }: Stoppable,
    { at, reason, cause }: { at: Instant; reason: 'deleted' | 'account'; cause?: string | undefined },
  ): Promise<{ row: DeploymentRow; refunded: Money }> {
    const { id, user_id: userId } = row;
    const interval = billableTo === null ? {} : { billable_to: billableTo };
    const after = mayMove(row.status, 'DESTROYING', 'api')
      ? await this.deployments.move(tx, row, {
          to: 'DESTROYING',
          by: 'api',
          at,
          changes: { desired: 'destroyed', destroy_reason: reason, ...interval },
        })
      : await this.deployments.markDestroyed(tx, row, { at, by: 'api', reason, ...interval });
    const { refunded } = await this.ledger.stop(tx, { userId, deploymentId: id, at, cause });
    // a run that waits for something sees the mark when it is woken
    const data = { deployment_id: id, user_id: userId, reason } as const;
    await this.outbox.append(tx, event('deployment.deletion_requested', id, data));
    return { row: after, refunded };
  }
}

/** DEPLOYMENT_LOCKED for what only its owner may end (decisions 51); the end of the money and of the account do not ask. */
export function refuseLocked({ deletion_locked }: DeploymentRow): void {
  if (deletion_locked) throw new DomainError('DEPLOYMENT_LOCKED', ORDER_MESSAGES.deletion_locked);
}
