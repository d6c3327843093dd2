import type { Api } from '@moorage/api';
import Stripe from 'stripe';

/** What the payment provider tells of a payment; it keeps no order, and tells again what was not answered. */
export interface StripeEvent {
  readonly id: string;
  readonly type: 'charge.refunded' | 'charge.dispute.funds_withdrawn' | 'charge.dispute.funds_reinstated';
  readonly payload: string;
}

export interface PaidBefore {
  readonly intent: string;
  readonly cents: number;
}

/** `cents`: of a refund, what was given back of the payment in all; of a dispute, what it is about. */
export function stripeEvent(
  id: string,
  kind: 'refund' | 'dispute' | 'dispute won',
  { intent, cents }: PaidBefore,
): StripeEvent {
  const type = (
    {
      refund: 'charge.refunded',
      dispute: 'charge.dispute.funds_withdrawn',
      'dispute won': 'charge.dispute.funds_reinstated',
    } as const
  )[kind];
  const amount = kind === 'refund' ? { amount_refunded: cents } : { amount: cents };
  const object = { ...amount, currency: 'usd', payment_intent: intent };
  return { id, type, payload: JSON.stringify({ id, object: 'event', livemode: false, type, data: { object } }) };
}

/** Signed as by the provider; the status of the answer. */
export async function deliver(
  { app }: Api,
  { payload }: StripeEvent,
  secret: string,
): Promise<{ status: number; body: string }> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
    payload,
  });
  return { status: answer.statusCode, body: answer.body };
}
