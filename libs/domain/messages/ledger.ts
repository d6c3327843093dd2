/**
 * Descriptions of ledger entries. The daily charge run builds the description of a charge in SQL, and a test checks
 * that both agree.
 */
export const LEDGER_TEXTS = {
  payment: 'Top-up',
  charge_hour: 'Deployment %{id}: 1 hour on %{day}',
  charge_hours: 'Deployment %{id}: %{hours} hours on %{day}',
  rerate: "Deployment %{id}: the rest of %{day} at the new level's price",
  reopened: 'Deployment %{id}: the rest of %{day} after its server was found again',
  refund: 'Deployment %{id}: refund for unused hours on %{day}',
  /** Appended to the description of a refund for the part that could not be returned. */
  lapsed: '%{amount} would have been returned to a credit that expired %{instant}',
  granted_signup: 'Signup credit for 30 days',
  granted_referral: 'Referral credit for 30 days',
  ended_signup: 'Signup credit expired',
  ended_referral: 'Referral credit expired',
  adjusted_signup: 'Signup credit adjusted by support',
  adjusted_referral: 'Referral credit adjusted by support',
  adjustment: 'Balance adjusted by support',
  payment_refund: 'Payment refunded to you',
  refund_failed: 'Refund did not reach your card and was returned to your balance',
  dispute: 'Payment disputed at the bank',
  dispute_won: 'Dispute settled, payment returned to your balance',
  owed_paid: 'Amount owed was paid',
} as const;
