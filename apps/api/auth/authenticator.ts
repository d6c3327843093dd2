import { ACCESS_WORDS, DomainError } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import type { KeyObject } from 'node:crypto';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Authenticator, Bearing } from '../http/access.guard';
import type { Caller } from '../http/call-input';
import { type AccountRow, type Sessions, TOKEN_ISSUER, type TokenClaims } from './sessions';
import { API_TOKEN_PREFIX, type UserTokens } from './user-tokens';

export interface AuthenticatorOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly tokens: UserTokens;
  /** What session tokens are signed with (HS256). */
  readonly key: KeyObject;
}

/**
 * Who is it? passport-jwt reads and verifies the bearer; the row of its session, or of the personal API token, decides.
 * The strategy is run by itself: passport's registry is one per process, and two apis may live in one.
 */
export function createAuthenticator({ db, clock, sessions, tokens, key }: AuthenticatorOptions): Authenticator {
  const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();
  const strategy = new Strategy(
    {
      jwtFromRequest: bearerOf,
      // from a text jsonwebtoken would try to read a public key first, at each request: a millisecond instead of a fiftieth
      // of one. passport-jwt hands on what it is given; its types do not know key objects
      secretOrKey: key as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      // by the clock that everything else goes by, below
      ignoreExpiration: true,
    },
    (claims: TokenClaims, done) => {
      ofSession(claims).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error, false),
      );
    },
  );

  async function ofSession({ sub, sid, exp }: TokenClaims): Promise<Caller | null> {
    const userId = Number(sub);
    if (!Number.isInteger(userId) || userId > ID_MAX || typeof sid !== 'string' || !(exp * 1000 > clock.wall()))
      return null;
    const found = await db.look('auth.session', (reads) => sessions.accountOf(reads, { id: sid, userId }));
    if (found === null) return null;
    if (!found.isNoted) await db.tx('auth.session-used', (tx) => sessions.noteUse(tx, sid));
    return callerFrom(found.account, 'session', sid);
  }

  async function ofApiToken(token: string): Promise<Caller | null> {
    return db.look('auth.api-token', async (reads) => {
      const found = await tokens.findApiToken(reads, token);
      if (found === null) return null;
      const [account] = await reads.query<AccountRow>(
        'select id, username, email, is_admin, is_verified from users where id = $1 and deactivated_at is null',
        [found.user_id],
      );
      return account === undefined ? null : callerFrom(account, 'api_token', String(found.id));
    });
  }

  function ofJwt(request: Bearing): Promise<Caller | null> {
    return new Promise((resolve, reject) => {
      const attempt = Object.create(strategy) as Strategy;
      attempt.success = (caller: Caller) => resolve(caller);
      attempt.fail = () => resolve(null);
      attempt.error = (error: unknown) => reject(error instanceof Error ? error : new Error('the strategy failed'));
      // it reads nothing of the request but its headers
      attempt.authenticate(request as unknown as Parameters<Strategy['authenticate']>[0]);
    });
  }

  return {
    async callerOf(request) {
      const bearer = bearerOf(request);
      if (bearer === null) throw new DomainError('UNAUTHENTICATED', ACCESS_WORDS.login_first);
      const caller = bearer.startsWith(API_TOKEN_PREFIX) ? await ofApiToken(bearer) : await ofJwt(request);
      if (caller === null) throw new DomainError('UNAUTHENTICATED', ACCESS_WORDS.session_ended);
      return caller;
    },
  };
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
