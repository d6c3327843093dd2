import { type login, type Sent, toSent, type User } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Caller, Origin } from '../http/call-input';
import { readUser } from '../users/accounts';
import { IS_KNOWN_NETWORK, KnownNetworks, knownSince } from './known-networks';
import { LoginLimits } from './login-limits';
import { Passwords } from './passwords';
import { Sessions } from './sessions';

interface LoginRow {
  readonly id: number;
  readonly username: string;
  readonly password_hash: string;
  readonly is_deactivated: boolean;
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
  ) {}

  async login(
    { username: email, password }: z.output<typeof login>,
    origin: Origin,
  ): Promise<{ access_token: string; token_type: 'bearer' }> {
    const address = email.toLowerCase();
    const [account] = await this.db.tx('auth.find-account', async (tx) =>
      tx.query<LoginRow>(
        `select id, username, password_hash, deactivated_at is not null as is_deactivated,
             ${IS_KNOWN_NETWORK} as is_known_network
           from users u where lower(email) = $1 and erased_at is null`,
        [address, origin.networks[0], knownSince(await this.clock.now(tx))],
      ),
    );
    const attempt = { email: address, origin, isKnownNetwork: account?.is_known_network ?? false };
    await this.limits.take(attempt);
    const right = await this.passwords.matches(password, account?.password_hash ?? null);
    if (!right || account === undefined) throw new DomainError('CREDENTIALS_WRONG', ACCESS_MESSAGES.credentials_wrong);
    // said only to whoever knows the password
    if (account.is_deactivated) throw new DomainError('ACCOUNT_DEACTIVATED', ACCESS_MESSAGES.deactivated);
    const access_token = await this.db.tx('auth.login', async (tx) => {
      const { id: userId, password_hash: passwordHash } = account;
      const opened = await this.sessions.open(tx, { userId, passwordHash });
      // changed while we compared: it is the password no longer
      if (opened === null) throw new DomainError('CREDENTIALS_WRONG', ACCESS_MESSAGES.credentials_wrong);
      await this.networks.remember(tx, { userId, origin, at: await this.clock.now(tx) });
      return opened;
    });
    await this.limits.succeeded(attempt);
    return { access_token, token_type: 'bearer' };
  }

  async logout(caller: Caller): Promise<Sent> {
    await this.db.tx('auth.logout', (tx) => this.sessions.end(tx, { id: caller.credentialId, userId: caller.userId }));
    return toSent(ACCESS_MESSAGES.logged_out);
  }

  me(caller: Caller): Promise<User> {
    return this.db.tx('auth.me', (tx) => readUser(tx, caller.userId));
  }
}
