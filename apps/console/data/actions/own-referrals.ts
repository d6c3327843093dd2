import { action } from '../action';

/** Actions of users on their own free credits. */
export const OWN_REFERRALS = {
  /** Redeems an emailed code for a credit. */
  redeemCode: action('POST /signup-credits/redeem', { changes: ['billing'] }),
} as const;
