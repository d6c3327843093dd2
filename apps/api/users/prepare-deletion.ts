import { type DeletionPreparation, event } from '@moorage/contracts';
import { auditLog, type DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, type Instant, Money, USERS_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../auth/security-mails';
import type { Caller } from '../http/call-input';
import { DeactivateAccount } from './deactivate-account';
import { Deactivation } from './deactivation';

/** Removes everything that an account runs, so that it can be deactivated; of a deactivated one, what it left behind. */
@Injectable()
export class PrepareDeletion {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly deactivateAccount: DeactivateAccount,
    private readonly deactivation: Deactivation,
    private readonly securityMails: SecurityMails,
  ) {}

  run(caller: Caller, userId: number): Promise<DeletionPreparation> {
    return this.db.tx('users.prepare-deletion', async (tx) => {
      // no deployment of the account begins while its wallet is locked
      await this.deactivation.lock(tx, userId);
      if (userId === caller.userId) throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.deactivate_self);
      const at = await this.clock.now(tx);
      const refunds: Money[] = [];
      for (const id of await deploymentsOf(tx, userId)) {
        const refunded = await this.remove(tx, { id, userId, at });
        if (refunded !== null) refunds.push(refunded);
      }
      const count = refunds.length;
      if (count > 0) {
        const subject = `user:${userId}`;
        await auditLog.record(tx, { actor: caller.userId, action: 'account.prepared', subject, facts: { count }, at });
        await this.securityMails.post(tx, { userId, template: 'deployments_removed', facts: { count }, at });
      }
      return {
        removing: count,
        refunded_amount: Money.sum(refunds).toWire(),
        check: await this.deactivateAccount.look(tx, caller, userId),
      };
    });
  }

  /** Begins the removal of one deployment and returns what came back for it; null: there is nothing to begin. */
  private async remove(tx: Tx, { id, userId, at }: { id: number; userId: number; at: Instant }): Promise<Money | null> {
    // what is due by now is posted before it ends
    const { billableTo } = await this.ledger.prepareStop(tx, { userId, deploymentId: id, at });
    const row = await this.deployments.lock(tx, id);
    if (row === null || !(await this.end(tx, row, { at, billableTo }))) return null;
    const { refunded } = await this.ledger.stop(tx, { userId, deploymentId: id, at });
    // a run that waits for something sees the mark when it is woken
    const data = { deployment_id: id, user_id: userId, reason: 'account' } as const;
    await this.outbox.append(tx, event('deployment.deletion_requested', id, data));
    return refunded;
  }

  private async end(
    tx: Tx,
    row: DeploymentRow,
    { at, billableTo }: { at: Instant; billableTo: Instant | null },
  ): Promise<boolean> {
    if (row.status === 'FAILED' && !row.server_exists) return false;
    const interval = billableTo === null ? {} : { billable_to: billableTo };
    switch (row.status) {
      case 'FAILED':
      case 'ACTIVE':
      case 'READY':
      case 'DNS_FAILED': {
        const changes = { desired: 'destroyed', destroy_reason: 'account', ...interval } as const;
        await this.deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
        return true;
      }
      case 'CREATING':
      case 'PROVISIONING':
      case 'DNS_VALIDATION':
      case 'RESTARTING':
        // the provisioner unwinds it at its next step
        if (row.desired === 'destroyed') return false;
        await this.deployments.markDestroyed(tx, row, { at, by: 'api', reason: 'account', ...interval });
        return true;
      case 'DESTROYING':
      case 'DESTROYED':
      case 'DELETED':
        return false;
    }
  }
}

/** In the order in which deployments are locked. */
async function deploymentsOf(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from deployments where user_id = $1 and status not in ('DESTROYING', 'DESTROYED', 'DELETED') order by id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
