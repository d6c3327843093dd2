/** Status of a card payment. */
export const PAYMENT_STATES = ['open', 'paid', 'cancelled', 'expired', 'failed'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * Problems of a payment that administrators filter by. `differs` means that the provider's records disagree with the
 * ledger.
 */
export const PAYMENT_PROBLEMS = ['refunded', 'disputed', 'differs'] as const;
