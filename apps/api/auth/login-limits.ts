import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';
import { isRateLimited, RateLimiter } from '../http/rate-limiter';
import { RefusedCodes } from './refused-codes';
import { SecurityEvents } from './security-events';

export interface LoginAttempt {
  /** In lower case. */
  readonly email: string;
  /** Undefined: no account has this address. */
  readonly accountId: number | undefined;
  readonly origin: Origin;
  /** The account has logged in from this very network before. */
  readonly isKnownNetwork: boolean;
}

/**
 * The limits of logging in (S11). A network that tries one account is slowed down more and more; so is a network that tries
 * many; and what all networks together try on one account has an end, the first try of each included. None of it can lock
 * the owner out where the account has been logged in from before: such a network has a budget of its own.
 */
@Injectable()
export class LoginLimits {
  constructor(
    private readonly rateLimiter: RateLimiter,
    private readonly events: SecurityEvents,
    private readonly refusedCodes: RefusedCodes,
  ) {}

  take(attempt: LoginAttempt): Promise<void> {
    return this.reported(attempt.accountId, this.takeAttempt(attempt));
  }

  private async takeAttempt({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = (network: string): string => `${email}|${network}`;
    if (isKnownNetwork) return this.rateLimiter.take('login_known', pair(origin.networks[0]));
    await this.rateLimiter.takeFrom('login_address', origin.networks);
    await this.rateLimiter.takeFrom('login_pair', origin.networks, pair);
    await this.rateLimiter.take('login_account', email);
  }

  /** Takes one code of the second factor; login and account page share the limit. */
  async takeCode(userId: number): Promise<void> {
    const key = String(userId);
    await this.reported(userId, this.rateLimiter.take('one_time_code', key));
    try {
      await this.reported(userId, this.rateLimiter.take('one_time_code_day', key));
    } catch (error) {
      if (isRateLimited(error)) await this.refusedCodes.reportPause(userId);
      throw error;
    }
  }

  async codeSucceeded(userId: number): Promise<void> {
    await this.rateLimiter.forget('one_time_code', String(userId));
    await this.rateLimiter.forget('one_time_code_day', String(userId));
  }

  /** Takes one confirmation of the password by a session. */
  takeOwnPassword(userId: number): Promise<void> {
    return this.reported(userId, this.rateLimiter.take('own_password', String(userId)));
  }

  ownPasswordSucceeded(userId: number): Promise<void> {
    return this.rateLimiter.forget('own_password', String(userId));
  }

  /** The mistakes in this network were the owner's, and what the right password took is no guess. */
  async succeeded({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = `${email}|${origin.networks[0]}`;
    await this.rateLimiter.forget(isKnownNetwork ? 'login_known' : 'login_pair', pair);
    if (!isKnownNetwork) await this.rateLimiter.giveBack('login_account', email);
  }

  private async reported(accountId: number | undefined, taken: Promise<void>): Promise<void> {
    try {
      await taken;
    } catch (error) {
      if (isRateLimited(error)) this.events.record('login_limited', { accountId });
      throw error;
    }
  }
}
