import { z } from 'zod';

/** Facts that are stored while a Stripe event waits: only what it states about a single payment. */
const identifier = z.string().regex(/^[A-Za-z0-9_]{1,255}$/);
const cents = z.int().min(0).max(100_000_000);
const currency = z.string().regex(/^[a-z]{3}$/);

export const paymentFacts = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paid'),
    /** Checkout session, or our id of an automatic top-up. */
    session_id: identifier,
    payment_intent: identifier.nullable(),
    cents,
    currency,
    /**
     * True if its metadata does not name an account here, so it may belong to another use of the same Stripe account.
     */
    is_unmarked: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('expired'), session_id: identifier }),
  /** A slow payment method failed, or an automatic top-up was declined. */
  z.object({ kind: z.literal('failed'), session_id: identifier, failure: z.string().max(100) }),
  /** A refund or dispute of the payment changed. The details are read from the provider. */
  z.object({
    kind: z.literal('reversed'),
    payment_intent: identifier,
    /** True if Stripe has confirmed that the payment is one of ours. */
    is_ours: z.boolean().optional(),
  }),
]);
export type PaymentFacts = z.infer<typeof paymentFacts>;

/**
 * Facts in the form in which they are stored while an event waits. An earlier version distinguished refunds and
 * disputes.
 */
export const waitingFacts = z.union([
  paymentFacts,
  z
    .object({ kind: z.enum(['refunded', 'dispute_withdrawn', 'dispute_won']), payment_intent: identifier })
    .transform(({ payment_intent }): PaymentFacts => ({ kind: 'reversed', payment_intent })),
]);

/** An id, or the object that Stripe sends in its place when it expands references. */
const reference = z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)]);

/** Only our own metadata names an account (`ownedBy` in stripe-payments.ts). */
const metadata = z.object({ moorage_user: z.string().optional(), payment_id: identifier.optional() });

const session = z.object({
  id: identifier,
  amount_total: cents,
  currency,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: reference.nullish(),
  metadata: metadata.nullish(),
});
/** A charge, refund or dispute. Only its payment is used, and the details are read from Stripe. */
const reversal = z.object({ payment_intent: reference.nullish() });
/**
 * An automatic top-up has our id in the metadata of its charge. Other intents belong to checkouts, which have events of
 * their own.
 */
const intent = z.object({
  id: identifier,
  amount_received: cents.optional(),
  currency,
  metadata,
  last_payment_error: z.object({ code: z.string().optional(), decline_code: z.string().optional() }).nullish(),
});

export const stripeEvent = z.object({
  id: identifier,
  type: z.string().regex(/^[a-z0-9_.]{1,100}$/),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});
export type StripeEvent = z.infer<typeof stripeEvent>;

/**
 * Returns the facts of an event, or null if it does not concern our payments. Throws if it does and cannot be parsed.
 */
export function factsOf({ type, data: { object } }: StripeEvent): PaymentFacts | null {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const { id, amount_total, currency, payment_status, payment_intent, metadata: marks } = session.parse(object);
      // A session completed with a slow payment method is not paid yet. async_payment_succeeded follows, or never
      // arrives.
      if (payment_status !== 'paid') return null;
      return {
        kind: 'paid',
        session_id: id,
        payment_intent: payment_intent ?? null,
        cents: amount_total,
        currency,
        is_unmarked: marks?.moorage_user === undefined,
      };
    }
    case 'checkout.session.expired':
      return { kind: 'expired', session_id: z.object({ id: identifier }).parse(object).id };
    case 'checkout.session.async_payment_failed':
      return {
        kind: 'failed',
        session_id: z.object({ id: identifier }).parse(object).id,
        failure: 'async_payment_failed',
      };
    case 'payment_intent.succeeded': {
      const { id, amount_received = 0, currency, metadata: marks } = intent.parse(object);
      if (marks.payment_id === undefined) return null;
      return {
        kind: 'paid',
        session_id: marks.payment_id,
        payment_intent: id,
        cents: amount_received,
        currency,
        is_unmarked: marks.moorage_user === undefined,
      };
    }
    case 'charge.refunded':
    case 'charge.refund.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed': {
      const { payment_intent } = reversal.parse(object);
      return payment_intent == null ? null : { kind: 'reversed', payment_intent };
    }
    default:
      return null;
  }
}
