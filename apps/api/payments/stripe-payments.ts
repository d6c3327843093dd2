import { createHash } from 'node:crypto';
import { DomainError, type Instant, ORDER_MESSAGES } from '@moorage/domain';
import type { Log, Random } from '@moorage/server';
import Stripe from 'stripe';
import type { KeyedRequest } from '../http/idempotency.service';
import type { ApiSettings, StripeSettings } from '../settings';
import {
  type CardCharge,
  type OpenedSession,
  type OpenSession,
  PaymentProvider,
  PaymentRefused,
  type ProviderEntry,
  type Reversal,
  type ReversalMovement,
  type SavedCard,
  type SessionState,
} from './payment-provider';

const STRIPE_MS_MAX = 15_000;
/** Maximum page size of Stripe. */
const PAGE = 100;
const REVERSALS_MAX = 1_000;
const ENTRIES_MAX = 100_000;
const WORD_MAX = 100;
const AUTHENTICATION = 'authentication_required';

/**
 * Payments through Stripe. Requests that create something have an idempotency key, so retries by the library, and ours
 * under the same id, have no further effect. Only kind and code of Stripe's errors leave this class, because their
 * messages may contain keys and accounts.
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

  async openSession(request: OpenSession): Promise<OpenedSession> {
    const key = request.request === null ? this.random.uuid() : stripeKey(request.request);
    const first = { ...request, email: request.caller.email };
    try {
      return await this.createSession(first, key).catch((error: unknown) => {
        const rest = withoutRefused(first, error);
        if (rest === null) throw error;
        return this.createSession(rest, `${key}:anew`);
      });
    } catch (error) {
      if (error instanceof PaymentRefused) throw new DomainError('CHECKOUT_STATE', ORDER_MESSAGES.checkout_refused);
      throw new DomainError('SERVICE_UNAVAILABLE', ORDER_MESSAGES.checkout_failed, { retry_after_s: 10 });
    }
  }

  private createSession(
    { caller, amountCents, saveCard, customer, email, query }: SessionRequest,
    idempotencyKey: string,
  ): Promise<OpenedSession> {
    const { brand, publicUrl } = this.settings;
    const metadata = ownedBy(caller.userId);
    return this.call('create a checkout session', async () => {
      const { id, url } = await this.client.checkout.sessions.create(
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
          // In another currency, refunds and disputes would differ in amount from the payment.
          adaptive_pricing: { enabled: false },
          client_reference_id: String(caller.userId),
          metadata,
          payment_intent_data: { metadata, ...(saveCard ? { setup_future_usage: 'off_session' as const } : {}) },
          ...(saveCard ? { allowed_payment_method_types: ['card' as const] } : {}),
          ...(saveCard && customer !== null
            ? { customer }
            : {
                ...(email === null ? {} : { customer_email: email }),
                ...(saveCard ? { customer_creation: 'always' as const } : {}),
              }),
          success_url: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}${query}`,
          cancel_url: `${publicUrl}/cancel${query.replace(/^&/, '?')}`,
        },
        { idempotencyKey },
      );
      if (url === null) throw new Error('the checkout session has no URL');
      return { id, url };
    });
  }

  async endSession(sessionId: string): Promise<void> {
    try {
      await this.call('expire a checkout session', () => this.client.checkout.sessions.expire(sessionId));
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
    }
  }

  sessionState(sessionId: string): Promise<SessionState> {
    return this.call('read a checkout session', async () => {
      const session = await this.client.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] });
      const { status, payment_status, payment_intent: intent, amount_total, currency } = session;
      if (status === 'expired') return { kind: 'expired', session_id: sessionId };
      if (status !== 'complete') return 'open';
      if (payment_status === 'paid') {
        if (amount_total === null || currency === null)
          throw new Error('the paid checkout session has no amount or currency');
        return {
          kind: 'paid',
          session_id: sessionId,
          payment_intent: idOf(intent),
          cents: amount_total,
          currency,
        };
      }
      const failed = intent === null || typeof intent === 'string' ? null : failureOf(intent);
      return failed === null ? 'open' : { kind: 'failed', session_id: sessionId, failure: failed.failure };
    });
  }

  cardOf(paymentIntent: string): Promise<SavedCard | null> {
    return this.call('read a card', async () => {
      const { payment_method: method } = await this.client.paymentIntents.retrieve(paymentIntent, {
        expand: ['payment_method'],
      });
      if (method === null || typeof method === 'string') return null;
      const customer = idOf(method.customer);
      if (customer === null || method.card === undefined) return null;
      const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
      return { customer, paymentMethod: method.id, brand, last4, expMonth, expYear };
    });
  }

  async forgetCard({ paymentMethod }: Pick<SavedCard, 'paymentMethod'>): Promise<void> {
    try {
      await this.call('forget a card', () => this.client.paymentMethods.detach(paymentMethod));
    } catch (error) {
      // The card is unknown or no longer belongs to a customer.
      if (!(error instanceof PaymentRefused)) throw error;
    }
  }

  async forgetCustomer(customer: string): Promise<void> {
    try {
      await this.call('forget a customer', () => this.client.customers.del(customer));
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
    }
  }

  async chargeCard({
    paymentId,
    userId,
    card,
    amountCents,
  }: Parameters<PaymentProvider['chargeCard']>[0]): Promise<CardCharge> {
    // Stripe recognises the key only for a day.
    const before = await this.findCharge({ paymentId, customer: card.customer });
    if (before !== null) return before;
    try {
      return await this.call('charge a card', async () => {
        try {
          const intent = await this.client.paymentIntents.create(
            {
              amount: amountCents,
              currency: 'usd',
              customer: card.customer,
              payment_method: card.paymentMethod,
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              confirm: true,
              off_session: true,
              description: `${this.settings.brand.name} balance`,
              metadata: { ...ownedBy(userId), payment_id: paymentId },
            },
            { idempotencyKey: `charge:${paymentId}` },
          );
          return chargeOf(intent);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
          return { ...notTaken(error, 'declined'), paymentIntent: error.payment_intent?.id ?? null };
        }
      });
    } catch (error) {
      // The card or its customer was deleted.
      if (error instanceof PaymentRefused) return { kind: 'declined', paymentIntent: null, failure: error.code };
      throw error;
    }
  }

  async findCharge({ paymentId, customer }: { paymentId: string; customer: string }): Promise<CardCharge | null> {
    try {
      return await this.call('find a charge', async () => {
        const { data } = await this.client.paymentIntents.list({ customer, limit: PAGE });
        const intent = data.find(({ metadata }) => metadata.payment_id === paymentId);
        return intent === undefined ? null : chargeOf(intent);
      });
    } catch (error) {
      // The customer no longer exists at Stripe.
      if (error instanceof PaymentRefused) return null;
      throw error;
    }
  }

  isOurs(paymentIntent: string): Promise<boolean> {
    return this.call('read a payment', async () => {
      const { metadata } = await this.client.paymentIntents.retrieve(paymentIntent);
      return metadata.moorage_user !== undefined;
    });
  }

  reversalsOf(paymentIntent: string): Promise<readonly Reversal[]> {
    return this.call('read refunds and disputes', async () => {
      const of = { payment_intent: paymentIntent, limit: PAGE };
      const refunds = await this.client.refunds
        .list({ ...of, expand: ['data.balance_transaction', 'data.failure_balance_transaction'] })
        .autoPagingToArray({ limit: REVERSALS_MAX });
      const disputes = await this.client.disputes.list(of).autoPagingToArray({ limit: REVERSALS_MAX });
      if (refunds.length === REVERSALS_MAX || disputes.length === REVERSALS_MAX)
        throw new Error('too many refunds or disputes of a payment');
      return [...refunds.map(refundOf), ...disputes.map(disputeOf)];
    });
  }

  async refund({ requestId, paymentIntent, amountCents }: Parameters<PaymentProvider['refund']>[0]): Promise<void> {
    // Stripe recognises the key only for a day.
    const before = await this.reversalsOf(paymentIntent);
    if (before.some(({ refundRequestId }) => refundRequestId === requestId)) return;
    await this.call('refund a payment', () =>
      this.client.refunds.create(
        { payment_intent: paymentIntent, amount: amountCents, metadata: { refund_request: requestId } },
        { idempotencyKey: `refund:${requestId}` },
      ),
    );
  }

  /**
   * Excludes payments of other uses of the same Stripe account by the metadata of their charges. Refunds and disputes
   * have no such metadata, so all are included, and the caller identifies ours by their payment.
   */
  async *entries({ from, to }: { from: Instant; to: Instant }): AsyncIterable<ProviderEntry> {
    const lines = this.client.balanceTransactions.list({
      created: { gte: Math.ceil(from / 1000), lt: Math.ceil(to / 1000) },
      expand: ['data.source'],
      limit: PAGE,
    });
    for (let read = 0; ; read++) {
      const next = await this.call('list balance transactions', () => lines.next());
      if (next.done === true) return;
      if (read === ENTRIES_MAX) throw new Error('too many balance transactions');
      const entry = entryOf(next.value);
      if (entry !== null) yield entry;
    }
  }

  /**
   * Calls Stripe. Throws PaymentRefused if the request is refused permanently. After other errors it may be retried.
   */
  private call<T>(what: string, run: () => Promise<T>): Promise<T> {
    return run().catch((error: unknown) => {
      throw this.worded(what, error);
    });
  }

  private worded(what: string, error: unknown): unknown {
    if (!(error instanceof Stripe.errors.StripeError)) {
      this.log.error('unexpected response from Stripe', { what, error });
      return error;
    }
    const { type: kind, code } = error;
    this.log.error('request to Stripe failed', { what, kind, code });
    return error instanceof Stripe.errors.StripeInvalidRequestError
      ? new PaymentRefused(wordOf(code ?? kind))
      : new Error(`request to Stripe failed: ${what}`);
  }
}

