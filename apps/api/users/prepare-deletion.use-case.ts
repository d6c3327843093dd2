import type { DeletionPreparation } from '@moorage/contracts';
import { auditLog, type DeploymentRow, type Deployment } from '@moorage/database';
import { DomainError, type Instant, iso, Money, USERS_MESSAGES } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import { keptUntil } from '../backup-policy/retained-copies';
import { StopDeployment } from '../deployments/stop-deployment.use-case';
import type { Caller } from '../http/call-input';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { DeactivateAccount } from './deactivate-account.use-case';
import { Deactivation } from './deactivation.policy';

/**
 * Removes everything that an account runs, so that it can be deactivated. For a deactivated account, removes what is
 * left.
 */
@Injectable()
export class PrepareDeletion {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly stopping: StopDeployment,
    private readonly deactivateAccount: DeactivateAccount,
    private readonly deactivation: Deactivation,
    private readonly securityMails: SecurityMails,
    private readonly topUpSwitch: TopUpSwitch,
  ) {}

  run(caller: Caller, userId: number, reason: string): Promise<DeletionPreparation> {
    return this.db.tx('users.prepare-deletion', async (tx) => {
      // No deployment of the account can start while its wallet is locked.
      await this.deactivation.lock(tx, userId);
      if (userId === caller.userId) throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.deactivate_self);
      const at = await this.clock.now(tx);
      await this.topUpSwitch.off(tx, { userId, reason: 'preparation', at });
      const refunds: Money[] = [];
      const kept: Instant[] = [];
      for (const id of await deploymentsOf(tx, userId)) {
        const refunded = await this.remove(tx, { id, userId, at });
        if (refunded === null) continue;
        refunds.push(refunded.amount);
        if (refunded.keptUntil !== null) kept.push(refunded.keptUntil);
      }
      const backups_until = kept.length === 0 ? null : iso(Math.min(...kept));
      const count = refunds.length;
      if (count > 0) {
        const subject = `user:${userId}`;
        await auditLog.record(tx, {
          actor: caller.userId,
          action: 'account.prepared',
          subject,
          facts: { count },
          reason,
          at,
        });
        await this.securityMails.post(tx, {
          userId,
          template: 'deployments_removed',
          facts: { count, reason, backups_until },
          at,
        });
      }
      return {
        removing: count,
        refunded_amount: Money.sum(refunds).toWire(),
        check: await this.deactivateAccount.preview(tx, caller, userId),
      };
    });
  }

  /**
   * Begins the removal of a deployment. Returns the refund and the time until which its backups are stored, or null if
   * there is nothing to remove.
   */
  private async remove(
    tx: Tx,
    { id, userId, at }: { id: number; userId: number; at: Instant },
  ): Promise<{ amount: Money; keptUntil: Instant | null } | null> {
    const found = await this.stopping.prepare(tx, { userId, id, at });
    const level = found.row.support_level;
    if (found.row.undo_until !== null) {
      await this.stopping.removeNow(tx, found.row, at);
      return { amount: Money.ZERO, keptUntil: await keptUntil(tx, { id, level, isGone: true, at }) };
    }
    if (!isLeft(found.row)) return null;
    const { refunded } = await this.stopping.stop(tx, found, { at, reason: 'account' });
    return { amount: refunded, keptUntil: await keptUntil(tx, { id, level, isGone: true, at }) };
  }
}

/**
 * Returns true if there is something to remove that is not being removed already. A lock against deletion does not
 * count here.
 */
function isLeft({ status, desired, server_exists }: DeploymentRow): boolean {
  if (status === 'DESTROYING' || status === 'DESTROYED' || status === 'DELETED') return false;
  return status === 'FAILED' ? server_exists : desired === 'running';
}

/** Returns the ids in the order in which deployments are locked. */
async function deploymentsOf(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx.query<Pick<Deployment, 'id'>>(
    `select id from deployments where user_id = $1 and (status not in ('DESTROYING', 'DESTROYED', 'DELETED') or undo_until is not null) order by id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
