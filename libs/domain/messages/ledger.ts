/**
 * Descriptions of ledger entries. The daily charge run builds the description of a charge in SQL, and a test checks
 * that both agree.
 */
export const LEDGER_TEXTS = {
  payment: 'Top-up',
  charge_hour: 'Deployment %{id}: 1 hour on %{day}',
  charge_hours: 'Deployment %{id}: %{hours} hours on %{day}',
  rerate: "Deployment %{id}: the rest of %{day} at the new level's price",
  resized: "Deployment %{id}: the rest of %{day} at the new size's price",
  reopened: 'Deployment %{id}: the rest of %{day}, its server was found again',
  restored: 'Deployment %{id}: the rest of %{day}, its delete was undone',
  refund: 'Deployment %{id}: hours left of %{day}',
  /** Appended to the description of a refund for the part that could not be returned. */
  lapsed: '%{amount} would have gone back to a credit that ended %{instant}',
  granted_signup: 'Signup credit for 30 days',
  granted_referral: 'Referral credit for 30 days',
  ended_signup: 'Signup credit ended',
  ended_referral: 'Referral credit ended',
  adjusted_signup: 'Signup credit adjusted by support',
  adjusted_referral: 'Referral credit adjusted by support',
  adjustment: 'Balance adjusted by support',
  payment_refund: 'Payment refunded to you',
  refund_failed: 'Refund did not reach your card: the payment is back',
  dispute: 'Payment disputed at the bank',
  dispute_won: 'Dispute settled: the payment is back',
  owed_paid: 'Paid what was owed',
} as const;
