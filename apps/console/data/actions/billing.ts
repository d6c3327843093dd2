import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { readKey } from '../use-read';

/** Saved card and the conditions for charging it. */
export const AUTOMATIC_TOP_UP = 'GET /billing/automatic-top-up';

/** Address on receipts and statements. */
export const BILLING_DETAILS = 'GET /billing/details';

const showTopUp = (client: QueryClient, answer: AutomaticTopUpAnswer): void =>
  void client.setQueryData(readKey('billing', AUTOMATIC_TOP_UP), answer);

/** Actions of customers on their balance. */
export const BILLING = {
  setAutomaticTopUp: action('PUT /billing/automatic-top-up', { apply: showTopUp }),
  removeCard: action('DELETE /billing/card', { apply: showTopUp }),
  saveDetails: action('PUT /billing/details', {
    apply: (client: QueryClient, answer) => void client.setQueryData(readKey('billing', BILLING_DETAILS), answer),
  }),
  /** Returns the existing statement if it was issued before. */
  issueStatement: action('POST /billing/statements/{month}'),
  /** Returns the address of the checkout. The balance changes when the payment is confirmed. */
  startCheckout: action('POST /stripe/create-checkout-session', {
    once: () => ({ target: 'checkout' }),
    changesNothing: true,
  }),
} as const;
