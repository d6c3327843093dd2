import { type login, type Sent, toSent, type User } from '@moorage/contracts';
import type { User as StoredUser } from '@moorage/database';
import { ACCESS_MESSAGES, CONNECTION_MESSAGES, DomainError, type Instant } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Caller, Origin } from '../http/call-input';
import { readUser } from '../users-store/accounts';
import { IS_KNOWN_NETWORK, KnownNetworks, knownSince } from './known-networks.repository';
import { LoginLimits } from './login-limits.policy';
import { Passwords } from './passwords.service';
import { RefusedCodes } from './refused-codes.service';
import { SecurityEvents } from './security-events.service';
import { SecurityMails } from '../mail/security-mails.service';
import { Sessions } from './sessions.service';
import { LoginHistory } from './login-history.service';
import { TwoFactor } from './two-factor.service';

interface LoginRow extends Pick<StoredUser, 'id' | 'password_hash'> {
  readonly is_deactivated: boolean;
  readonly has_two_factor: boolean;
  readonly is_known_network: boolean;
}

@Injectable()
export class AuthService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly limits: LoginLimits,
    private readonly networks: KnownNetworks,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly twoFactor: TwoFactor,
    private readonly signIns: LoginHistory,
    private readonly securityMails: SecurityMails,
    private readonly events: SecurityEvents,
    private readonly refusedCodes: RefusedCodes,
  ) {}

  async login(
    { username: email, password, otp }: z.output<typeof login>,
    origin: Origin,
  ): Promise<{ access_token: string; token_type: 'bearer' }> {
    const address = email.toLowerCase();
    const [account] = await this.db.tx('auth.find-account', async (tx) =>
      tx.query<LoginRow>(
        `select id, password_hash, deactivated_at is not null as is_deactivated, two_factor_at is not null as has_two_factor,
             ${IS_KNOWN_NETWORK} as is_known_network
           from users u where lower(email) = $1 and erased_at is null`,
        [address, origin.networks[0], knownSince(await this.clock.now(tx))],
      ),
    );
    const attempt = {
      email: address,
      accountId: account?.id,
      origin,
      isKnownNetwork: account?.is_known_network ?? false,
    };
    await this.limits.take(attempt);
    const right = await this.passwords.matches(password, account?.password_hash ?? null);
    if (!right || account === undefined) {
      this.events.record('password_wrong', { accountId: account?.id });
      throw new DomainError('CREDENTIALS_WRONG', ACCESS_MESSAGES.credentials_wrong);
    }
    // Only revealed to callers who know the password.
    if (account.is_deactivated) throw new DomainError('ACCOUNT_DEACTIVATED', CONNECTION_MESSAGES.deactivated);
    const code = otp ?? '';
    if (account.has_two_factor && code !== '') await this.limits.takeCode(account.id);
    const access_token = await this.db.tx('auth.login', (tx) => this.open(tx, account, { code, origin }));
    // Thrown outside the transaction, so that the refusal is recorded.
    if (access_token === null) {
      await this.refusedCodes.report(account.id);
      throw new DomainError('OTP_WRONG', ACCESS_MESSAGES.otp_wrong);
    }
    await this.limits.succeeded(attempt);
    if (account.has_two_factor) await this.limits.codeSucceeded(account.id);
    return { access_token, token_type: 'bearer' };
  }

  /** Opens a session and returns its token, or null if the second factor is wrong. */
  private async open(
    tx: Tx,
    { id: userId, password_hash: passwordHash }: LoginRow,
    { code, origin }: { code: string; origin: Origin },
  ): Promise<string | null> {
    const locked = await this.sessions.lockAccount(tx, { userId, passwordHash });
    // The password was changed while its hash was being compared.
    if (locked === null) throw new DomainError('CREDENTIALS_WRONG', ACCESS_MESSAGES.credentials_wrong);
    const at = await this.clock.now(tx);
    if (locked.has_two_factor && code === '') throw new DomainError('OTP_REQUIRED', ACCESS_MESSAGES.otp_required);
    const kind = locked.has_two_factor
      ? ((await this.twoFactor.use(tx, { userId, text: code, at })) ?? 'code_refused')
      : 'password';
    await this.signIns.record(tx, { userId, kind, origin, at });
    if (kind === 'code_refused') return null;
    if (kind === 'recovery_code') await this.notifyRecovery(tx, userId, at);
    await this.networks.remember(tx, { userId, origin, at });
    return this.sessions.open(tx, { userId, origin, gaveSecondFactor: locked.has_two_factor });
  }

  private async notifyRecovery(tx: Tx, userId: number, at: Instant): Promise<void> {
    const left = await this.twoFactor.recoveryCodesLeft(tx, userId);
    await this.securityMails.post(tx, { userId, template: 'recovery_code_used', facts: { left }, at });
  }

  async logout(caller: Caller): Promise<Sent> {
    await this.db.tx('auth.logout', (tx) => this.sessions.end(tx, { id: caller.credentialId, userId: caller.userId }));
    return toSent(ACCESS_MESSAGES.logged_out);
  }

  me(caller: Caller): Promise<User> {
    return this.db.tx('auth.me', (tx) => readUser(tx, caller.userId));
  }
}
