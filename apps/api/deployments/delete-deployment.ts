import { type DeletedDeployment, DEPLOYMENTS_CALLS, deploymentSecrets, event } from '@moorage/contracts';
import type { DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, type Instant, iso, lockedReason, Money, ORDER_WORDS } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import type { Outbox } from '@moorage/messaging';
import type { Secrets, Tx } from '@moorage/server';
import type { Idempotency } from '../http/idempotency';
import { notFound, ownerOf, type Viewer } from './deployment-view';

export type DeleteDeployment = (ask: {
  viewer: Viewer;
  id: number;
  /** The Idempotency-Key header. */
  key: string | null;
}) => Promise<DeletedDeployment>;

export interface DeleteOptions {
  readonly idempotency: Idempotency;
  readonly outbox: Outbox;
  readonly ledger: Ledger;
  readonly deployments: Deployments;
  readonly secrets: Secrets;
}

/**
 * The owner's delete (decisions 22): a running deployment stops costing in this transaction and its whole hours left come
 * back; one that is gone leaves the list; one in flight is refused. Charges never wait for the removal that follows.
 */
export function createDeleteDeployment({
  idempotency,
  outbox,
  ledger,
  deployments,
  secrets,
}: DeleteOptions): DeleteDeployment {
  return ({ viewer, id, key }) => {
    const call = DEPLOYMENTS_CALLS.remove;
    const what = [call.method, call.path, { id }];
    const request = idempotency.keyed({ userId: viewer.userId, key, call, what });
    return idempotency.tx('deployments.delete', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // the wallet's lock first, everywhere; what is due by now is posted before it ends
      const { billableTo, depleted } = await ledger.prepareStop(tx, { userId, deploymentId: id, at });
      const row = await deployments.lock(tx, id);
      if (row === null) throw notFound();
      switch (row.status) {
        case 'ACTIVE':
        case 'READY':
        case 'DNS_FAILED': {
          const changes = {
            desired: 'destroyed',
            destroy_reason: 'deleted',
            ...(billableTo === null ? {} : { billable_to: billableTo }),
          } as const;
          const after = await deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
          const { refunded } = await ledger.stop(tx, { userId, deploymentId: id, at, cause: request?.cause });
          await requestRemoval(tx, after);
          return destroying(after, refunded);
        }
        case 'FAILED': {
          if (!row.server_exists) return forget(tx, row, at);
          const changes = { desired: 'destroyed', destroy_reason: 'deleted' } as const;
          const after = await deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
          await requestRemoval(tx, after);
          return destroying(after, Money.ZERO);
        }
        case 'DESTROYED':
          return forget(tx, row, at);
        case 'DESTROYING':
          // its money ended it a moment ago, in this very request: what was asked for is under way
          if (depleted) return destroying(row, Money.ZERO);
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
  };

  async function requestRemoval(tx: Tx, row: DeploymentRow): Promise<void> {
    const data = { deployment_id: row.id, user_id: row.user_id, reason: 'deleted' } as const;
    await outbox.append(tx, event('deployment.deletion_requested', row.id, data));
  }

  async function forget(tx: Tx, row: DeploymentRow, at: Instant): Promise<DeletedDeployment> {
    await deployments.move(tx, row, {
      to: 'DELETED',
      by: 'api',
      at,
      changes: { desired: 'destroyed', ...(row.deleted_at === null ? { deleted_at: at } : {}) },
    });
    await secrets.remove(tx, deploymentSecrets(row.id));
    return { message: ORDER_WORDS.deployment_gone };
  }
}

function destroying(row: DeploymentRow, refunded: Money): DeletedDeployment {
  return {
    status: row.status,
    deleted_at: row.deleted_at === null ? null : iso(row.deleted_at),
    refunded_amount: refunded.toWire(),
  };
}

function refusedInFlight(row: DeploymentRow): DomainError {
  return new DomainError('DEPLOYMENT_STATE', lockedReason(row.status) ?? ORDER_WORDS.not_now);
}
