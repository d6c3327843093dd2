import { type DeletedDeployment, DEPLOYMENTS_CALLS, deploymentSecrets, toSent } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import {
  copiesKeptUntil,
  deleteUndoMs,
  type DeploymentStatus,
  DomainError,
  getsLastBackup,
  type Instant,
  isoOrNull,
  lockedReason,
  Money,
  ORDER_MESSAGES,
} from '@moorage/domain';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { keptUntil } from '../backup-policy/retained-copies';
import { Idempotency } from '../http/idempotency.service';
import { ApiSettings } from '../settings';
import { type DeploymentAct, DeploymentActs } from './deployment-acts.service';
import { notFound, ownerOf, type Viewer } from './deployment-view';
import { refuseLocked, StopDeployment } from './stop-deployment.use-case';

@Injectable()
export class DeleteDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly stopping: StopDeployment,
    private readonly deployments: Deployments,
    private readonly secrets: Secrets,
    private readonly idempotency: Idempotency,
    private readonly promises: BackupPromises,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Deletes a deployment for its owner (decisions 22). A running deployment stops costing in this transaction, its
   * remaining whole hours are refunded, and a level with backups gets a last one. Its server may be kept so that the
   * delete can be undone, and a second request with the `expected` status DESTROYING removes it at once. A deployment
   * that is already destroyed is removed from the list. One that is in progress or locked is refused, and so is one
   * whose status is not the `expected` one: the second deletion of a deployment removes it from the list for good.
   * `key` is the Idempotency-Key header.
   */
  run({
    viewer,
    id,
    reason,
    expected,
    key,
  }: {
    viewer: Viewer;
    id: number;
    reason?: string | null | undefined;
    expected?: DeploymentStatus | undefined;
    key: string | null;
  }): Promise<DeletedDeployment> {
    const call = DEPLOYMENTS_CALLS.remove;
    const what = [call.method, call.path, { id }];
    const request = this.idempotency.keyed({ userId: viewer.userId, key, call, what });
    return this.idempotency.tx('deployments.delete', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      const found = await this.stopping.prepare(tx, { userId, id, at });
      const { row, depleted } = found;
      await this.acts.begin(tx, { id, viewer, action: actOn(row), reason });
      if (expected !== undefined && row.status !== expected && !depleted)
        throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.deployment_changed);
      switch (row.status) {
        case 'FAILED':
        case 'ACTIVE':
        case 'READY':
        case 'DNS_FAILED': {
          refuseLocked(row);
          if (isForgotten(row)) return this.forget(tx, row, at);
          const stop = { at, reason: 'deleted', undoUntil: this.undoUntil(row, at), cause: request?.cause } as const;
          const stopped = await this.stopping.stop(tx, found, stop);
          return destroying(stopped.row, stopped.refunded, await this.keptUntilStopped(tx, row, at));
        }
        case 'DESTROYED':
          refuseLocked(row);
          return this.forget(tx, row, at);
        case 'DESTROYING':
          // This request found the balance depleted and ended the deployment, so the requested removal is already in
          // progress.
          if (depleted) return destroying(row, Money.ZERO, await keptUntilOf(tx, row, at));
          // A repeated request must not remove what the first one keeps.
          if (row.undo_until !== null && expected === 'DESTROYING') {
            refuseLocked(row);
            await this.stopping.removeNow(tx, row, at);
            const from = row.deleted_from ?? row.status;
            return destroying(
              { ...row, undo_until: null },
              Money.ZERO,
              await this.keptUntilStopped(tx, { ...row, status: from }, at),
            );
          }
          throw refusedInFlight(row);
        case 'CREATING':
        case 'PROVISIONING':
        case 'DNS_VALIDATION':
        case 'RESTARTING':
          throw refusedInFlight(row);
        case 'DELETED':
          throw notFound();
      }
    });
  }

  /** Returns until when the server of a running deployment is kept, so that its delete can be undone. */
  private undoUntil({ server_type, status }: DeploymentRow, at: Instant): Instant | null {
    const kept = deleteUndoMs({ hours: this.settings.deleteUndoHours, serverType: server_type, status });
    return kept > 0 ? at + kept : null;
  }

  /** Returns until when the backups of a deployment are stored that is stopped now, including its last backup. */
  private keptUntilStopped(tx: Tx, row: DeploymentRow, at: Instant): Promise<Instant | null> {
    const { support_level: level, status } = row;
    return getsLastBackup({ mode: this.promises.modeOf(row), level, status })
      ? Promise.resolve(copiesKeptUntil({ level, isGone: true }, at))
      : keptUntilOf(tx, row, at);
  }

  private async forget(tx: Tx, row: DeploymentRow, at: Instant): Promise<DeletedDeployment> {
    await this.deployments.move(tx, row, {
      to: 'DELETED',
      by: 'api',
      at,
      changes: { desired: 'destroyed', ...(row.deleted_at === null ? { deleted_at: at } : {}) },
    });
    const stored = await keptUntilOf(tx, row, at);
    // While copies are stored, so are the values from which a new deployment would be created.
    if (stored === null) await this.secrets.remove(tx, deploymentSecrets(row.id));
    return { ...toSent(ORDER_MESSAGES.deployment_gone), backups_kept_until: isoOrNull(stored) };
  }
}

/** Returns whether a deployment is removed from the list at once, because nothing of it is left to stop. */
const isForgotten = ({ status, server_exists: exists }: DeploymentRow): boolean =>
  status === 'DESTROYED' || (status === 'FAILED' && !exists);

/** Returns what the delete of a deployment is, by its state: its deactivation comes before its deletion. */
function actOn(row: DeploymentRow): DeploymentAct {
  if (isForgotten(row)) return 'deployment.deleted';
  return row.status === 'DESTROYING' && row.undo_until !== null
    ? 'deployment.server_removed'
    : 'deployment.deactivated';
}

function destroying(row: DeploymentRow, refunded: Money, stored: Instant | null): DeletedDeployment {
  return {
    status: row.status,
    deleted_at: isoOrNull(row.deleted_at),
    refunded_amount: refunded.toWire(),
    backups_kept_until: isoOrNull(stored),
    undo_until: isoOrNull(row.undo_until),
  };
}

const keptUntilOf = (tx: Tx, { id, support_level: level }: DeploymentRow, at: Instant): Promise<Instant | null> =>
  keptUntil(tx, { id, level, isGone: true, at });

function refusedInFlight(row: DeploymentRow): DomainError {
  return new DomainError('DEPLOYMENT_STATE', lockedReason(row.status) ?? ORDER_MESSAGES.not_now);
}
