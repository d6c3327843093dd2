import { AUTH_CALLS, type User } from '@moorage/contracts';
import { MINUTE_MS } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { Authenticator } from '../http/authenticator';
import type { CallInput, Caller } from '../http/call-input';
import type { RateLimiter } from '../http/rate-limiter';
import { Serve } from '../http/serve';
import type { Mails } from '../mail/mails';
import { readUser } from '../users/accounts';
import { type Auth, createAuth } from './auth';
import { TokenAuthenticator } from './token-authenticator';
import { createKnownNetworks } from './login-pace';
import { Passwords } from './passwords';
import { Sessions } from './sessions';
import { UserTokens } from './user-tokens';

const AUTH = Symbol('auth');

@Controller()
export class AuthController {
  constructor(@Inject(AUTH) private readonly auth: Auth & { me(caller: Caller): Promise<User> }) {}

  @Serve(AUTH_CALLS.login)
  login({ body, origin }: CallInput<typeof AUTH_CALLS.login>) {
    return this.auth.login(body, origin);
  }

  @Serve(AUTH_CALLS.logout)
  logout({ caller }: CallInput<typeof AUTH_CALLS.logout>) {
    return this.auth.logout(caller);
  }

  @Serve(AUTH_CALLS.me)
  me({ caller }: CallInput<typeof AUTH_CALLS.me>) {
    return this.auth.me(caller);
  }

  @Serve(AUTH_CALLS.verifyEmail)
  verifyEmail({ query }: CallInput<typeof AUTH_CALLS.verifyEmail>) {
    return this.auth.verifyEmail(query.token);
  }

  @Serve(AUTH_CALLS.forgotPassword)
  forgotPassword({ body }: CallInput<typeof AUTH_CALLS.forgotPassword>) {
    return this.auth.forgotPassword(body.email);
  }

  @Serve(AUTH_CALLS.resetPassword)
  resetPassword({ body, origin }: CallInput<typeof AUTH_CALLS.resetPassword>) {
    return this.auth.resetPassword(body, origin);
  }
}

const CLEAN_EVERY_MS = 10 * MINUTE_MS;

export function createAuthFeature(
  deps: ApiDeps,
  { rateLimiter, mails }: { rateLimiter: RateLimiter; mails: Mails },
): Feature & {
  readonly authenticator: Authenticator;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly tokens: UserTokens;
} {
  const { db, clock, random, settings, log } = deps;
  const passwords = new Passwords(random, settings);
  const sessions = new Sessions(clock, random, settings);
  const tokens = new UserTokens(random);
  const networks = createKnownNetworks();
  const auth = createAuth(deps, { rateLimiter, networks, mails, passwords, sessions, tokens });
  const me = (caller: Caller): Promise<User> => db.tx('auth.me', (tx) => readUser(tx, caller.userId));

  async function clean(): Promise<void> {
    await rateLimiter.clean();
    await db.tx('auth.clean', async (tx) => networks.clean(tx, await clock.now(tx)));
  }

  return {
    authenticator: new TokenAuthenticator(db, clock, sessions, tokens, settings),
    passwords,
    sessions,
    tokens,
    controllers: [AuthController],
    providers: [{ provide: AUTH, useValue: { ...auth, me } }],
    start: () =>
      Promise.resolve(clock.every(CLEAN_EVERY_MS, clean, (error) => log.error('cleaning sessions failed', { error }))),
  };
}
