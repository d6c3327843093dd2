import { type AdminUserAnswer, event } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { DomainError, refusalToDemote, refusalToPromote } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { endEarlierCredentials } from '../auth/factor-change';
import { SecurityMails } from '../mail/security-mails.service';
import type { Caller } from '../http/call-input';
import { usersRepository } from '../users-store/users.repository';
import { readAdminUser } from './admin-users.service';
import { Administrators } from './administrators.service';
import { Deactivation } from './deactivation.policy';

/** Effects of granting and removing the role, apart from the column. */
const CHANGES = {
  make: { isAdmin: true, refusal: refusalToPromote, action: 'account.promoted', template: 'administrator_on' },
  remove: { isAdmin: false, refusal: refusalToDemote, action: 'account.demoted', template: 'administrator_off' },
} as const;

/** Grants the administrator role to others and removes it. */
@Injectable()
export class AdminRoles {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly administrators: Administrators,
    private readonly deactivation: Deactivation,
    private readonly securityMails: SecurityMails,
  ) {}

  /** Ends the sessions of the account, which were opened without these rights. */
  make(caller: Caller, userId: number): Promise<AdminUserAnswer> {
    return this.change(caller, userId, 'make');
  }

  /** Ends the sessions of the account and revokes its API tokens with administrator rights. */
  remove(caller: Caller, userId: number): Promise<AdminUserAnswer> {
    return this.change(caller, userId, 'remove');
  }

  private change(caller: Caller, userId: number, which: keyof typeof CHANGES): Promise<AdminUserAnswer> {
    const { isAdmin, refusal: refusalTo, action, template } = CHANGES[which];
    return this.db.tx(`users.${which}-admin`, async (tx) => {
      await this.administrators.takeTurn(tx, caller);
      const { is_admin, deactivated_at } = await this.deactivation.lock(tx, userId);
      const refusal = refusalTo({
        isSelf: userId === caller.userId,
        isDeactivated: deactivated_at !== null,
        isLastAdministrator: await this.administrators.isLast(tx, userId),
      });
      if (refusal !== null) throw new DomainError('ACCOUNT_STATE', refusal);
      const at = await this.clock.now(tx);
      if (is_admin !== isAdmin) {
        await usersRepository.setAdministrator(tx, userId, isAdmin);
        await endEarlierCredentials(tx, { userId, at });
        await auditLog.record(tx, { actor: caller.userId, action, subject: `user:${userId}`, facts: {}, at });
        await this.securityMails.post(tx, { userId, template, facts: {}, at });
        await this.outbox.append(tx, event('user.changed', userId, { user_id: userId }));
      }
      return readAdminUser(tx, { id: userId, at });
    });
  }
}
