import { createHash } from 'node:crypto';
import { DomainError, ORDER_MESSAGES } from '@moorage/domain';
import type { Log, Random } from '@moorage/server';
import Stripe from 'stripe';
import type { KeyedRequest } from '../http/idempotency';
import type { ApiSettings, StripeSettings } from '../settings';
import { type CheckoutSession, PaymentProvider } from './payment-provider';

const STRIPE_MS_MAX = 15_000;

/**
 * Stripe Checkout. Every call has an idempotency key, so the library's repeats make one session, and so do a client's
 * under a key of its own.
 */
export class StripePayments extends PaymentProvider {
  readonly testMode = false;
  private readonly client: Stripe;

  constructor(
    private readonly random: Random,
    private readonly log: Log,
    private readonly settings: Pick<ApiSettings, 'brand' | 'publicUrl'>,
    stripe: StripeSettings,
  ) {
    super();
    this.client = clientOf(stripe);
  }

  async openSession({
    caller,
    amountCents,
    request,
  }: Parameters<PaymentProvider['openSession']>[0]): Promise<CheckoutSession> {
    const { brand, publicUrl } = this.settings;
    try {
      const session = await this.client.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: 'usd',
                unit_amount: amountCents,
                product_data: { name: `${brand.name} balance` },
              },
            },
          ],
          customer_email: caller.email,
          client_reference_id: String(caller.userId),
          success_url: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: `${publicUrl}/cancel`,
        },
        { idempotencyKey: request === null ? this.random.uuid() : stripeKey(request) },
      );
      if (session.url === null) throw new Error('a session without an address');
      return { id: session.id, url: session.url };
    } catch (error) {
      // Stripe's own message may name keys and accounts
      this.log.error('Stripe did not open a checkout session', {
        kind: error instanceof Error ? error.name : 'unknown',
      });
      throw new DomainError('SERVICE_UNAVAILABLE', ORDER_MESSAGES.checkout_failed, {
        retry_after_s: 10,
      });
    }
  }
}

function clientOf({ secretKey, apiBase }: StripeSettings): Stripe {
  const base = apiBase === null ? null : new URL(apiBase);
  return new Stripe(secretKey, {
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
}

/** The client's own key may be long, and may reveal something. */
function stripeKey({ cause, hash }: KeyedRequest): string {
  return createHash('sha256').update(`${cause}:${hash}`).digest('base64url');
}
