import type { Instant, MovementKind } from '@moorage/domain';
import type { Caller } from '../http/call-input';
import type { KeyedRequest } from '../http/idempotency.service';
import type { PaymentFacts } from './payment-facts';

export interface OpenedSession {
  readonly id: string;
  /** Address of the payment page. */
  readonly url: string;
}

export interface OpenSession {
  readonly caller: Caller;
  readonly amountCents: number;
  readonly request: KeyedRequest | null;
  /** True if the customer agreed to store the card for automatic top-ups. */
  readonly saveCard: boolean;
  /** Customer of a card that is already stored, or null if there is none. */
  readonly customer: string | null;
  /** Appended to the addresses of success and cancel, for example `&return_to=order`. May be empty. */
  readonly query: string;
}

/** State of a session: facts to apply, or `open` while there are none. */
export type SessionState = 'open' | Extract<PaymentFacts, { kind: 'paid' | 'expired' | 'failed' }>;

/** A stored card. */
export interface SavedCard {
  readonly customer: string;
  readonly paymentMethod: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** Result of charging a saved card. `failure` is the provider's code, at most 100 characters. */
export type CardCharge =
  | { readonly kind: 'paid'; readonly paymentIntent: string; readonly cents: number; readonly currency: string }
  /** Started, and neither paid nor refused yet. */
  | { readonly kind: 'open'; readonly paymentIntent: string }
  | { readonly kind: 'declined' | 'authentication'; readonly paymentIntent: string | null; readonly failure: string };

/** A balance transaction of a refund or dispute. */
export interface ReversalMovement {
  readonly id: string;
  readonly kind: MovementKind;
  /** Greater than zero. */
  readonly cents: number;
  /** Fee of the provider. */
  readonly feeCents: number;
  readonly currency: string;
  readonly at: Instant;
}

/** Current state of a refund or dispute, with every balance transaction that it has caused so far. */
export interface Reversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly cents: number;
  readonly currency: string;
  /** Status in the provider's terms. */
  readonly status: string;
  readonly reason: string | null;
  /** Time by which a dispute must be answered. */
  readonly dueBy: Instant | null;
  /** Id of our request that caused it, or null if it was created elsewhere. */
  readonly refundRequestId: string | null;
  readonly createdAt: Instant;
  readonly movements: readonly ReversalMovement[];
}

/** A line in the provider's records that concerns payments of this installation. */
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

/** Thrown when the provider refuses a request permanently, so that retrying does not help. `code` is the provider's. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';

  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * Receives payments, through Stripe or the page of test payments. Requests are idempotent per id or request. When the
 * provider is unreachable, they throw and may be retried.
 */
export abstract class PaymentProvider {
  /** True if no real money is charged. */
  abstract readonly testMode: boolean;
  /** Returns the same session for the same `request`. Throws SERVICE_UNAVAILABLE if the provider is unreachable. */
  abstract openSession(options: OpenSession): Promise<OpenedSession>;
  /** Expires an open session, so that it accepts no payment. Does nothing if the session is over or unknown. */
  abstract endSession(sessionId: string): Promise<void>;
  abstract sessionState(sessionId: string): Promise<SessionState>;
  /** Returns the card of a payment, or null if it is not stored. */
  abstract cardOf(paymentIntent: string): Promise<SavedCard | null>;
  /** Deletes a card at the provider. Does nothing if it is already deleted. */
  abstract forgetCard(card: Pick<SavedCard, 'customer' | 'paymentMethod'>): Promise<void>;
  /** Deletes a customer with the email address and all cards. Does nothing if the customer is already deleted. */
  abstract forgetCustomer(customer: string): Promise<void>;
  /**
   * Charges a saved card without its owner being present. Charges once per `paymentId`, which is in the metadata of the
   * charge.
   */
  abstract chargeCard(options: {
    paymentId: string;
    userId: number;
    card: Pick<SavedCard, 'customer' | 'paymentMethod'>;
    amountCents: number;
  }): Promise<CardCharge>;
  /** Returns the state of a charge that may have been requested, or null if the provider does not know it. */
  abstract findCharge(options: { paymentId: string; customer: string }): Promise<CardCharge | null>;
  /** Returns true if the payment was made for this product. The same account at the provider may have other uses. */
  abstract isOurs(paymentIntent: string): Promise<boolean>;
  /** Returns all refunds and disputes of a payment. */
  abstract reversalsOf(paymentIntent: string): Promise<readonly Reversal[]>;
  /** Refunds money to the card, once per `requestId`. Throws PaymentRefused if it is refused permanently. */
  abstract refund(options: { requestId: string; paymentIntent: string; amountCents: number }): Promise<void>;
  /** Returns the provider's records between two instants, `from` included, in no particular order. */
  abstract entries(span: { from: Instant; to: Instant }): AsyncIterable<ProviderEntry>;
}
