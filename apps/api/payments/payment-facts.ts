import { z } from 'zod';

/** What a Stripe event says about one payment, and nothing else of it: this is what is stored while the event waits. */
const identifier = z.string().regex(/^[A-Za-z0-9_]{1,255}$/);
const cents = z.int().min(0).max(100_000_000);
const currency = z.string().regex(/^[a-z]{3}$/);

export const paymentFacts = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paid'),
    /** The checkout session, or our id of an automatic top-up. */
    session_id: identifier,
    payment_intent: identifier.nullable(),
    cents,
    currency,
    /** Its metadata does not name an account here, so it may belong to another use of the same Stripe account. */
    is_unmarked: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('expired'), session_id: identifier }),
  /** A slow payment method failed, or an automatic top-up was declined. */
  z.object({ kind: z.literal('failed'), session_id: identifier, failure: z.string().max(100) }),
  /** Something of a refund or dispute of it changed: what, the provider is asked. */
  z.object({
    kind: z.literal('reversed'),
    payment_intent: identifier,
    /** Stripe has confirmed that the payment is one of ours. */
    is_ours: z.boolean().optional(),
  }),
]);
export type PaymentFacts = z.infer<typeof paymentFacts>;

/** As they are stored while an event waits; a version before this one told refunds and disputes apart. */
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
/** A charge, refund or dispute: of all of them only whose payment it is of counts; what happened, Stripe is asked. */
const reversal = z.object({ payment_intent: reference.nullish() });
/** Of an automatic top-up: our id stands in the metadata of its charge. Others are of a checkout, which tells by itself. */
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

/** null: an event that does not concern our payments. Throws for one that does and cannot be parsed. */
export function factsOf({ type, data: { object } }: StripeEvent): PaymentFacts | null {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const { id, amount_total, currency, payment_status, payment_intent, metadata: marks } = session.parse(object);
      // completed with a slow payment method is not paid yet: async_payment_succeeded follows, or never comes
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
