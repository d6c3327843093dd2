import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { type AccountRow, Sessions } from './sessions';
import { UserTokens } from './user-tokens';

/** Who a credential stands for, as the database says at this moment; null: it has ended, or was never made. */
@Injectable()
export class Callers {
  constructor(
    private readonly db: Db,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
  ) {}

  /** The caller of a session; its use is recorded. */
  async ofSession({ id, userId }: { id: string; userId: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.session', (reads) => this.sessions.accountOf(reads, { id, userId }));
    if (found === null) return null;
    if (!found.isNoted) await this.db.tx('auth.session-used', (tx) => this.sessions.noteUse(tx, { id, userId }));
    return callerFrom(found.account, 'session', id);
  }

  /** The caller of a personal API token (`mrg_...`). */
  async ofApiToken(token: string): Promise<Caller | null> {
    return this.ofTokenRow({ token });
  }

  /** The same caller looked up again. */
  async again({ userId, via, credentialId }: Caller): Promise<Caller | null> {
    return via === 'session'
      ? this.ofSession({ id: credentialId, userId })
      : this.ofTokenRow({ id: Number(credentialId) });
  }

  private async ofTokenRow(by: { token: string } | { id: number }): Promise<Caller | null> {
    const found = await this.db.read('auth.api-token', (reads) => this.tokens.accountOfApiToken(reads, by));
    return found === null ? null : callerFrom(found.account, 'api_token', String(found.id));
  }
}

function callerFrom(account: AccountRow, via: Caller['via'], credentialId: string): Caller {
  return {
    userId: account.id,
    username: account.username,
    email: account.email,
    isAdmin: account.is_admin,
    isVerified: account.is_verified,
    via,
    credentialId,
  };
}
