import { type adminCreate, type AdminUserAnswer, event } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import type { Instant, Language } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { Passwords } from '../auth/passwords.service';
import { UserTokens } from '../auth/user-tokens.service';
import type { Caller } from '../http/call-input';
import { Mails } from '../mail/mails.service';
import { usersRepository } from '../users-store/users.repository';
import { readAdminUser } from './admin-users.service';
import { Administrators } from './administrators.service';
import { NewAccounts } from './new-accounts.repository';

/** Creates accounts on behalf of administrators. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: Mails,
    private readonly accounts: NewAccounts,
    private readonly administrators: Administrators,
    private readonly passwords: Passwords,
    private readonly tokens: UserTokens,
  ) {}

  /** Creates account, wallet, audit record, email and event in one transaction. */
  async run(
    caller: Caller,
    { username, email, password, is_admin: isAdmin, language: wanted }: z.output<typeof adminCreate>,
  ): Promise<AdminUserAnswer> {
    const passwordHash = await this.passwords.hashChosen(password, { username, email }, 'password');
    return this.db.tx('users.admin-create', async (tx) => {
      await this.administrators.takeTurn(tx, caller);
      const at = await this.clock.now(tx);
      const language = wanted ?? (await languageOf(tx, caller.userId));
      const id = await this.accounts.insert(tx, { username, email, passwordHash, language, at, isAdmin });
      await this.mailVerification(tx, { id, username, email, language, at });
      await auditLog.record(tx, {
        actor: caller.userId,
        action: 'account.created',
        subject: `user:${id}`,
        facts: { is_admin: isAdmin },
        at,
      });
      await this.outbox.append(tx, event('user.registered', id, { user_id: id }));
      return readAdminUser(tx, { id, at });
    });
  }

  private async mailVerification(
    tx: Tx,
    {
      id: userId,
      username,
      email,
      language,
      at,
    }: { id: number; username: string; email: string; language: Language; at: Instant },
  ): Promise<void> {
    const link = await this.tokens.issueLink(tx, { userId, purpose: 'verify_email', at });
    await this.mails.post(tx, {
      cause: `account_made:${link.id}`,
      recipient: email,
      language,
      template: 'account_made',
      facts: { username, token: link.token },
    });
  }
}

async function languageOf(tx: Tx, userId: number): Promise<Language> {
  const row = await usersRepository.find(tx, userId, ['language']);
  if (row === null) throw new Error('the account of the caller does not exist');
  return row.language;
}
