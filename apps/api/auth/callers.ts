import type { TokenScope } from '@moorage/contracts';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';
import { type AccountRow, Sessions } from './sessions';
import { UserTokens } from './user-tokens';
import { Views } from './views';

/** Who a credential stands for, as the database says at this moment; null: it has ended, or was never made. */
@Injectable()
export class Callers {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
    private readonly views: Views,
  ) {}

  /** The caller of a session; its use is recorded. */
  async ofSession({ id, userId }: { id: string; userId: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.session', (reads) => this.sessions.accountOf(reads, { id, userId }));
    if (found === null) return null;
    if (!found.isNoted) await this.db.tx('auth.session-used', (tx) => this.sessions.noteUse(tx, { id, userId }));
    return this.callerFrom(found.account, { via: 'session', credentialId: id, scope: 'write' });
  }

  /** Why none of an account's sessions is in force. */
  async isDeactivated(userId: number): Promise<boolean> {
    const [account] = await this.db.read('auth.deactivated', (reads) =>
      reads.query<{ is_deactivated: boolean }>(
        'select deactivated_at is not null as is_deactivated from users where id = $1',
        [userId],
      ),
    );
    return account?.is_deactivated === true;
  }

  /** The caller of a personal API token (`mrg_...`). */
  async ofApiToken(token: string): Promise<Caller | null> {
    return this.ofTokenRow({ token });
  }

  /** The account that an administrator sees by a view. Looking is no use of the administrator's session. */
  async ofView({ id, userId }: { id: string; userId: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.view', (reads) => this.views.accountOf(reads, { id, userId }));
    if (found === null) return null;
    const caller = this.callerFrom(found.account, { via: 'view', credentialId: id, scope: 'read' });
    return { ...caller, countedFor: found.viewerId };
  }

  /** The same caller looked up again. */
  async again({ userId, via, credentialId }: Caller): Promise<Caller | null> {
    switch (via) {
      case 'session':
        return this.ofSession({ id: credentialId, userId });
      case 'view':
        return this.ofView({ id: credentialId, userId });
      case 'api_token':
        return this.ofTokenRow({ id: Number(credentialId) });
    }
  }

  private async ofTokenRow(by: { token: string } | { id: number }): Promise<Caller | null> {
    const now = this.clock.localNow();
    const found = await this.db.read('auth.api-token', (reads) => this.tokens.accountOfApiToken(reads, by, now));
    if (found === null) return null;
    const { id, scope, isNoted, account } = found;
    if (!isNoted)
      await this.db.tx('auth.api-token-used', (tx) => this.tokens.noteUse(tx, { id, userId: account.id, now }));
    return this.callerFrom(account, { via: 'api_token', credentialId: String(id), scope });
  }

  private callerFrom(
    account: AccountRow,
    credential: { via: Caller['via']; credentialId: string; scope: TokenScope },
  ): Caller {
    const lacksTwoFactor = account.is_admin && this.settings.adminsNeedTwoFactor && !account.has_two_factor;
    return {
      userId: account.id,
      username: account.username,
      email: account.email,
      isAdmin: account.is_admin && !lacksTwoFactor,
      lacksTwoFactor,
      isVerified: account.is_verified,
      countedFor: account.id,
      ...credential,
    };
  }
}
