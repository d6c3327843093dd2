import { messageTable } from './message';

/** Refusals and answers of referrals and free credits. */
export const CREDITS_MESSAGES = messageTable('credits', {
  request_unknown: 'There is no such request.',
  request_decided: 'This request was decided before. Load the list again.',
  request_changed: 'The account with this address has just changed. Try again.',
  request_deactivated: 'The account with this address is deactivated. Reactivate it first, or reject the request.',
  pair_unknown: 'There is no such referral.',
  pair_decided: 'This referral was decided before. Load the list again.',
  pair_deactivated: 'The referred account is deactivated. Reactivate it first, or reject the referral.',
  reason_missing: 'Give a reason.',
  code_missing: 'Enter the code from our mail.',
  code_unknown: 'This code is not known. Copy it from our mail.',
  code_used: 'This code was used before.',
  code_ended: 'This code has expired. Request free credits again.',
  code_own: 'This is your own referral code: it is for your friends.',
  code_referral: 'This is a referral code. It counts when an account is made, not afterwards.',
  had_before: 'This mailbox had free credits before.',
  amount_invalid: 'Please enter a valid amount',
  doubt_referrer_network: 'From the same network as the referrer',
  doubt_used_network: 'Another referred account came from this network within 30 days',
  doubt_monthly_cap: 'The referrer has had %{count} pairs of credits this month',
});
