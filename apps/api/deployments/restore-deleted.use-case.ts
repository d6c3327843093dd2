import { type DeploymentAnswer, DEPLOYMENTS_CALLS } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, mayReturn, ORDER_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Injectable } from '@nestjs/common';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound } from './deployment-view';
import { refuseState } from './refuse-action';
import { refuseDeactivated } from './reopen-deployment.use-case';

@Injectable()
export class RestoreDeleted {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
  ) {}

  /**
   * Undoes the delete of a deployment whose server is still kept, for its owner. It costs again from now on, and the
   * time between costs nothing. The provisioner then starts the stack. `key` is the Idempotency-Key header.
   */
  run({ userId, id, key }: { userId: number; id: number; key: string | null }): Promise<DeploymentAnswer> {
    const call = DEPLOYMENTS_CALLS.restoreDeleted;
    const viewer = { userId, isAdmin: false };
    const request = this.idempotency.keyed({ userId, key, call, what: [call.method, call.path, { id }] });
    return this.idempotency.tx('deployments.restore-deleted', request, async (tx, at) => {
      await this.acts.begin(tx, { id, viewer, action: 'deployment.delete_undone' });
      // The wallet's lock always comes first.
      await this.ledger.settleAccount(tx, { userId, at });
      await refuseDeactivated(tx, userId);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      refuseUndo(row);
      const reopening = {
        userId,
        deploymentId: id,
        actorUserId: userId,
        at,
        undoesDelete: true,
        cause: request?.cause,
      };
      await this.ledger.reopen(tx, reopening);
      const changes = {
        desired: 'running',
        destroy_reason: null,
        undo_until: null,
        restart_from: row.deleted_from,
        restarted_at: at,
      } as const;
      await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
      return this.answers.read(tx, id, viewer);
    });
  }
}

/** Throws DEPLOYMENT_STATE unless the delete of the deployment can be undone. */
function refuseUndo(row: DeploymentRow): void {
  if (mayReturn(row, 'RESTARTING')) return;
  if (row.status === 'DESTROYING' || row.status === 'DESTROYED')
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.restored_too_late);
  refuseState(row, 'restore_deleted');
}
