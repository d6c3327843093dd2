import { z } from 'zod';

/** What a Stripe event says about one payment, and nothing else of it: this is what is stored while the event waits. */
const identifier = z.string().regex(/^[A-Za-z0-9_]{1,255}$/);
const cents = z.int().min(0).max(100_000_000);
const currency = z.string().regex(/^[a-z]{3}$/);

export const paymentFacts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paid'), session_id: identifier, payment_intent: identifier.nullable(), cents, currency }),
  z.object({ kind: z.literal('expired'), session_id: identifier }),
  z.object({ kind: z.literal('refunded'), payment_intent: identifier, cents, currency }),
  z.object({ kind: z.literal('dispute_withdrawn'), payment_intent: identifier, cents, currency }),
  z.object({ kind: z.literal('dispute_won'), payment_intent: identifier, cents, currency }),
]);
export type PaymentFacts = z.infer<typeof paymentFacts>;

/** An id, or the object that Stripe sends in its place when it expands references. */
const reference = z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)]);

const session = z.object({
  id: identifier,
  amount_total: cents,
  currency,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: reference.nullish(),
});
const charge = z.object({ payment_intent: reference.nullish(), amount_refunded: cents, currency });
const dispute = z.object({ payment_intent: reference.nullish(), amount: cents, currency });

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
      const { id, amount_total, currency, payment_status, payment_intent } = session.parse(object);
      // completed with a slow payment method is not paid yet: async_payment_succeeded follows, or never comes
      if (payment_status !== 'paid') return null;
      return { kind: 'paid', session_id: id, payment_intent: payment_intent ?? null, cents: amount_total, currency };
    }
    case 'checkout.session.expired':
      return { kind: 'expired', session_id: z.object({ id: identifier }).parse(object).id };
    case 'charge.refunded': {
      const { payment_intent, amount_refunded, currency } = charge.parse(object);
      return payment_intent == null ? null : { kind: 'refunded', payment_intent, cents: amount_refunded, currency };
    }
    // not when a dispute is opened or closed: when Stripe takes the money, and when it comes back
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const { payment_intent, amount, currency } = dispute.parse(object);
      if (payment_intent == null) return null;
      return {
        kind: type === 'charge.dispute.funds_withdrawn' ? 'dispute_withdrawn' : 'dispute_won',
        payment_intent,
        cents: amount,
        currency,
      };
    }
    default:
      return null;
  }
}
