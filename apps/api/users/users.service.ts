import { event, type Sent, type signup, toSent, type User } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, type Language } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { Passwords } from '../auth/passwords.service';
import { UserTokens } from '../auth/user-tokens.service';
import { FreeCreditCodes } from '../credits/free-credit-codes.service';
import type { Caller, Origin } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Mails } from '../mail/mails.service';
import { readUser } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';
import { NewAccounts } from './new-accounts.repository';

@Injectable()
export class UsersService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: Mails,
    private readonly accounts: NewAccounts,
    private readonly passwords: Passwords,
    private readonly tokens: UserTokens,
    private readonly freeCreditCodes: FreeCreditCodes,
  ) {}

  /** Creates account, wallet, verification email and event in one transaction. */
  async signup(
    { username, email, password, referral_code, language }: z.output<typeof signup>,
    { ip, language: preferred }: Origin & { readonly language: Language },
  ): Promise<User> {
    const passwordHash = await this.passwords.hashChosen(password, { username, email }, 'password');
    return this.db.tx('users.signup', async (tx) => {
      const at = await this.clock.now(tx);
      const code = referral_code ?? '';
      const referredByUserId = await referrerOf(tx, code);
      const account = {
        username,
        email,
        language: language ?? preferred,
        passwordHash,
        at,
        referredByUserId,
        signupIp: ip,
      };
      const id = await this.accounts.insert(tx, account);
      if (
        code !== '' &&
        referredByUserId === null &&
        !(await this.freeCreditCodes.reserve(tx, { code, userId: id, at }))
      )
        // The code cannot be corrected after the sign-up.
        throw new FieldsInvalid([{ path: 'referral_code', message: ACCESS_MESSAGES.referral_unknown }]);
      const user = await readUser(tx, id);
      await this.mailVerification(tx, user, at);
      await this.outbox.append(tx, event('user.registered', id, { user_id: id }));
      return user;
    });
  }

  me(caller: Caller): Promise<User> {
    return this.db.tx('users.me', (tx) => readUser(tx, caller.userId));
  }

  async resendVerification(caller: Caller): Promise<Sent> {
    if (caller.isVerified) throw new DomainError('ACCOUNT_STATE', ACCESS_MESSAGES.email_verified_before);
    await this.db.tx('users.resend-verification', async (tx) => {
      await this.mailVerification(tx, await readUser(tx, caller.userId), await this.clock.now(tx));
    });
    return toSent(ACCESS_MESSAGES.email_sent);
  }

  private async mailVerification(
    tx: Tx,
    { id, username, email, language }: Pick<User, 'id' | 'username' | 'email' | 'language'>,
    at: number,
  ): Promise<void> {
    const link = await this.tokens.issueLink(tx, { userId: id, purpose: 'verify_email', at });
    await this.mails.post(tx, {
      cause: `verify_email:${link.id}`,
      recipient: email,
      language,
      template: 'verify_email',
      facts: { username, token: link.token },
    });
  }
}

/** Returns the user with this referral code, or null if there is none. */
async function referrerOf(tx: Tx, code: string): Promise<number | null> {
  if (code === '') return null;
  const referrer = await usersRepository.findByReferralCode(tx, code, ['id'], { state: 'active' });
  return referrer?.id ?? null;
}
