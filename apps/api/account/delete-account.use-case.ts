import { type DeletionCheck, type Sent, toSent } from '@moorage/contracts';
import { DomainError, type Message, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { usersRepository } from '../users-store/users.repository';
import { Deactivation } from '../users/deactivation.policy';
import { OwnAccount } from './own-account.service';

/** Deletes the caller's own account (decision 21). */
@Injectable()
export class DeleteAccount {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly deactivation: Deactivation,
    private readonly own: OwnAccount,
  ) {}

  check({ userId }: Caller): Promise<DeletionCheck> {
    return this.db.tx('account.deletion-check', async (tx) => {
      const row = await usersRepository.find(tx, userId, ['is_admin']);
      const count = await this.deactivation.activeDeployments(tx, userId);
      const balance = await this.ledger.balance(tx, { userId, at: await this.clock.now(tx) });
      const refusal = refusalToDelete({ count, isAdmin: row?.is_admin === true });
      return {
        can_delete: refusal === null,
        active_deployment_count: count,
        balance: balance.regular.toWire(),
        credits: balance.referralCredits.plus(balance.signupCredits).toWire(),
        refusal,
      };
    });
  }

  async run(caller: Caller): Promise<Sent> {
    await this.db.tx('account.delete', async (tx) => {
      const { userId } = caller;
      // The wallet's lock always comes first.
      await this.deactivation.lock(tx, userId);
      const { username, is_admin: isAdmin } = await this.own.lock(tx, caller);
      const refusal = refusalToDelete({ count: await this.deactivation.activeDeployments(tx, userId), isAdmin });
      if (refusal !== null) throw new DomainError('ACCOUNT_STATE', refusal);
      await this.deactivation.run(tx, { userId, username, actor: userId, at: await this.clock.now(tx) });
    });
    return toSent(OWN_ACCOUNT_MESSAGES.deleted);
  }
}

/** Returns why a user cannot delete the account, or null. Administrators cannot delete their own. */
function refusalToDelete({ count, isAdmin }: { count: number; isAdmin: boolean }): Message | null {
  if (isAdmin) return OWN_ACCOUNT_MESSAGES.delete_administrator;
  return count > 0 ? OWN_ACCOUNT_MESSAGES.delete_blocked({ count }) : null;
}
