import { DomainError, iso, Money, ORDER_WORDS, say, SHAPE_WORDS } from '@moorage/domain';
import Stripe from 'stripe';
import type { ApiDeps } from '../feature';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import type { StripeSettings } from '../settings';

export interface Checkout {
  /** Begins a top-up of `amount_cents`; nothing is booked before the webhook says so. */
  begin(caller: Caller, amountCents: number): Promise<{ url: string; session_id: string }>;
}

/** Where a session is made: at Stripe, or on the page of test mode. */
export type OpenSession = (ask: { caller: Caller; amountCents: number }) => Promise<{ id: string; url: string }>;

export function createCheckout(
  { db, clock, settings }: ApiDeps,
  { openSession, testMode }: { openSession: OpenSession; testMode: boolean },
): Checkout {
  return {
    async begin(caller, amountCents) {
      if (amountCents > settings.checkoutMaxCents) {
        const most = Money.of(settings.checkoutMaxCents / 100).toDisplay('price');
        throw new FieldsInvalid([{ path: 'amount_cents', message: say(SHAPE_WORDS.top_up_most, { most }) }]);
      }
      const session = await openSession({ caller, amountCents });
      await db.tx('payments.checkout', async (tx) => {
        await tx.execute(
          'insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ($1, $2, $3, $4, $5, $6)',
          [session.id, caller.userId, amountCents, testMode, session.url, iso(await clock.now(tx))],
        );
      });
      return { url: session.url, session_id: session.id };
    },
  };
}

const STRIPE_MS_MAX = 15_000;

/** Stripe Checkout. Every call has an idempotency key of its own, so the library's repeats make one session. */
export function stripeSessions({ random, settings, log }: ApiDeps, stripe: StripeSettings): OpenSession {
  const base = stripe.apiBase === null ? null : new URL(stripe.apiBase);
  const client = new Stripe(stripe.secretKey, {
    maxNetworkRetries: 2,
    timeout: STRIPE_MS_MAX,
    telemetry: false,
    ...(base === null
      ? {}
      : {
          host: base.hostname,
          port: base.port === '' ? (base.protocol === 'http:' ? 80 : 443) : Number(base.port),
          protocol: base.protocol === 'http:' ? 'http' : 'https',
        }),
  });
  return async ({ caller, amountCents }) => {
    try {
      const session = await client.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: 'usd',
                unit_amount: amountCents,
                product_data: { name: `${settings.brand.name} balance` },
              },
            },
          ],
          customer_email: caller.email,
          client_reference_id: String(caller.userId),
          success_url: `${settings.publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: `${settings.publicUrl}/cancel`,
        },
        { idempotencyKey: random.uuid() },
      );
      if (session.url === null) throw new Error('a session without an address');
      return { id: session.id, url: session.url };
    } catch (error) {
      // Stripe's own words may name keys and accounts
      log.error('Stripe did not open a checkout session', { kind: error instanceof Error ? error.name : 'unknown' });
      throw new DomainError('SERVICE_UNAVAILABLE', ORDER_WORDS.checkout_failed, {
        retry_after_s: 10,
      });
    }
  };
}
