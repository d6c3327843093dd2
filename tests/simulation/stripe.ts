import type { Api } from '@moorage/api';
import type { Instant } from '@moorage/domain';
import type { TestDatabase } from '@moorage/testing';
import Stripe from 'stripe';

/**
 * An event of the payment provider about a payment. Events arrive in any order, and are sent again if they were not
 * accepted.
 */
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

/** Creates an event. `cents` is the amount that it withdraws from the payment. */
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

/**
 * Applies a refund or dispute at the provider, which is queried when its event arrives. `number` identifies the refund
 * or dispute.
 */
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

/** Delivers an event signed like by the provider, and returns the status of the response. */
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
