import { ImpersonationSession } from '@moorage/database';
import { CONSTANTS, type Instant } from '@moorage/domain';
import { Clock, iso, prepared, Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { JwtService } from '@nestjs/jwt';
import { ApiSettings } from '../settings';
import { type AccountRow, SESSION_IDLE_MS_MAX, type TokenAudience, tokenSigner } from './sessions.service';

/** Claims of an impersonation token, with `vid` in place of a session's `sid`. */
export interface ImpersonationClaims {
  readonly sub: string;
  readonly vid: string;
  readonly exp: number;
  readonly aud: TokenAudience;
}

interface NewImpersonation {
  /** Id of the impersonated account. */
  readonly userId: number;
  readonly impersonator: { readonly userId: number; readonly sessionId: string };
  readonly reason: string;
  readonly at: Instant;
}

/**
 * Impersonation sessions, in which administrators see the console as another user. As with sessions, the row decides at
 * each call.
 */
@Injectable()
export class ImpersonationSessions {
  private readonly jwt: JwtService;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly settings: ApiSettings,
  ) {
    this.jwt = tokenSigner(settings, 'view');
  }

  /**
   * Opens an impersonation session and returns its token. The caller has decided under the lock of the account's row
   * whether it may be impersonated.
   */
  async open(
    tx: Tx,
    { userId, impersonator, reason, at }: NewImpersonation,
  ): Promise<{ token: string; expiresAt: Instant }> {
    const id = this.random.text(32);
    const expiresAt = at + CONSTANTS.impersonationMs;
    await tx.repository(ImpersonationSession).insert({
      id,
      user_id: userId,
      viewer_user_id: impersonator.userId,
      viewer_session_id: impersonator.sessionId,
      reason,
      started_at: at,
      expires_at: expiresAt,
    });
    const claims: Omit<ImpersonationClaims, 'aud'> & { iat: number } = {
      sub: String(userId),
      vid: id,
      iat: Math.floor(at / 1000),
      // Whole seconds, rounded up because the row ends it to the millisecond.
      exp: Math.ceil(expiresAt / 1000),
    };
    return { token: this.jwt.sign(claims), expiresAt };
  }

  /**
   * Ends the impersonation sessions of an account that this session has started. Resolves with the number of sessions
   * that were still valid.
   */
  async end(
    tx: Tx,
    {
      userId,
      impersonatorId,
      sessionId,
      at,
    }: { userId: number; impersonatorId: number; sessionId: string; at: Instant },
  ): Promise<number> {
    return tx.execute(
      `update account_views set ended_at = $3
       where viewer_user_id = $1 and user_id = $2 and viewer_session_id = $4 and ended_at is null and expires_at > $3`,
      [impersonatorId, userId, iso(at), sessionId],
    );
  }

  /**
   * Returns the impersonated account of a valid impersonation session and the administrator, or null if it has ended.
   */
  async accountOf(
    reads: Reads,
    { id, userId }: { id: string; userId: number },
  ): Promise<{ account: AccountRow; impersonatorId: number } | null> {
    const now = this.clock.localNow();
    const [row] = await reads.query<AccountRow & { viewer_user_id: number }>(IN_FORCE, [
      id,
      userId,
      iso(now),
      iso(now - SESSION_IDLE_MS_MAX),
      this.settings.adminsNeedTwoFactor,
    ]);
    if (row === undefined) return null;
    const { viewer_user_id: impersonatorId, ...account } = row;
    return { account, impersonatorId };
  }
}

/**
 * An impersonation session is valid as long as the administrator could open it again: with the administrator role, by
 * the same session, and for an account that may be impersonated.
 */
const IN_FORCE = prepared(`
select u.id, u.username, u.email, u.is_admin, u.is_verified, u.two_factor_at is not null as has_two_factor,
  v.viewer_user_id
from account_views v
join users u on u.id = v.user_id
join users viewer on viewer.id = v.viewer_user_id
join sessions s on s.id = v.viewer_session_id
where v.id = $1 and v.user_id = $2 and v.ended_at is null and v.expires_at > $3
  and not u.is_admin and u.deactivated_at is null and u.erased_at is null
  and viewer.is_admin and viewer.deactivated_at is null and (s.second_factor_at is not null or (viewer.two_factor_at is null and not $5::boolean))
  and s.ended_at is null and s.expires_at > $3 and s.last_used_at > $4`);
