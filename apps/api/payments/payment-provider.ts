import type { Instant, MovementKind } from '@moorage/domain';
import type { Caller } from '../http/call-input';
import type { KeyedRequest } from '../http/idempotency';
import type { PaymentFacts } from './payment-facts';

export interface CheckoutSession {
  readonly id: string;
  /** Where the customer pays. */
  readonly url: string;
}

export interface OpenSession {
  readonly caller: Caller;
  readonly amountCents: number;
  readonly request: KeyedRequest | null;
  /** The customer agreed that the card is kept for automatic top-ups. */
  readonly saveCard: boolean;
  /** The customer of a card that is kept already; null: there is none. */
  readonly customer: string | null;
  /** Appended to the addresses of success and cancel: `&return_to=order`; empty: nothing. */
  readonly query: string;
}

/** What became of a session: facts to apply, or `open` as long as there are none. */
export type SessionState = 'open' | Extract<PaymentFacts, { kind: 'paid' | 'expired' | 'failed' }>;

/** A card that is kept. */
export interface SavedCard {
  readonly customer: string;
  readonly paymentMethod: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** What became of charging a saved card; `failure`: the provider's word, at most 100 characters. */
export type CardCharge =
  | { readonly kind: 'paid'; readonly paymentIntent: string; readonly cents: number; readonly currency: string }
  /** Begun, and neither taken nor refused yet. */
  | { readonly kind: 'open'; readonly paymentIntent: string }
  | { readonly kind: 'declined' | 'authentication'; readonly paymentIntent: string | null; readonly failure: string };

/** A balance transaction of a refund or dispute. */
export interface ReversalMovement {
  readonly id: string;
  readonly kind: MovementKind;
  /** Above zero. */
  readonly cents: number;
  /** What the provider keeps for it. */
  readonly feeCents: number;
  readonly currency: string;
  readonly at: Instant;
}

/** A refund or dispute as the provider tells of it now, with every balance transaction that it has caused so far. */
export interface Reversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly cents: number;
  readonly currency: string;
  /** The provider's word. */
  readonly status: string;
  readonly reason: string | null;
  /** Until when a dispute has to be answered. */
  readonly dueBy: Instant | null;
  /** The request of ours that it answers; null: it was made elsewhere. */
  readonly refundRequestId: string | null;
  readonly createdAt: Instant;
  readonly movements: readonly ReversalMovement[];
}

/** One line of the provider's books that concerns payments of this installation. */
export type ProviderEntry = { readonly id: string; readonly paymentIntent: string; readonly at: Instant } & (
  | {
      readonly kind: 'payment';
      readonly cents: number;
      readonly currency: string;
      /** Our id of an automatic top-up, from the metadata of its charge, or null for the payment of a checkout. */
      readonly paymentId: string | null;
    }
  | { readonly kind: MovementKind; readonly cents: number; readonly currency: string }
);

/** The provider refuses what was asked, for good: asking again does not help. `code`: its word. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';

  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * Where payments are taken: at Stripe, or on the page of test payments. What it is asked twice under the same id or
 * request it does once. Where it cannot be reached it throws, and may be asked again.
 */
export abstract class PaymentProvider {
  /** No real money is taken. */
  abstract readonly testMode: boolean;
  /** The same `request` gets the same session. Not reached: SERVICE_UNAVAILABLE. */
  abstract openSession(ask: OpenSession): Promise<CheckoutSession>;
  /** Expires an open session, so that it accepts no payment. Does nothing if the session is over or unknown. */
  abstract endSession(sessionId: string): Promise<void>;
  abstract sessionState(sessionId: string): Promise<SessionState>;
  /** The card that a payment was made with, where it is kept; null: it is not. */
  abstract cardOf(paymentIntent: string): Promise<SavedCard | null>;
  /** A card that is gone already is no error. */
  abstract forgetCard(card: Pick<SavedCard, 'customer' | 'paymentMethod'>): Promise<void>;
  /** Deletes a customer with the email address and all cards. Does nothing if the customer is already gone. */
  abstract forgetCustomer(customer: string): Promise<void>;
  /** Charges a saved card without its owner. Once per `paymentId`, which stands in the charge's metadata. */
  abstract chargeCard(ask: {
    paymentId: string;
    userId: number;
    card: Pick<SavedCard, 'customer' | 'paymentMethod'>;
    amountCents: number;
  }): Promise<CardCharge>;
  /** What became of a charge that may have been asked for; null: the provider knows of none. */
  abstract findCharge(ask: { paymentId: string; customer: string }): Promise<CardCharge | null>;
  /** Whether a payment was made for this product. Others may use the same account of the provider. */
  abstract isOurs(paymentIntent: string): Promise<boolean>;
  /** All refunds and disputes of a payment. */
  abstract reversalsOf(paymentIntent: string): Promise<readonly Reversal[]>;
  /** Gives money back to the card. Once per `requestId`. Refused for good: PaymentRefused. */
  abstract refund(ask: { requestId: string; paymentIntent: string; amountCents: number }): Promise<void>;
  /** The provider's books between two instants, `from` included, in no order. */
  abstract entries(span: { from: Instant; to: Instant }): AsyncIterable<ProviderEntry>;
}
