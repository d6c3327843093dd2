import { CONNECTION_MESSAGES, DomainError } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport, { Strategy } from 'passport';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';
import { Callers } from './callers.service';
import { signingKey, TOKEN_ISSUER, type TokenAudience, type TokenClaims } from './sessions.service';
import { API_TOKEN_PREFIX } from './user-tokens.service';
import type { ImpersonationClaims } from './impersonation-sessions.service';

/** Returns the text after `Bearer` in the Authorization header, or null. */
export const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();

let registered = 0;

/**
 * Passport finds a strategy by its name in a single registry per process. A process may contain several apis (tests,
 * the simulation), each with its own database, so each strategy is registered under a unique name.
 */
const REGISTRY = {
  use(strategy: { name?: string }) {
    strategy.name = `${strategy.name ?? 'strategy'}-${++registered}`;
    passport.use(strategy as Strategy);
  },
};

/**
 * Authenticates the bearer of a session or an impersonation session. passport-jwt verifies the signature, and the row
 * of the session decides.
 */
@Injectable()
export class SessionStrategy extends PassportStrategy(JwtStrategy) implements OnModuleDestroy {
  constructor(
    private readonly callers: Callers,
    private readonly clock: Clock,
    settings: ApiSettings,
  ) {
    super({
      jwtFromRequest: bearerOf,
      // Given a text, jsonwebtoken first tries to read a public key at each request, which takes 1 ms instead of 0.02
      // ms. passport-jwt passes the key on unchanged, but its types do not include key objects.
      secretOrKey: signingKey(settings) as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: ['session', 'view'] satisfies TokenAudience[],
      // Checked below, by the clock that everything else uses.
      ignoreExpiration: true,
    });
  }

  override async validate(claims: TokenClaims | ImpersonationClaims): Promise<Caller | null> {
    const userId = Number(claims.sub);
    if (!Number.isInteger(userId) || userId > ID_MAX || !(claims.exp * 1000 > this.clock.localNow())) return null;
    if (claims.aud !== ('vid' in claims ? 'view' : 'session')) return null;
    if ('vid' in claims)
      return typeof claims.vid === 'string' ? this.callers.ofImpersonation({ id: claims.vid, userId }) : null;
    if (typeof claims.sid !== 'string') return null;
    const caller = await this.callers.ofSession({ id: claims.sid, userId });
    // The console can then show this instead of a login that would be refused.
    if (caller === null && (await this.callers.isDeactivated(userId)))
      throw new DomainError('UNAUTHENTICATED', CONNECTION_MESSAGES.deactivated);
    return caller;
  }

  getPassportInstance() {
    return REGISTRY;
  }

  onModuleDestroy(): void {
    if (this.name !== undefined) passport.unuse(this.name);
  }
}

type Verify = (token: string, done: (error: unknown, caller?: Caller | null) => void) => void;

/** Reads the bearer of a personal API token for passport and calls `verify`. */
class ApiTokenBearer extends Strategy {
  override name = 'api-token';

  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate(request: Parameters<Strategy['authenticate']>[0]): void {
    const token = bearerOf(request);
    if (token === null || !token.startsWith(API_TOKEN_PREFIX)) return this.fail();
    this.verify(token, (error, caller) => {
      if (error !== null) this.error(error);
      else if (caller == null) this.fail();
      else this.success(caller);
    });
  }
}

/** Authenticates a personal API token (`mrg_...`). Its row decides. */
@Injectable()
export class ApiTokenStrategy extends PassportStrategy(ApiTokenBearer) implements OnModuleDestroy {
  constructor(private readonly callers: Callers) {
    super();
  }

  override validate(token: string): Promise<Caller | null> {
    return this.callers.ofApiToken(token);
  }

  getPassportInstance() {
    return REGISTRY;
  }

  onModuleDestroy(): void {
    passport.unuse(this.name);
  }
}

/** Largest value of the id column. */
const ID_MAX = 2 ** 31 - 1;
