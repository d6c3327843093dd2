import type { Pace } from '../http/pace';

export interface LoginAttempt {
  /** In lower case. */
  readonly email: string;
  /** The network it comes from. */
  readonly prefix: string;
}

/**
 * The limits of logging in (S11). A network that tries one account is slowed down more and more; so is a network that tries
 * many. What many networks together try on one account is limited as well, but never in a way that locks its owner out:
 * networks the account was logged in from lately are not counted, and the first try of any network in a day always goes through.
 */
export function createLoginPace(pace: Pace) {
  const pair = ({ email, prefix }: LoginAttempt): string => `${email}|${prefix}`;
  return {
    async take(attempt: LoginAttempt): Promise<void> {
      await pace.take('login_address', attempt.prefix);
      await pace.take('login_pair', pair(attempt));
      if (await pace.knows(`network|${pair(attempt)}`)) return;
      if (!(await pace.knows(`tried|${pair(attempt)}`))) return pace.remember(`tried|${pair(attempt)}`, TRIED_S);
      await pace.take('login_account', attempt.email);
    },
    async succeeded(attempt: LoginAttempt): Promise<void> {
      await pace.forget('login_pair', pair(attempt));
      await pace.remember(`network|${pair(attempt)}`, KNOWN_NETWORK_S);
    },
  };
}

const DAY_S = 24 * 60 * 60;
const TRIED_S = DAY_S;
const KNOWN_NETWORK_S = 90 * DAY_S;
