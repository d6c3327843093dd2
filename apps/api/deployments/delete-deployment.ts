import { type DeletedDeployment, DEPLOYMENTS_CALLS, deploymentSecrets, event, toSent } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, type Instant, iso, lockedReason, Money, ORDER_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Idempotency } from '../http/idempotency';
import { notFound, ownerOf, type Viewer } from './deployment-view';

@Injectable()
export class DeleteDeployment {
  constructor(
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly secrets: Secrets,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * The owner's delete (decisions 22): a running deployment stops costing in this transaction and its remaining whole hours
   * are refunded; one that is already destroyed leaves the list; one in flight is refused. Charges never wait for the
   * removal that follows. `key`: the Idempotency-Key header.
   */
  run({ viewer, id, key }: { viewer: Viewer; id: number; key: string | null }): Promise<DeletedDeployment> {
    const call = DEPLOYMENTS_CALLS.remove;
    const what = [call.method, call.path, { id }];
    const request = this.idempotency.keyed({ userId: viewer.userId, key, call, what });
    return this.idempotency.tx('deployments.delete', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // the wallet's lock first, everywhere; what is due by now is posted before it ends
      const { billableTo, depleted } = await this.ledger.prepareStop(tx, { userId, deploymentId: id, at });
      const row = await this.deployments.lock(tx, id);
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
          const after = await this.deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
          const { refunded } = await this.ledger.stop(tx, { userId, deploymentId: id, at, cause: request?.cause });
          await this.requestRemoval(tx, after);
          return destroying(after, refunded);
        }
        case 'FAILED': {
          if (!row.server_exists) return this.forget(tx, row, at);
          const changes = { desired: 'destroyed', destroy_reason: 'deleted' } as const;
          const after = await this.deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
          await this.requestRemoval(tx, after);
          return destroying(after, Money.ZERO);
        }
        case 'DESTROYED':
          return this.forget(tx, row, at);
        case 'DESTROYING':
          // this very request found the account depleted and ended it: what was asked for is under way
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
  }

  private async requestRemoval(tx: Tx, row: DeploymentRow): Promise<void> {
    const data = { deployment_id: row.id, user_id: row.user_id, reason: 'deleted' } as const;
    await this.outbox.append(tx, event('deployment.deletion_requested', row.id, data));
  }

  private async forget(tx: Tx, row: DeploymentRow, at: Instant): Promise<DeletedDeployment> {
    await this.deployments.move(tx, row, {
      to: 'DELETED',
      by: 'api',
      at,
      changes: { desired: 'destroyed', ...(row.deleted_at === null ? { deleted_at: at } : {}) },
    });
    await this.secrets.remove(tx, deploymentSecrets(row.id));
    return toSent(ORDER_MESSAGES.deployment_gone);
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
  return new DomainError('DEPLOYMENT_STATE', lockedReason(row.status) ?? ORDER_MESSAGES.not_now);
}
