import type { Api } from '@moorage/api';
import type { Instant } from '@moorage/domain';
import type { TestDatabase } from '@moorage/testing';
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

export type StripeKind = 'refund' | 'dispute' | 'dispute won';

/** `cents`: what it takes of the payment. */
export function stripeEvent(id: string, kind: StripeKind, { intent, cents }: PaidBefore): StripeEvent {
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

/** What a refund or dispute does at the provider, which is asked when its event is told. `number`: which of them it is. */
export async function takeBack(
  database: Pick<TestDatabase, 'sql'>,
  { kind, number, at, intent, cents }: PaidBefore & { kind: StripeKind; number: number; at: Instant },
): Promise<void> {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const returned = kind === 'dispute won' ? new Date(at).toISOString() : null;
  await database.sql(
    `insert into test_reversals as r (id, payment_intent, kind, amount_cents, created_at, returned_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set returned_at = coalesce(r.returned_at, excluded.returned_at)`,
    [id, intent, kind === 'refund' ? 'refund' : 'dispute', cents, new Date(at).toISOString(), returned],
  );
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
