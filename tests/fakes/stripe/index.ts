import Stripe from 'stripe';
import type { ApiHarness } from '../../services/api/api-harness';
import type { QueuedEvent } from './stripe-account';

export { FakeStripe, fakeStripe } from './fake-stripe';
export type { QueuedEvent };

export const SECRET = 'whsec_the_secret_of_today';
export const NEXT_SECRET = 'whsec_the_secret_of_tomorrow';

let counter = 0;

/** Builds an event in the format in which Stripe sends it. */
export function stripeEvent(type: string, object: object, more: object = {}): { id: string; payload: string } {
  const id = `evt_${++counter}_${process.pid}`;
  const event = {
    id,
    object: 'event',
    api_version: '2026-01-01',
    created: 1_790_000_000,
    livemode: true,
    type,
    data: { object },
    ...more,
  };
  return { id, payload: JSON.stringify(event, null, 2) };
}

export function sign(payload: string, secret = SECRET, timestamp?: number): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
}

export function deliver(
  api: ApiHarness,
  payload: string | Buffer,
  signature: string | undefined = sign(String(payload)),
) {
  const post = api.http.post('/api/webhooks/stripe').set('content-type', 'application/json; charset=utf-8');
  return (signature === '' ? post : post.set('stripe-signature', signature))
    .serialize((body) => body as string)
    .send(payload as never);
}

/** Delivers queued events in order. Throws if an event is not accepted. */
export async function deliverAll(api: ApiHarness, events: readonly QueuedEvent[]): Promise<void> {
  for (const { type, payload } of events) {
    const { status } = await deliver(api, payload);
    if (status !== 200) throw new Error(`${type}: ${status}`);
  }
}
