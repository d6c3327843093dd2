import { event } from '@moorage/contracts';
import { auditLog, type User } from '@moorage/database';
import { ACTIVE_DEPLOYMENT, type Instant } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import { Sessions } from '../auth/sessions.service';
import { UserTokens } from '../auth/user-tokens.service';
import { endCheckoutsOf } from '../payments/end-checkouts.use-case';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { NO_ACCOUNT } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';

export type LockedAccount = Pick<User, 'username' | 'email' | 'is_admin' | 'deactivated_at'>;

/** Deactivation of an account (decision 19): logging in is no longer possible, and the ledger remains. */
@Injectable()
export class Deactivation {
  constructor(
    private readonly ledger: Ledger,
    private readonly outbox: Outbox,
    private readonly securityMails: SecurityMails,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
    private readonly topUpSwitch: TopUpSwitch,
    private readonly work: WorkSchedule,
  ) {}

  /** Counts the deployments that prevent a deactivation. While the wallet is locked, no other can start. */
  async activeDeployments(tx: Tx, userId: number): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'select count(*)::int as count from deployments where user_id = $1 and status = any($2)',
      [userId, [...ACTIVE_DEPLOYMENT]],
    );
    return row?.count ?? 0;
  }

  /**
   * Acquires the wallet's lock, then the account's, so that what is read afterwards remains valid until the transaction
   * ends. Throws NOT_FOUND if the account does not exist or was erased.
   */
  async lock(tx: Tx, userId: number): Promise<LockedAccount> {
    await this.ledger.lock(tx, userId);
    const which = { state: 'present', lock: 'for no key update' } as const;
    const row = await usersRepository.find(tx, userId, ['username', 'email', 'is_admin', 'deactivated_at'], which);
    if (row === null) throw NO_ACCOUNT;
    return row;
  }

  /** Deactivates a locked account that has no active deployments. */
  async run(
    tx: Tx,
    { userId, username, actor, at }: { userId: number; username: string; actor: number; at: Instant },
  ): Promise<void> {
    await this.securityMails.post(tx, { userId, template: 'account_deactivated', facts: {}, at });
    await usersRepository.deactivate(tx, { id: userId, username, at });
    await this.topUpSwitch.off(tx, { userId, reason: 'account', at });
    await endCheckoutsOf(tx, this.work, { userId, at });
    await this.sessions.endAll(tx, userId);
    await this.tokens.revokeAll(tx, { userId, at });
    await auditLog.record(tx, { actor, action: 'account.deactivated', subject: `user:${userId}`, facts: {}, at });
    await this.outbox.append(tx, event('user.deactivated', userId, { user_id: userId }));
  }
}
