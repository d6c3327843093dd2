import { ACCESS_WORDS, DomainError } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Authenticator, Bearing } from '../http/authenticator';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';
import { type AccountRow, Sessions, signingKey, TOKEN_ISSUER, type TokenClaims } from './sessions';
import { API_TOKEN_PREFIX, UserTokens } from './user-tokens';

/**
 * passport-jwt reads and verifies the bearer; the row of its session, or of the personal API token, decides. The strategy
 * runs without passport's registry, which is one per process: a process may hold two apis.
 */
@Injectable()
export class TokenAuthenticator implements Authenticator {
  private readonly bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();
  private readonly strategy: Strategy;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
    settings: ApiSettings,
  ) {
    this.strategy = new Strategy(
      {
        jwtFromRequest: this.bearerOf,
        // from a text jsonwebtoken would try to read a public key first, at each request: a millisecond instead of a fiftieth
        // of one. passport-jwt hands on what it is given; its types do not know key objects
        secretOrKey: signingKey(settings) as unknown as Buffer,
        algorithms: ['HS256'],
        issuer: TOKEN_ISSUER,
        // by the clock that everything else goes by, below
        ignoreExpiration: true,
      },
      (claims: TokenClaims, done) => {
        this.ofSession(claims).then(
          (caller) => done(null, caller ?? false),
          (error: unknown) => done(error, false),
        );
      },
    );
  }

  async callerOf(request: Bearing): Promise<Caller> {
    const bearer = this.bearerOf(request);
    if (bearer === null) throw new DomainError('UNAUTHENTICATED', ACCESS_WORDS.login_first);
    const caller = bearer.startsWith(API_TOKEN_PREFIX) ? await this.ofApiToken(bearer) : await this.ofJwt(request);
    if (caller === null) throw new DomainError('UNAUTHENTICATED', ACCESS_WORDS.session_ended);
    return caller;
  }

  private async ofSession({ sub, sid, exp }: TokenClaims): Promise<Caller | null> {
    const userId = Number(sub);
    if (!Number.isInteger(userId) || userId > ID_MAX || typeof sid !== 'string' || !(exp * 1000 > this.clock.wall()))
      return null;
    const found = await this.db.look('auth.session', (reads) => this.sessions.accountOf(reads, { id: sid, userId }));
    if (found === null) return null;
    if (!found.isNoted) await this.db.tx('auth.session-used', (tx) => this.sessions.noteUse(tx, sid));
    return callerFrom(found.account, 'session', sid);
  }

  private async ofApiToken(token: string): Promise<Caller | null> {
    return this.db.look('auth.api-token', async (reads) => {
      const found = await this.tokens.findApiToken(reads, token);
      if (found === null) return null;
      const [account] = await reads.query<AccountRow>(
        'select id, username, email, is_admin, is_verified from users where id = $1 and deactivated_at is null',
        [found.user_id],
      );
      return account === undefined ? null : callerFrom(account, 'api_token', String(found.id));
    });
  }

  private ofJwt(request: Bearing): Promise<Caller | null> {
    return new Promise((resolve, reject) => {
      const attempt = Object.create(this.strategy) as Strategy;
      attempt.success = (caller: Caller) => resolve(caller);
      attempt.fail = () => resolve(null);
      attempt.error = (error: unknown) => reject(error instanceof Error ? error : new Error('the strategy failed'));
      // it reads nothing of the request but its headers
      attempt.authenticate(request as unknown as Parameters<Strategy['authenticate']>[0]);
    });
  }
}

/** What the id column holds. */
const ID_MAX = 2 ** 31 - 1;

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
