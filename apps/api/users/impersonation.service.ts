import { type Sent, toSent, type Impersonation } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { DomainError, iso, refusalToImpersonate, USERS_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ImpersonationSessions } from '../auth/impersonation-sessions.service';
import type { Caller } from '../http/call-input';
import { NO_ACCOUNT, readUser } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';

/** Lets an administrator see the console as an account does, to help with what it shows (ADR 0028). */
@Injectable()
export class ImpersonationService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly sessions: ImpersonationSessions,
  ) {}

  begin(caller: Caller, userId: number, reason: string): Promise<Impersonation> {
    return this.db.tx('users.view-as', async (tx) => {
      // Locked, so that a concurrent deactivation or promotion waits and then ends this impersonation session.
      const which = { state: 'present', lock: 'for share' } as const;
      const row = await usersRepository.find(tx, userId, ['is_admin', 'deactivated_at'], which);
      if (row === null) throw NO_ACCOUNT;
      const refusal = refusalToImpersonate({
        isSelf: userId === caller.userId,
        isAdmin: row.is_admin,
        isDeactivated: row.deactivated_at !== null,
      });
      if (refusal !== null) throw new DomainError('ACCOUNT_STATE', refusal);
      const at = await this.clock.now(tx);
      const impersonator = { userId: caller.userId, sessionId: caller.credentialId };
      const { token, expiresAt } = await this.sessions.open(tx, { userId, impersonator, reason, at });
      const expires_at = iso(expiresAt);
      await auditLog.record(tx, {
        actor: caller.userId,
        action: 'account.viewed',
        subject: `user:${userId}`,
        facts: { reason, expires_at },
        at,
      });
      return { access_token: token, token_type: 'bearer', expires_at, user: await readUser(tx, userId) };
    });
  }

  /**
   * Ends the impersonation sessions of the account that the caller's session has started. Does nothing if none is
   * valid.
   */
  async end(caller: Caller, userId: number): Promise<Sent> {
    const name = await this.db.tx('users.end-view', async (tx) => {
      const row = await usersRepository.find(tx, userId, ['username'], { state: 'present' });
      if (row === null) throw NO_ACCOUNT;
      const at = await this.clock.now(tx);
      const ended = await this.sessions.end(tx, {
        userId,
        impersonatorId: caller.userId,
        sessionId: caller.credentialId,
        at,
      });
      if (ended > 0) {
        const subject = `user:${userId}`;
        await auditLog.record(tx, { actor: caller.userId, action: 'account.view_ended', subject, facts: {}, at });
      }
      return row.username;
    });
    return toSent(USERS_MESSAGES.view_ended({ name }));
  }
}
