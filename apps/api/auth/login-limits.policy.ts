import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';
import { isRateLimited, RateLimiter } from '../http/rate-limiter.service';
import { RefusedCodes } from './refused-codes.service';
import { SecurityEvents } from './security-events.service';

export interface LoginAttempt {
  /** Lower-case email address. */
  readonly email: string;
  /** Undefined if no account has this address. */
  readonly accountId: number | undefined;
  readonly origin: Origin;
  /** True if the account has logged in from this network before. */
  readonly isKnownNetwork: boolean;
}

/**
 * Rate limits of logging in (S11). A network that tries a single account is slowed down more and more, and so is a
 * network that tries many. The attempts of all networks on an account are limited together, including the first of
 * each. None of this can lock the owner out of a network from which the account has been logged in before, because such
 * a network has a budget of its own.
 */
@Injectable()
export class LoginLimits {
  constructor(
    private readonly rateLimiter: RateLimiter,
    private readonly events: SecurityEvents,
    private readonly refusedCodes: RefusedCodes,
  ) {}

  take(attempt: LoginAttempt): Promise<void> {
    return this.withOutcome(attempt.accountId, this.takeAttempt(attempt));
  }

  private async takeAttempt({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = (network: string): string => `${email}|${network}`;
    if (isKnownNetwork) return this.rateLimiter.take('login_known', pair(origin.networks[0]));
    await this.rateLimiter.takeFrom('login_address', origin.networks);
    await this.rateLimiter.takeFrom('login_pair', origin.networks, pair);
    await this.rateLimiter.take('login_account', email);
  }

  /** Counts an attempt to enter a code of the second factor. Login and account page share the limit. */
  async takeCode(userId: number): Promise<void> {
    const key = String(userId);
    await this.withOutcome(userId, this.rateLimiter.take('one_time_code', key));
    try {
      await this.withOutcome(userId, this.rateLimiter.take('one_time_code_day', key));
    } catch (error) {
      if (isRateLimited(error)) await this.refusedCodes.reportPause(userId);
      throw error;
    }
  }

  async codeSucceeded(userId: number): Promise<void> {
    await this.rateLimiter.forget('one_time_code', String(userId));
    await this.rateLimiter.forget('one_time_code_day', String(userId));
  }

  /** Counts an attempt to confirm the password in a session. */
  takeOwnPassword(userId: number): Promise<void> {
    return this.withOutcome(userId, this.rateLimiter.take('own_password', String(userId)));
  }

  ownPasswordSucceeded(userId: number): Promise<void> {
    return this.rateLimiter.forget('own_password', String(userId));
  }

  /**
   * Resets the count of this network, because its mistakes were the owner's, and returns the point used by the correct
   * password.
   */
  async succeeded({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = `${email}|${origin.networks[0]}`;
    await this.rateLimiter.forget(isKnownNetwork ? 'login_known' : 'login_pair', pair);
    if (!isKnownNetwork) await this.rateLimiter.giveBack('login_account', email);
  }

  private async withOutcome(accountId: number | undefined, taken: Promise<void>): Promise<void> {
    try {
      await taken;
    } catch (error) {
      if (isRateLimited(error)) this.events.record('login_limited', { accountId });
      throw error;
    }
  }
}
