import {
  type ApiTokenAnswer,
  type Sent,
  type SessionAnswer,
  type SignInRecord,
  TOKEN_DAYS_DEFAULT,
  toSent,
  type TokenScope,
} from '@moorage/contracts';
import { auditLog, type AuditAction } from '@moorage/database';
import { ACCESS_MESSAGES, CONSTANTS, DAY_MS, DomainError, iso, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import { sessionAnswer, Sessions } from '../auth/sessions.service';
import { LoginHistory } from '../auth/login-history.service';
import { type ApiTokenRow, UserTokens } from '../auth/user-tokens.service';
import { admitAdministrator } from '../auth/access.guard';
import type { Caller } from '../http/call-input';
import { OwnAccount } from './own-account.service';

export interface NewToken {
  readonly label: string;
  readonly scope: TokenScope;
  readonly expires_in_days?: number | null | undefined;
}

/** Credentials of the caller's own account: sessions and personal API tokens. */
@Injectable()
export class Credentials {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly own: OwnAccount,
    private readonly securityMails: SecurityMails,
    private readonly sessions: Sessions,
    private readonly signIns: LoginHistory,
    private readonly tokens: UserTokens,
  ) {}

  async listSessions({ userId, credentialId }: Caller): Promise<SessionAnswer[]> {
    const rows = await this.db.tx('account.sessions', (tx) => this.sessions.list(tx, userId));
    return rows.map((row) => ({ ...sessionAnswer(row), is_current: row.id === credentialId }));
  }

  async endSession(caller: Caller, number: number): Promise<Sent> {
    const { userId, credentialId } = caller;
    await this.db.tx('account.end-session', async (tx) => {
      const found = (await this.sessions.list(tx, userId)).find((row) => row.number === number);
      if (found === undefined) throw new DomainError('NOT_FOUND', OWN_ACCOUNT_MESSAGES.session_unknown);
      if (found.id === credentialId) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.session_this);
      await this.sessions.end(tx, { id: found.id, userId });
      await this.record(tx, caller, { action: 'account.sessions_ended' });
    });
    return toSent(OWN_ACCOUNT_MESSAGES.session_ended);
  }

  async endOtherSessions(caller: Caller): Promise<Sent> {
    const { userId, credentialId: exceptId } = caller;
    await this.db.tx('account.end-other-sessions', async (tx) => {
      await this.sessions.endOthers(tx, { userId, exceptId });
      await this.record(tx, caller, { action: 'account.sessions_ended' });
    });
    return toSent(OWN_ACCOUNT_MESSAGES.sessions_ended);
  }

  listSignIns({ userId }: Caller): Promise<SignInRecord[]> {
    return this.db.tx('account.sign-ins', (tx) => this.signIns.list(tx, userId));
  }

  async listApiTokens({ userId }: Caller): Promise<ApiTokenAnswer[]> {
    const rows = await this.db.tx('account.api-tokens', async (tx) =>
      this.tokens.apiTokens(tx, { userId, at: await this.clock.now(tx) }),
    );
    return rows.map(shown);
  }

  makeApiToken(
    caller: Caller,
    { label, scope, expires_in_days: days }: NewToken,
  ): Promise<ApiTokenAnswer & { token: string }> {
    // A token never has more rights than the session that creates it.
    if (scope === 'admin') admitAdministrator(caller);
    return this.db.tx('account.make-api-token', async (tx) => {
      // Checked under the lock, because a password reset in the meantime has ended this session and no token may
      // outlive it.
      const { is_admin: isAdmin } = await this.own.lock(tx, caller);
      if (scope === 'admin' && !isAdmin) throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.admin_only);
      const { userId } = caller;
      const at = await this.clock.now(tx);
      const most = CONSTANTS.apiTokensMax;
      if ((await this.tokens.apiTokens(tx, { userId, at })).length >= most)
        throw new DomainError('ACCOUNT_STATE', ACCESS_MESSAGES.tokens_most({ most }));
      const expiresAt = at + (days ?? TOKEN_DAYS_DEFAULT) * DAY_MS;
      const strength = { owner_was_admin: isAdmin, second_factor_at: caller.secondFactorAt };
      const created = await this.tokens.issueApiToken(tx, { userId, label, scope, expiresAt, strength, at });
      await this.securityMails.post(tx, {
        userId,
        template: 'api_token_made',
        facts: { label, writes: scope !== 'read', administers: scope === 'admin', ends_at: iso(expiresAt) },
        at,
      });
      await this.record(tx, caller, { action: 'account.api_token_created', facts: { token_id: created.id, scope } });
      return { ...shown(created), token: created.token };
    });
  }

  async revokeApiToken(caller: Caller, id: number): Promise<Sent> {
    await this.db.tx('account.revoke-api-token', async (tx) => {
      const at = await this.clock.now(tx);
      if (!(await this.tokens.revokeApiToken(tx, { id, userId: caller.userId, at })))
        throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.token_unknown);
      await this.record(tx, caller, { action: 'account.api_token_revoked', facts: { token_id: id } });
    });
    return toSent(ACCESS_MESSAGES.token_revoked);
  }

  private async record(
    tx: Tx,
    { userId }: Caller,
    { action, facts = {} }: { action: AuditAction; facts?: object },
  ): Promise<void> {
    const at = await this.clock.now(tx);
    await auditLog.record(tx, { actor: userId, action, subject: `user:${userId}`, facts, at });
  }
}

function shown({ id, label, scope, created_at, expires_at, last_used_at }: ApiTokenRow): ApiTokenAnswer {
  return {
    id,
    label: label ?? '',
    scope,
    created_at: iso(created_at),
    expires_at: expires_at === null ? null : iso(expires_at),
    last_used_at: last_used_at === null ? null : iso(last_used_at),
  };
}
