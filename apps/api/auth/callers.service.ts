import { administratorRights, type CredentialStrength } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { type AccountRow, Sessions } from './sessions.service';
import { TokenNetworks } from './token-networks.repository';
import { UserTokens } from './user-tokens.service';
import { ImpersonationSessions } from './impersonation-sessions.service';

type Credential = Pick<Caller, 'via' | 'credentialId' | 'scope' | 'authenticatedAt' | 'secondFactorAt'>;

/**
 * Finds the account a credential belongs to, as stored at this moment. Returns null if the credential has ended or
 * never existed.
 */
@Injectable()
export class Callers {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
    private readonly networks: TokenNetworks,
    private readonly impersonations: ImpersonationSessions,
  ) {}

  /** Returns the caller of a session and records that the session was used. */
  async ofSession({ id, userId }: { id: string; userId: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.session', (reads) => this.sessions.accountOf(reads, { id, userId }));
    if (found === null) return null;
    if (!found.isNoted) await this.db.tx('auth.session-used', (tx) => this.sessions.noteUse(tx, { id, userId }));
    const { authenticated_at: authenticatedAt, second_factor_at: secondFactorAt } = found.strength;
    return this.callerFrom(found.account, {
      credential: { via: 'session', credentialId: id, scope: 'write', authenticatedAt, secondFactorAt },
      apiToken: null,
    });
  }

  /** Returns true if the account is deactivated, which explains why none of its sessions is valid. */
  async isDeactivated(userId: number): Promise<boolean> {
    const account = await this.db.read('auth.deactivated', (reads) =>
      usersRepository.find(reads, userId, ['deactivated_at']),
    );
    return account !== null && account.deactivated_at !== null;
  }

  /** Returns the caller of a personal API token (`mrg_...`). */
  async ofApiToken(token: string): Promise<Caller | null> {
    return this.ofTokenRow({ token });
  }

  /**
   * Returns the account that an administrator impersonates. This does not count as use of the administrator's session.
   */
  async ofImpersonation({ id, userId }: { id: string; userId: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.view', (reads) => this.impersonations.accountOf(reads, { id, userId }));
    if (found === null) return null;
    const caller = this.callerFrom(found.account, {
      credential: { via: 'view', credentialId: id, scope: 'read', authenticatedAt: null, secondFactorAt: null },
      apiToken: null,
    });
    return { ...caller, countedFor: found.impersonatorId };
  }

  /** Reads the same caller again. */
  async again({ userId, via, credentialId }: Caller): Promise<Caller | null> {
    switch (via) {
      case 'session':
        return this.ofSession({ id: credentialId, userId });
      case 'view':
        return this.ofImpersonation({ id: credentialId, userId });
      case 'api_token':
        return this.ofTokenRow({ id: Number(credentialId) });
    }
  }

  private async ofTokenRow(by: { token: string } | { id: number }): Promise<Caller | null> {
    const now = this.clock.localNow();
    const found = await this.db.read('auth.api-token', (reads) => this.tokens.accountOfApiToken(reads, by, now));
    if (found === null) return null;
    const { id, scope, strength, isNoted, networks, account } = found;
    await this.networks.note({ id, userId: account.id, known: networks });
    if (!isNoted)
      await this.db.tx('auth.api-token-used', (tx) => this.tokens.noteUse(tx, { id, userId: account.id, now }));
    const { owner_was_admin: ownerWasAdministrator, second_factor_at: secondFactorAt } = strength;
    return this.callerFrom(account, {
      credential: { via: 'api_token', credentialId: String(id), scope, authenticatedAt: null, secondFactorAt },
      apiToken: { scope, ownerWasAdministrator },
    });
  }

  private callerFrom(
    account: AccountRow,
    { credential, apiToken }: { credential: Credential; apiToken: CredentialStrength['apiToken'] },
  ): Caller {
    const rights = administratorRights({
      isAdministrator: account.is_admin,
      accountHasSecondFactor: account.has_two_factor,
      installationNeedsSecondFactor: this.settings.adminsNeedTwoFactor,
      gaveSecondFactor: credential.secondFactorAt !== null,
      apiToken,
    });
    return {
      userId: account.id,
      username: account.username,
      email: account.email,
      isAdmin: rights === 'granted',
      administratorRights: rights,
      hasSecondFactor: account.has_two_factor,
      isVerified: account.is_verified,
      countedFor: account.id,
      ...credential,
    };
  }
}
