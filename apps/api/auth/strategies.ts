import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport, { Strategy } from 'passport';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';
import { Callers } from './callers';
import { signingKey, TOKEN_ISSUER, type TokenAudience, type TokenClaims } from './sessions';
import { API_TOKEN_PREFIX } from './user-tokens';
import type { ViewClaims } from './views';

/** The text after `Bearer` in the Authorization header, or null. */
export const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();

let registered = 0;

/**
 * passport finds a strategy by its name in one registry per process. A process may hold several apis (tests, the
 * simulation), each with a database of its own, so each strategy is registered under a name that no other has.
 */
const REGISTRY = {
  use(strategy: { name?: string }) {
    strategy.name = `${strategy.name ?? 'strategy'}-${++registered}`;
    passport.use(strategy as Strategy);
  },
};

/** The bearer of a session or a view: passport-jwt verifies the signature, the row of the session or the view decides. */
@Injectable()
export class SessionStrategy extends PassportStrategy(JwtStrategy) implements OnModuleDestroy {
  constructor(
    private readonly callers: Callers,
    private readonly clock: Clock,
    settings: ApiSettings,
  ) {
    super({
      jwtFromRequest: bearerOf,
      // from a text jsonwebtoken would try to read a public key first, at each request: a millisecond instead of a fiftieth
      // of one. passport-jwt hands on what it is given; its types do not know key objects
      secretOrKey: signingKey(settings) as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: ['session', 'view'] satisfies TokenAudience[],
      // by the clock that everything else goes by, below
      ignoreExpiration: true,
    });
  }

  override async validate(claims: TokenClaims | ViewClaims): Promise<Caller | null> {
    const userId = Number(claims.sub);
    if (!Number.isInteger(userId) || userId > ID_MAX || !(claims.exp * 1000 > this.clock.localNow())) return null;
    if (claims.aud !== ('vid' in claims ? 'view' : 'session')) return null;
    if ('vid' in claims) return typeof claims.vid === 'string' ? this.callers.ofView({ id: claims.vid, userId }) : null;
    if (typeof claims.sid !== 'string') return null;
    const caller = await this.callers.ofSession({ id: claims.sid, userId });
    // the console then says so, instead of asking for a login that would be refused
    if (caller === null && (await this.callers.isDeactivated(userId)))
      throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.deactivated);
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

/** passport's side of a personal API token: reads the bearer, asks `verify`. */
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

/** A personal API token (`mrg_...`): its row decides. */
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

/** What the id column holds. */
const ID_MAX = 2 ** 31 - 1;
