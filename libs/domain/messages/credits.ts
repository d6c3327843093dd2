import { messageTable } from './message';

/** Messages about referrals and free credits. */
export const CREDITS_MESSAGES = messageTable('credits', {
  request_unknown: 'There is no such request.',
  request_decided: 'This request has already been decided. Reload the list.',
  request_changed: 'The account with this email address has just changed. Try again.',
  request_deactivated:
    'The account with this email address is deactivated. Reactivate it first, or reject the request.',
  pair_unknown: 'There is no such referral.',
  pair_decided: 'This referral has already been decided. Reload the list.',
  pair_deactivated: 'The referred account is deactivated. Reactivate it first, or reject the referral.',
  reason_missing: 'Enter a reason.',
  code_missing: 'Enter the code from our email.',
  code_unknown: "This code doesn't exist. Copy it from our email.",
  code_used: 'This code has already been used.',
  code_ended: 'This code has expired. Request free credits again.',
  code_own: 'This is your own referral code. Share it with your friends.',
  code_referral: 'This is a referral code. You can use it only when you sign up.',
  had_before: 'This mailbox has already received free credits.',
  amount_invalid: 'Please enter a valid amount',
  doubt_referrer_network: 'Same network as the referrer',
  doubt_used_network: 'Another referred account used this network within 30 days',
  doubt_monthly_cap: 'The referrer has already received %{count} pairs of credits this month',
});