/** Parameters of a Checkout session. Without an email address, the Checkout page prompts for one. */
type SessionRequest = OpenSession & { readonly email: string | null };

/** Returns the checkout without the optional parameter that Stripe refused, or null if it refused something else. */
function withoutRefused(request: SessionRequest, error: unknown): SessionRequest | null {
  if (!(error instanceof PaymentRefused)) return null;
  // The customer of the saved card was deleted in the dashboard.
  if (error.code === 'resource_missing' && request.customer !== null) return { ...request, customer: null };
  // Stripe accepts fewer addresses than mail servers do.
  if (error.code === 'email_invalid' && request.email !== null) return { ...request, email: null };
  return null;
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

/** Hashed because the client's own key may be long and may contain sensitive text. */
function stripeKey({ cause, hash }: KeyedRequest): string {
  return createHash('sha256').update(`${cause}:${hash}`).digest('base64url');
}

/** Returns metadata that Stripe copies from the payment intent to its charge, which identifies the charge as ours. */
function ownedBy(userId: number): { moorage_user: string } {
  return { moorage_user: String(userId) };
}

/** Returns the id of a reference, which Stripe sends as an id or as the object itself. */
function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function wordOf(word: string): string {
  return word.slice(0, WORD_MAX);
}

function chargeOf(intent: Stripe.PaymentIntent): CardCharge {
  const { id: paymentIntent, status, amount_received: cents, currency } = intent;
  if (status === 'succeeded') return { kind: 'paid', paymentIntent, cents, currency };
  if (status === 'requires_action') return { kind: 'authentication', paymentIntent, failure: AUTHENTICATION };
  const failure = failureOf(intent);
  return failure === null ? { kind: 'open', paymentIntent } : { ...failure, paymentIntent };
}

/** Returns why a payment failed, or null if it succeeded or still may. */
function failureOf({ status, last_payment_error: error }: Stripe.PaymentIntent): ReturnType<typeof notTaken> | null {
  return status === 'canceled' || status === 'requires_payment_method' ? notTaken(error ?? {}, status) : null;
}

function notTaken(
  { code, decline_code }: { readonly code?: string; readonly decline_code?: string },
  otherwise: string,
): { kind: 'declined' | 'authentication'; failure: string } {
  return {
    kind: code === AUTHENTICATION ? 'authentication' : 'declined',
    failure: wordOf(decline_code ?? code ?? otherwise),
  };
}

function refundOf(refund: Stripe.Refund): Reversal {
  const { id, amount, currency, status, reason, metadata, created } = refund;
  return {
    id,
    kind: 'refund',
    cents: amount,
    currency,
    status: status ?? 'unknown',
    reason,
    dueBy: null,
    refundRequestId: metadata?.refund_request ?? null,
    createdAt: created * 1000,
    movements: [refund.balance_transaction, refund.failure_balance_transaction].flatMap((line) =>
      movementsOf(line, ['refund', 'refund_failed']),
    ),
  };
}

function disputeOf(dispute: Stripe.Dispute): Reversal {
  const { id, amount, currency, status, reason, evidence_details, created } = dispute;
  return {
    id,
    kind: 'dispute',
    cents: amount,
    currency,
    status,
    reason,
    dueBy: evidence_details.due_by === null ? null : evidence_details.due_by * 1000,
    refundRequestId: null,
    createdAt: created * 1000,
    movements: dispute.balance_transactions.flatMap((line) => movementsOf(line, ['dispute', 'dispute_won'])),
  };
}

type Kinds = readonly [taken: ReversalMovement['kind'], given: ReversalMovement['kind']];

function movementsOf(line: string | Stripe.BalanceTransaction | null | undefined, kinds: Kinds): ReversalMovement[] {
  if (line == null) return [];
  if (typeof line === 'string') throw new Error('expected an expanded balance transaction, got an id');
  const { id, amount, fee, currency, created } = line;
  if (amount === 0) return [];
  return [
    { id, kind: kinds[amount < 0 ? 0 : 1], cents: Math.abs(amount), feeCents: fee, currency, at: created * 1000 },
  ];
}

/**
 * Kind of a line by its source and sign, because Stripe has a dozen types, depending on the payment method. A payment
 * that fails after it had succeeded is withdrawn without a refund.
 */
const KINDS_OF: Readonly<Record<string, readonly [given: ProviderEntry['kind'], taken: ProviderEntry['kind']]>> = {
  charge: ['payment', 'refund'],
  refund: ['refund_failed', 'refund'],
  dispute: ['dispute_won', 'dispute'],
};

/** Returns null for lines other than payments, refunds and disputes, and for foreign charges. */
function entryOf({ id, amount, currency, created, source }: Stripe.BalanceTransaction): ProviderEntry | null {
  if (source === null || typeof source === 'string' || !('payment_intent' in source) || amount === 0) return null;
  if (source.object === 'charge' && source.metadata.moorage_user === undefined) return null;
  const kind = KINDS_OF[source.object]?.[amount > 0 ? 0 : 1];
  const paymentIntent = idOf(source.payment_intent);
  if (kind === undefined || paymentIntent === null) return null;
  const entry = { id, paymentIntent, cents: Math.abs(amount), currency, at: created * 1000 };
  if (kind !== 'payment') return { ...entry, kind };
  return { ...entry, kind, paymentId: (source.object === 'charge' ? source.metadata.payment_id : undefined) ?? null };
}
