import { isIP } from 'node:net';
import type { Access, Call } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, isRecentlyAuthenticated, USERS_MESSAGES } from '@moorage/domain';
import { Clock, setActor } from '@moorage/server';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import type { Caller, Origin } from '../http/call-input';
import { isLimitName, LIMITS, type LimitName } from '../http/limits';
import { RateLimiter } from '../http/rate-limiter.service';
import { contextOf, type RequestContext } from '../http/request-context';
import { callOf } from '../http/route-call';
import { sameText } from '../http/same-text';
import { ApiSettings } from '../settings';
import { SecurityEvents } from './security-events.service';
import { bearerOf } from './strategies';

/**
 * Every request passes this guard, which admits only what the request's row in the table of calls allows. Passport
 * identifies the caller through the strategies of the auth module, and only where the row requires it.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly rateLimiter: RateLimiter,
    private readonly settings: ApiSettings,
    private readonly clock: Clock,
    private readonly events: SecurityEvents,
    strategies: AuthModuleOptions,
  ) {
    super(strategies);
  }

  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const call = callOf(request);
    // The route check at start-up rules this out. If it happens nevertheless, the request is refused.
    if (call === undefined) throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.nobody);
    const context = contextOf(request);
    this.checkClientKey(call, request);
    this.checkOrigin(call, request);
    await this.rateLimiter.takeFrom('general_address', context.origin.networks);
    if (NEEDS_CALLER[call.access]) {
      const caller = await this.callerOf(execution);
      await this.rateLimiter.take('general_account', String(caller.countedFor));
      this.admit(call, caller, context);
      this.checkRecent(call, caller);
      context.caller = caller;
      actFor(caller, context.origin);
    } else if (call.optionalAuth === true && bearerOf(request) !== null) {
      context.caller = await this.callerOf(execution).catch(visitor);
      if (context.caller !== undefined) {
        checkScope(call, context.caller);
        actFor(context.caller, context.origin);
      }
    }
    if (call.limit !== undefined && isLimitName(call.limit)) {
      await takeLimit(this.rateLimiter, call.limit, context);
    }
    return true;
  }

  /**
   * Handles the result of passport: rethrows the error of a failed strategy and refuses callers without a valid
   * credential with our own messages.
   */
  override handleRequest<C>(error: unknown, caller: C | false | undefined, _: unknown, execution: ExecutionContext): C {
    if (error) throw error instanceof Error ? error : new Error('authentication strategy failed', { cause: error });
    if (caller) return caller;
    const bearer = bearerOf(execution.switchToHttp().getRequest<FastifyRequest>());
    throw new DomainError(
      'UNAUTHENTICATED',
      bearer === null ? ACCESS_MESSAGES.login_first : ACCESS_MESSAGES.session_ended,
    );
  }

  private async callerOf(execution: ExecutionContext): Promise<Caller> {
    await super.canActivate(execution);
    return execution.switchToHttp().getRequest<{ user: Caller }>().user;
  }

  private admit(call: Call, caller: Caller, context: RequestContext): void {
    try {
      admit(call, caller);
    } catch (error) {
      if (call.access === 'admin') recordRefusal(this.events, { caller, call: `${call.method} ${call.path}`, context });
      throw error;
    }
  }

  /** Throws when a sensitive call is made by a session that has not authenticated recently. */
  private checkRecent({ recent_authentication: needed }: Call, caller: Caller): void {
    if (needed === undefined || (needed === 'administrators' && !caller.isAdmin)) return;
    const { authenticatedAt, hasSecondFactor: accountHasSecondFactor, secondFactorAt } = caller;
    if (authenticatedAt === null) throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.token_weak);
    const session = { authenticatedAt, accountHasSecondFactor, gaveSecondFactor: secondFactorAt !== null };
    if (!isRecentlyAuthenticated(session, this.clock.localNow())) throw reauthenticationRequired();
  }

  private checkClientKey(call: Call, request: FastifyRequest): void {
    const { clientKeys } = this.settings;
    if (clientKeys.length === 0 || call.access === 'webhook' || call.without_client_key === true) return;
    const given = request.headers['x-api-key'];
    if (typeof given === 'string' && clientKeys.some((key) => sameText(key, given))) return;
    throw new DomainError('CLIENT_KEY_WRONG', ACCESS_MESSAGES.client_key_wrong);
  }

  /**
   * Browsers post a form from any page without a preflight, whereas JSON and bearers need one, which is refused. A form
   * that our own pages send by script (login) is therefore accepted from no other origin, so that a foreign page cannot
   * use its visitors to guess passwords (S24). Programs send no Origin. A page opened by navigation (test checkout)
   * posts the Origin `null`, and its address is the secret.
   */
  private checkOrigin(call: Call, request: FastifyRequest): void {
    const { origin, host } = request.headers;
    if (call.form !== true || call.without_client_key === true || origin === undefined) return;
    const { publicUrl, mode } = this.settings;
    if (isOurs(origin, { publicUrl, host: mode === 'demo' ? host : undefined })) return;
    throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.origin_strange);
  }
}

