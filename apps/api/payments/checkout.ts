import { createHash } from 'node:crypto';
import { PAYMENTS_CALLS } from '@moorage/contracts';
import { DomainError, iso, Money, ORDER_WORDS, say, SHAPE_WORDS } from '@moorage/domain';
import Stripe from 'stripe';
import type { ApiDeps } from '../feature';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import type { Idempotency, KeyedRequest } from '../http/idempotency';
import type { StripeSettings } from '../settings';

export interface Checkout {
  /** Begins a top-up of `amount_cents`; nothing is booked before the webhook says so. `key`: the Idempotency-Key header. */
  begin(caller: Caller, amountCents: number, key: string | null): Promise<CheckoutAnswer>;
}

interface CheckoutAnswer {
  readonly url: string;
  readonly session_id: string;
}

/** Where a session is made: at Stripe, or on the page of test mode. */
export type OpenSession = (ask: {
  caller: Caller;
  amountCents: number;
  request: KeyedRequest | null;
}) => Promise<{ id: string; url: string }>;

export function createCheckout(
  { settings }: ApiDeps,
  { idempotency, openSession, testMode }: { idempotency: Idempotency; openSession: OpenSession; testMode: boolean },
): Checkout {
  return {
    async begin(caller, amountCents, key) {
      if (amountCents > settings.checkoutMaxCents) {
        const most = Money.of(settings.checkoutMaxCents / 100).toDisplay('price');
        throw new FieldsInvalid([{ path: 'amount_cents', message: say(SHAPE_WORDS.top_up_most, { most }) }]);
      }
      const { userId } = caller;
      const call = PAYMENTS_CALLS.createCheckoutSession;
      const request = idempotency.keyed({ userId, key, call, what: [call.method, call.path, { amountCents }] });
      const before = await idempotency.answered<CheckoutAnswer>(request);
      if (before !== null) return before;
      const session = await openSession({ caller, amountCents, request });
      return idempotency.tx('payments.checkout', request, async (tx, at) => {
        // Stripe knows the key as well, and answers a repeat with the session that it has
        await tx.execute(
          `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ($1, $2, $3, $4, $5, $6)
           on conflict (id) do nothing`,
          [session.id, userId, amountCents, testMode, session.url, iso(at)],
        );
        return { url: session.url, session_id: session.id };
      });
    },
  };
}

const STRIPE_MS_MAX = 15_000;

/**
 * Stripe Checkout. Every call has an idempotency key, so the library's repeats make one session, and so do a client's under a
 * key of its own.
 */
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
  return async ({ caller, amountCents, request }) => {
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
        { idempotencyKey: request === null ? random.uuid() : stripeKey(request) },
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

/** The client's own key may be long, and may say something. */
function stripeKey({ cause, hash }: KeyedRequest): string {
  return createHash('sha256').update(`${cause}:${hash}`).digest('base64url');
}
