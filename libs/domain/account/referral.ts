import { CREDITS_MESSAGES } from '../messages/credits';
import type { Message } from '../messages/message';
import { DAY_MS } from '../time';

/** What keeps the credits of a referral for a review by an administrator (decisions 12). */
export const REFERRAL_DOUBTS = ['referrer_network', 'used_network', 'monthly_cap'] as const;
export type ReferralDoubt = (typeof REFERRAL_DOUBTS)[number];

export const REFERRAL_TERMS = {
  /** A network that one referred account came from makes the next one doubtful for so long. */
  networkMs: 30 * DAY_MS,
  /** What one referrer gets without a review in a calendar month (UTC). */
  pairsPerMonthMax: 10,
} as const;

interface Referral {
  /** The new account signed up from a network that its referrer signed up or logged in from. */
  readonly isReferrersNetwork: boolean;
  /** Another referred account came from that network within `networkMs`. */
  readonly isUsedNetwork: boolean;
  /** Pairs that the referrer was granted in this calendar month. */
  readonly pairsThisMonth: number;
}

/** Why the pair of a referral is not granted at once; empty: it is. */
export function referralDoubts({ isReferrersNetwork, isUsedNetwork, pairsThisMonth }: Referral): ReferralDoubt[] {
  const stands: Readonly<Record<ReferralDoubt, boolean>> = {
    referrer_network: isReferrersNetwork,
    used_network: isUsedNetwork,
    monthly_cap: pairsThisMonth >= REFERRAL_TERMS.pairsPerMonthMax,
  };
  return REFERRAL_DOUBTS.filter((doubt) => stands[doubt]);
}

const DOUBT_MESSAGES: Readonly<Record<ReferralDoubt, Message>> = {
  referrer_network: CREDITS_MESSAGES.doubt_referrer_network,
  used_network: CREDITS_MESSAGES.doubt_used_network,
  monthly_cap: CREDITS_MESSAGES.doubt_monthly_cap({ count: REFERRAL_TERMS.pairsPerMonthMax }),
};

/** As administrators read it. */
export function doubtMessage(doubt: ReferralDoubt): Message {
  return DOUBT_MESSAGES[doubt];
}
