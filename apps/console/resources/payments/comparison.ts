import type { RouteAnswer } from '@moorage/contracts';

/** Comparison of our ledger with the payment provider's records. */
export type Comparison = RouteAnswer<'GET /billing/admin/payment-comparison'>;
