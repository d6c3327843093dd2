import { event, type Sent, toSent } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { DomainError, reactivatedUsername, USERS_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import type { Caller } from '../http/call-input';
import { usersRepository } from '../users-store/users.repository';
import { Deactivation } from './deactivation.policy';

/** Reactivates a deactivated account. */
@Injectable()
export class ReactivateAccount {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly deactivation: Deactivation,
    private readonly securityMails: SecurityMails,
  ) {}

  /** Restores the account under its former name. Roles, sessions and API tokens are not restored. */
  run(caller: Caller, userId: number): Promise<Sent> {
    return this.db.tx('users.reactivate', async (tx) => {
      const { username, deactivated_at } = await this.deactivation.lock(tx, userId);
      if (deactivated_at === null) throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.not_deactivated);
      const at = await this.clock.now(tx);
      const name = reactivatedUsername(userId, username);
      await usersRepository.reactivate(tx, userId, name).catch((error: unknown) => {
        if (violatedConstraint(error) !== 'users_username') throw error;
        throw new DomainError('ACCOUNT_EXISTS', USERS_MESSAGES.reactivate_taken({ name }));
      });
      await auditLog.record(tx, {
        actor: caller.userId,
        action: 'account.reactivated',
        subject: `user:${userId}`,
        facts: {},
        at,
      });
      await this.securityMails.post(tx, { userId, template: 'account_reactivated', facts: {}, at });
      await this.outbox.append(tx, event('user.changed', userId, { user_id: userId }));
      return toSent(USERS_MESSAGES.reactivated({ name }));
    });
  }
}