/** Records the actions of the request with this credential and device. */
function actFor({ userId, via, credentialId }: Caller, { ip, userAgent }: Origin): void {
  setActor({ userId, via, credentialId, ip, userAgent });
}

/** Treats a caller without a valid credential as a visitor. */
function visitor(error: unknown): undefined {
  if (error instanceof DomainError) return undefined;
  throw error;
}

/**
 * Returns true if the origin is a page of this installation: at its public address or, in a demo, at the address the
 * request was sent to. A host name does not count there because an attacker's name can be pointed here (DNS rebinding),
 * an address cannot.
 */
function isOurs(origin: string, { publicUrl, host }: { publicUrl: string; host: string | undefined }): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.origin === new URL(publicUrl).origin) return true;
  const isAddress = page.hostname === 'localhost' || isIP(page.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress && page.host === host;
}

const NEEDS_CALLER: Readonly<Record<Access, boolean>> = {
  public: false,
  webhook: false,
  user: true,
  verified: true,
  admin: true,
};

/** Throws when the row does not admit this caller. */
function admit(call: Call, caller: Caller): void {
  if (call.session_only === true && caller.via === 'api_token') {
    throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.token_weak);
  }
  checkScope(call, caller);
  if (call.access === 'admin') admitAdministrator(caller);
  if (caller.via === 'view' && (call.session_only === true || call.hiddenFromImpersonation === true)) {
    throw new DomainError('FORBIDDEN', USERS_MESSAGES.view_private);
  }
  if (call.access === 'verified' && !caller.isVerified) {
    throw new DomainError('EMAIL_NOT_VERIFIED', ACCESS_MESSAGES.email_unverified);
  }
}

/** Records that an administrator's call was refused. During impersonation, the refusal counts for the administrator. */
export function recordRefusal(
  events: SecurityEvents,
  { caller, call, context }: { caller: Caller; call: string; context: RequestContext },
): void {
  events.record(
    'administrator_refused',
    { accountId: caller.countedFor, credentialId: caller.credentialId, call },
    context,
  );
}

/** Throws when this caller does not administer the installation. */
export function admitAdministrator({ administratorRights: rights }: Caller): void {
  switch (rights) {
    case 'granted':
      return;
    case 'no_administrator':
      throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.admin_only);
    case 'scope_missing':
      throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.token_no_admin);
    case 'second_factor_off':
      throw new DomainError('TWO_FACTOR_REQUIRED', ACCESS_MESSAGES.two_factor_first);
    case 'second_factor_not_given':
      throw reauthenticationRequired();
  }
}

function reauthenticationRequired(): DomainError {
  return new DomainError('REAUTHENTICATION_REQUIRED', ACCESS_MESSAGES.reauthenticate);
}

function checkScope(call: Call, { via, scope }: Caller): void {
  const isReading = call.method === 'GET' && call.hasSideEffects !== true;
  if (scope !== 'read' || isReading) return;
  throw new DomainError('FORBIDDEN', via === 'view' ? USERS_MESSAGES.view_reads : ACCESS_MESSAGES.token_reads);
}

async function takeLimit(limiter: RateLimiter, name: LimitName, { origin, caller }: RequestContext): Promise<void> {
  switch (LIMITS[name].by) {
    case 'account':
      return caller === undefined
        ? limiter.takeFrom(name, origin.networks)
        : limiter.take(name, String(caller.countedFor));
    case 'address':
      return limiter.takeFrom(name, origin.networks);
    // The feature counts these itself because it knows what was refused.
    case 'key':
      return;
  }
}
