import { action } from '../action';
import { sentBefore } from '../request-key';

interface Refund {
  readonly amount_cents: number;
  readonly reason: string;
}

const refundOf = (id: string | number): string => `refund ${id}`;

/** Returns refunds of a payment requested from this tab that are recent or unanswered. */
export const refundsBefore = (id: string) => sentBefore<Refund>(refundOf(id));

/** Actions of administrators on card payments. */
export const PAYMENTS = {
  /** Repeated attempts have the same key until one is accepted, so a refund is paid only once. */
  refund: action('POST /billing/admin/payments/{id}/refund', {
    once: ({ params }) => ({ target: refundOf(params.id), isShown: true }),
  }),
  /** Settles a difference between our records and the provider's. */
  settle: action('POST /billing/admin/payment-differences/{id}/settle'),
} as const;
