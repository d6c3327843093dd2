import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';
import { RateLimiter } from '../http/rate-limiter';

export interface LoginAttempt {
  /** In lower case. */
  readonly email: string;
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
  constructor(private readonly rateLimiter: RateLimiter) {}

  async take({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = (network: string): string => `${email}|${network}`;
    if (isKnownNetwork) return this.rateLimiter.take('login_known', pair(origin.networks[0]));
    await this.rateLimiter.takeFrom('login_address', origin.networks);
    await this.rateLimiter.takeFrom('login_pair', origin.networks, pair);
    await this.rateLimiter.take('login_account', email);
  }

  /** A code of the second factor; login and account page share the limit. */
  takeCode(userId: number): Promise<void> {
    return this.rateLimiter.take('one_time_code', String(userId));
  }

  codeSucceeded(userId: number): Promise<void> {
    return this.rateLimiter.forget('one_time_code', String(userId));
  }

  /** The mistakes in this network were the owner's, and what the right password took is no guess. */
  async succeeded({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
    const pair = `${email}|${origin.networks[0]}`;
    await this.rateLimiter.forget(isKnownNetwork ? 'login_known' : 'login_pair', pair);
    if (!isKnownNetwork) await this.rateLimiter.giveBack('login_account', email);
  }
}
