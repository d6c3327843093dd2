import { CREDITS_MESSAGES } from '../messages/credits';
import type { Message } from '../messages/message';
import { DAY_MS } from '../time';

/** Reasons for an administrator's review before the credits of a referral are granted (decision 12). */
export const REFERRAL_DOUBTS = ['referrer_network', 'used_network', 'monthly_cap'] as const;
export type ReferralDoubt = (typeof REFERRAL_DOUBTS)[number];

export const REFERRAL_TERMS = {
  /** Period for which a network used by a referred account raises a doubt about further referrals from it. */
  networkMs: 30 * DAY_MS,
  /** Number of referrals granted to a referrer without review per calendar month (UTC). */
  pairsPerMonthMax: 10,
} as const;

interface Referral {
  /** The new account signed up from a network that its referrer signed up or logged in from. */
  readonly isReferrersNetwork: boolean;
  /** Another referred account came from that network within `networkMs`. */
  readonly isUsedNetwork: boolean;
  /** Referrals already granted to the referrer this calendar month, each a pair of credits. */
  readonly pairsThisMonth: number;
}

/** Returns why the credits of a referral are held for review. The list is empty if they are granted at once. */
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

/** Returns the message that administrators see for a doubt. */
export function doubtMessage(doubt: ReferralDoubt): Message {
  return DOUBT_MESSAGES[doubt];
}
