import { ACCESS_MESSAGES, DomainError, type Instant, MINUTE_MS } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Callers } from '../auth/callers.service';
import { signingKey, TOKEN_ISSUER } from '../auth/sessions.service';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';

/** Path of the board. The cookie is sent to no other path. */
export const BOARD_PATH = '/api/admin/queues';

/**
 * Names of the cookie. With TLS, browsers accept the prefixed name from a secure page only. `__Host-` would require the
 * path `/`, which would send the cookie with every request.
 */
const COOKIE = { https: '__Secure-moorage_queues', http: 'moorage_queues' } as const;
const AUDIENCE = 'queues';
const SESSION_MS = 10 * MINUTE_MS;

/**
 * Claims of the cookie's token. It does not use `sid` as a session does, because as a bearer it would be accepted as
 * the session. The board is read-only and checks the claims at each request.
 */
interface Claims {
  readonly sub: string;
  readonly session: string;
}

/**
 * Sessions of the board. A browser opens the board by navigation without a bearer, so a cookie identifies the
 * administrator for ten minutes.
 */
@Injectable()
export class QueueSessions {
  private readonly jwt: JwtService;
  private readonly isHttps: boolean;
  private readonly cookie: string;

  constructor(
    private readonly callers: Callers,
    private readonly clock: Clock,
    settings: ApiSettings,
  ) {
    this.isHttps = settings.publicUrl.startsWith('https:');
    this.cookie = COOKIE[this.isHttps ? 'https' : 'http'];
    const ours = { issuer: TOKEN_ISSUER, audience: AUDIENCE };
    this.jwt = new JwtService({
      secret: signingKey(settings),
      signOptions: { algorithm: 'HS256', ...ours },
      verifyOptions: { algorithms: ['HS256'], ...ours },
    });
  }

  /** Returns a `Set-Cookie` for the session of an administrator. */
  open({ userId, credentialId }: Caller): { cookie: string; expiresAt: Instant } {
    const now = Math.floor(this.clock.localNow() / 1000);
    const seconds = SESSION_MS / 1000;
    const claims: Claims & { iat: number; exp: number } = {
      sub: String(userId),
      session: credentialId,
      iat: now,
      exp: now + seconds,
    };
    const token = this.jwt.sign(claims);
    const attributes = ['HttpOnly', 'SameSite=Strict', `Path=${BOARD_PATH}`, `Max-Age=${seconds}`];
    if (this.isHttps) attributes.push('Secure');
    return { cookie: [`${this.cookie}=${token}`, ...attributes].join('; '), expiresAt: claims.exp * 1000 };
  }

  /**
   * Returns the caller as stored in the database at the time of this request. Throws UNAUTHENTICATED without a valid
   * cookie.
   */
  async callerOf(cookies: string | undefined): Promise<Caller> {
    const claims = this.claimsIn(cookies);
    const caller =
      claims === null ? null : await this.callers.ofSession({ id: claims.session, userId: Number(claims.sub) });
    if (caller === null) throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.queues_first);
    return caller;
  }

  private claimsIn(cookies = ''): Claims | null {
    const named = `${this.cookie}=`;
    const token = cookies
      .split(/; ?/)
      .find((cookie) => cookie.startsWith(named))
      ?.slice(named.length);
    if (token === undefined) return null;
    try {
      return this.jwt.verify<Claims & object>(token, { clockTimestamp: Math.floor(this.clock.localNow() / 1000) });
    } catch {
      return null;
    }
  }
}
