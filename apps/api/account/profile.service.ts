import { event, type Sent, toSent, type User } from '@moorage/contracts';
import { auditLog, type AuditAction } from '@moorage/database';
import {
  ACCESS_MESSAGES,
  DomainError,
  isMailed,
  type Language,
  MAIL_KINDS,
  MAIL_KIND_NAMES,
  type MailKind,
  OWN_ACCOUNT_MESSAGES,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../auth/passwords.service';
import { SecurityMails } from '../mail/security-mails.service';
import { Sessions } from '../auth/sessions.service';
import { UserTokens } from '../auth/user-tokens.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Mails } from '../mail/mails.service';
import { readUser } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';
import { OwnAccount } from './own-account.service';

interface Notification {
  readonly kind: MailKind;
  readonly is_on: boolean;
  readonly can_change: boolean;
}

/** Name, address, password, language and emails of the caller's own account. */
@Injectable()
export class Profile {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: Mails,
    private readonly own: OwnAccount,
    private readonly passwords: Passwords,
    private readonly securityMails: SecurityMails,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
  ) {}

  setLanguage(caller: Caller, language: Language): Promise<User> {
    return this.db.tx('account.set-language', async (tx) => {
      await usersRepository.setLanguage(tx, caller.userId, language);
      return readUser(tx, caller.userId);
    });
  }

  async changeUsername(caller: Caller, username: string): Promise<User> {
    try {
      return await this.db.tx('account.change-username', async (tx) => {
        await this.own.lock(tx, caller);
        await usersRepository.rename(tx, caller.userId, username);
        await this.changed(tx, caller);
        await this.record(tx, caller, 'account.username_changed');
        return readUser(tx, caller.userId);
      });
    } catch (error) {
      if (violatedConstraint(error) === 'users_username') throw taken();
      throw error;
    }
  }

  /** Emails a link to the new address. The old address remains in use until the link is opened. */
  changeEmail(caller: Caller, email: string): Promise<User> {
    return this.db.tx('account.change-email', async (tx) => {
      const { username, email: old, language } = await this.own.lock(tx, caller);
      if (email.toLowerCase() === old.toLowerCase())
        throw new FieldsInvalid([{ path: 'email', message: OWN_ACCOUNT_MESSAGES.email_same }]);
      if ((await usersRepository.findByEmail(tx, email, ['id'])) !== null) throw taken();
      const { userId, credentialId: sessionId } = caller;
      const at = await this.clock.now(tx);
      await usersRepository.setPendingEmail(tx, userId, email);
      const link = await this.tokens.issueLink(tx, { userId, purpose: 'change_email', sessionId, at });
      await this.mails.post(tx, {
        cause: `confirm_email:${link.id}`,
        recipient: email,
        language,
        template: 'confirm_email',
        facts: { username, token: link.token },
      });
      await this.record(tx, caller, 'account.email_change_requested');
      return readUser(tx, userId);
    });
  }

  cancelEmailChange(caller: Caller): Promise<User> {
    return this.db.tx('account.cancel-email-change', async (tx) => {
      const { pending_email } = await this.own.lock(tx, caller);
      if (pending_email === null) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.email_change_none);
      const { userId } = caller;
      await this.tokens.revokeLinks(tx, { userId, purpose: 'change_email', at: await this.clock.now(tx) });
      await usersRepository.setPendingEmail(tx, userId, null);
      return readUser(tx, userId);
    });
  }

  /** Ends every other session and every personal API token, as a reset does (decision 47). This session continues. */
  async changePassword(
    caller: Caller,
    { current_password, new_password }: { current_password: string; new_password: string },
  ): Promise<Sent> {
    const proven = await this.own.provePassword(caller, current_password, 'current_password');
    const passwordHash = await this.passwords.hashChosen(new_password, caller, 'new_password');
    await this.db.tx('account.change-password', async (tx) => {
      await this.own.lockProven(tx, caller, proven);
      const { userId, credentialId } = caller;
      const at = await this.clock.now(tx);
      await usersRepository.setPassword(tx, userId, passwordHash);
      await this.sessions.endOthers(tx, { userId, exceptId: credentialId });
      await this.tokens.revokeAllApiTokens(tx, { userId, at });
      await this.tokens.revokeLinks(tx, { userId, purpose: 'reset_password', at });
      await this.securityMails.post(tx, { userId, template: 'password_changed', facts: {}, at });
      await this.record(tx, caller, 'account.password_changed');
    });
    return toSent(OWN_ACCOUNT_MESSAGES.password_changed);
  }

  notifications(caller: Caller): Promise<Notification[]> {
    return this.db.tx('account.notifications', (tx) => readNotifications(tx, caller.userId));
  }

  setNotification(caller: Caller, { kind, is_on }: { kind: MailKind; is_on: boolean }): Promise<Notification[]> {
    if (!MAIL_KINDS[kind].canChange && !is_on)
      throw new FieldsInvalid([{ path: 'is_on', message: OWN_ACCOUNT_MESSAGES.mail_kind_fixed }]);
    return this.db.tx('account.set-notification', async (tx) => {
      await usersRepository.setMailed(tx, caller.userId, { kind, isOn: is_on });
      return readNotifications(tx, caller.userId);
    });
  }

  private async record(tx: Tx, { userId }: Caller, action: AuditAction): Promise<void> {
    const at = await this.clock.now(tx);
    await auditLog.record(tx, { actor: userId, action, subject: `user:${userId}`, facts: {}, at });
  }

  private async changed(tx: Tx, { userId }: Caller): Promise<void> {
    await this.outbox.append(tx, event('user.changed', userId, { user_id: userId }));
  }
}

async function readNotifications(tx: Tx, userId: number): Promise<Notification[]> {
  const row = await usersRepository.find(tx, userId, ['muted_mails']);
  return MAIL_KIND_NAMES.map((kind) => ({
    kind,
    is_on: isMailed(kind, row?.muted_mails ?? []),
    can_change: MAIL_KINDS[kind].canChange,
  }));
}

function taken(): DomainError {
  return new DomainError('ACCOUNT_EXISTS', ACCESS_MESSAGES.account_taken);
}
