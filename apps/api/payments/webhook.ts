import { ACCESS_WORDS, DAY_MS, DomainError, iso, MINUTE_MS } from '@moorage/domain';
import type { WorkHandler } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import Stripe from 'stripe';
import type { ApiDeps } from '../feature';
import { applyPayment, type Outcome } from './apply-payment';
import { factsOf, type PaymentFacts, paymentFacts, stripeEvent, type StripeEvent } from './payment-facts';

export const RETRY_STRIPE_EVENT = 'retry-stripe-event';

const TOLERANCE_S = 300;
const RETRY_MS = MINUTE_MS;
/** As long as Stripe itself would try. */
const WAIT_MS_MAX = 3 * DAY_MS;

export interface Webhook {
  /** The one way by which a payment becomes money: signature over the bytes first, then one transaction. */
  receive(bytes: Buffer, signature: string | undefined): Promise<{ received: true }>;
  /** Looks again at an event that came before what it speaks of. */
  readonly retry: WorkHandler;
}

export interface WebhookOptions {
  /** Each is tried: two during a rotation. */
  readonly secrets: readonly string[];
  /** What `livemode` must say. */
  readonly live: boolean;
}

export function createWebhook(deps: ApiDeps, { secrets, live }: WebhookOptions): Webhook {
  const { db, clock, log, work } = deps;

  function verified(bytes: Buffer, signature: string | undefined): unknown {
    for (const secret of secrets) {
      try {
        return Stripe.webhooks.constructEvent(bytes, signature ?? '', secret, TOLERANCE_S);
      } catch {
        // not this secret; nothing of the body is told to anybody
      }
    }
    throw new DomainError('SIGNATURE_INVALID', ACCESS_WORDS.signature);
  }

  /** A payment that is not taken is somebody's money: an operator must see it. */
  async function alert(tx: Tx, event: { id: string; type: string }, because: string, at: number): Promise<void> {
    await tx.execute('insert into audit_records (action, subject, facts, at) values ($1, $2, $3, $4)', [
      'payment.refused',
      `stripe_event:${event.id}`,
      JSON.stringify({ type: event.type, because }),
      iso(at),
    ]);
    tx.afterCommit(() => log.error('a payment event was not taken', { event_id: event.id, type: event.type, because }));
  }

  async function judge(tx: Tx, event: { id: string; type: string }, facts: PaymentFacts, at: number): Promise<Outcome> {
    const outcome = await applyPayment(tx, facts, { eventId: event.id, at }, deps);
    if (outcome.startsWith('refused')) await alert(tx, event, outcome, at);
    const isKnownNow = outcome === 'posted' || outcome === 'nothing';
    if (isKnownNow && (facts.kind === 'paid' || facts.kind === 'dispute_withdrawn') && facts.payment_intent !== null)
      await wake(tx, facts.payment_intent, at);
    return outcome;
  }

  /** What waited for this payment, or for its dispute, is looked at now. */
  async function wake(tx: Tx, paymentIntent: string, at: number): Promise<void> {
    const waiting = await tx.query<{ id: string }>(
      `select id from stripe_events where outcome = 'waiting' and facts ->> 'payment_intent' = $1`,
      [paymentIntent],
    );
    await work.scheduleMany(
      tx,
      waiting.map(({ id }) => ({ kind: RETRY_STRIPE_EVENT, key: id, due_at: at })),
    );
  }

  async function take(event: StripeEvent): Promise<void> {
    await db.tx('payments.webhook', async (tx) => {
      const at = await clock.now(tx);
      // the id is written first: whoever brings the same event meanwhile waits here, and then finds it done
      const fresh = await tx.execute(
        `insert into stripe_events (id, type, received_at, outcome) values ($1, $2, $3, 'nothing') on conflict (id) do nothing`,
        [event.id, event.type, iso(at)],
      );
      if (fresh === 0) return;
      const { outcome, facts } = await outcomeOf(tx, event, at);
      await tx.execute('update stripe_events set outcome = $2, facts = $3 where id = $1', [
        event.id,
        outcome,
        outcome === 'waiting' && facts !== null ? JSON.stringify(facts) : null,
      ]);
      if (outcome === 'waiting')
        await work.schedule(tx, { kind: RETRY_STRIPE_EVENT, key: event.id, due_at: at + RETRY_MS });
    });
  }

  async function outcomeOf(
    tx: Tx,
    event: StripeEvent,
    at: number,
  ): Promise<{ outcome: Outcome; facts: PaymentFacts | null }> {
    const facts = readable(event);
    if (facts === null) return { outcome: 'ignored', facts };
    if (facts === 'unreadable' || event.livemode !== live) {
      const because: Outcome = facts === 'unreadable' ? 'refused: unreadable' : 'refused: livemode';
      await alert(tx, event, because, at);
      return { outcome: because, facts: null };
    }
    return { outcome: await judge(tx, event, facts, at), facts };
  }

  return {
    async receive(bytes, signature) {
      const event = stripeEvent.safeParse(verified(bytes, signature));
      if (!event.success) throw new DomainError('BODY_MALFORMED', ACCESS_WORDS.no_event);
      await take(event.data);
      return { received: true };
    },

    retry: async ({ key }) => {
      const again = await db.tx('payments.retry', async (tx) => {
        const at = await clock.now(tx);
        const [event] = await tx.query<{ id: string; type: string; received_at: number; facts: unknown }>(
          `select id, type, received_at, facts from stripe_events where id = $1 and outcome = 'waiting'`,
          [key],
        );
        if (event === undefined) return null;
        const facts = paymentFacts.parse(event.facts);
        let outcome = await judge(tx, event, facts, at);
        if (outcome === 'waiting' && at - event.received_at > WAIT_MS_MAX) {
          outcome = 'refused: unknown session';
          await alert(tx, event, outcome, at);
        }
        if (outcome === 'waiting') return at + RETRY_MS;
        await tx.execute('update stripe_events set outcome = $2, facts = null where id = $1', [key, outcome]);
        return null;
      });
      return again === null ? { done: true } : { again_at: again, because: 'what it speaks of is not known yet' };
    },
  };
}

function readable(event: StripeEvent): PaymentFacts | 'unreadable' | null {
  try {
    return factsOf(event);
  } catch {
    return 'unreadable';
  }
}
