/** What became of a payment by card. */
export const PAYMENT_STATES = ['open', 'paid', 'cancelled', 'expired', 'failed'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What may be wrong with a payment; administrators look for them. `differs`: the provider's books say something else. */
export const PAYMENT_PROBLEMS = ['refunded', 'disputed', 'differs'] as const;
