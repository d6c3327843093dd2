import type { Caller } from '../http/call-input';
import type { KeyedRequest } from '../http/idempotency';

export interface CheckoutSession {
  readonly id: string;
  /** Where the customer pays. */
  readonly url: string;
}

/** Where checkout sessions are opened: at Stripe, or on the page of test payments. */
export abstract class PaymentProvider {
  /** No real money is taken. */
  abstract readonly testMode: boolean;
  /** The same `request` gets the same session. */
  abstract openSession(ask: {
    caller: Caller;
    amountCents: number;
    request: KeyedRequest | null;
  }): Promise<CheckoutSession>;
}
