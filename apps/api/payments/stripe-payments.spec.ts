import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, type Instant } from '@moorage/domain';
import { createLog, seededRandom, systemRandom } from '@moorage/server';
import type { Caller } from '../http/call-input';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { type OpenSession, PaymentRefused, type ProviderEntry, type SavedCard } from './payment-provider';
import { StripePayments } from './stripe-payments';
import { type FakeStripe, fakeStripe } from '@moorage/tests/fakes/stripe';

const KEY = 'sk_live_canary';
const NOON: Instant = Date.UTC(2026, 10, 27, 12);
const JANE = { userId: 7, email: 'jane@example.com' } as Caller;

describe('Stripe payments', () => {
  let stripe: FakeStripe;
  let payments: StripePayments;
  let lines: string[];
  beforeEach(async () => {
    stripe = await fakeStripe();
    stripe.now = () => NOON;
    lines = [];
    const log = createLog({ service: 'api', write: (line) => lines.push(line) });
    payments = new StripePayments(systemRandom(), log, TEST_SETTINGS, {
      secretKey: KEY,
      webhookSecrets: [],
      apiBase: stripe.url,
    });
  });
  afterEach(async () => {
    await stripe.close();
    // The fake's own error messages contain the key, as Stripe's may.
    expect(lines.join('')).not.toContain(KEY);
  });

  const open = (options: Partial<OpenSession> = {}) =>
    payments.openSession({
      caller: JANE,
      amountCents: 2000,
      request: null,
      saveCard: false,
      customer: null,
      query: '',
      ...options,
    });
  const paid = async (options: Partial<OpenSession> = {}) => stripe.pay((await open(options)).id);
  const stored = async (): Promise<SavedCard> => {
    const card = await payments.cardOf(await paid({ saveCard: true }));
    if (card === null) throw new Error('no card was kept');
    return card;
  };
  const charge = (card: SavedCard, paymentId = 'auto_1', amountCents = 1500) =>
    payments.chargeCard({ paymentId, userId: 7, card, amountCents });
  const requested = () => Object.fromEntries(stripe.requested.at(-1) ?? []);

  describe('session', () => {
    it('names its user on itself and on the payment, and links back to our pages', async () => {
      await open({ query: '&return_to=order' });
      expect(requested()).toMatchObject({
        client_reference_id: '7',
        customer_email: JANE.email,
        'metadata[moorage_user]': '7',
        'payment_intent_data[metadata][moorage_user]': '7',
        success_url: 'http://moorage.test/success?session_id={CHECKOUT_SESSION_ID}&return_to=order',
        cancel_url: 'http://moorage.test/cancel?return_to=order',
      });
      expect(
        Object.keys(requested()).filter((name) => /setup_future_usage|customer_creation|allowed/.test(name)),
      ).toEqual([]);
    });

    it('saves the card of a new customer when the old one was deleted in the dashboard', async () => {
      const { customer } = await stored();
      stripe.deleteCustomer(customer);
      const anew = await payments.cardOf(await paid({ saveCard: true, customer }));
      expect(anew?.customer).toMatch(/^cus_/);
      expect(anew?.customer).not.toBe(customer);
    });

    it('is opened without an email address that Stripe rejects as invalid', async () => {
      stripe.refusedEmails.add(JANE.email);
      await open();
      expect(requested()).not.toHaveProperty('customer_email');
      expect(requested()).toMatchObject({ client_reference_id: '7', 'metadata[moorage_user]': '7' });
      expect(new Set(stripe.keys).size).toBe(2);
    });

    it('accepts no payment once ended, and is left unchanged when over or unknown', async () => {
      const { id } = await open();
      for (let twice = 0; twice < 2; twice++) await payments.endSession(id);
      expect(await payments.sessionState(id)).toEqual({ kind: 'expired', session_id: id });
      await payments.endSession('cs_live_unknown');
      const done = await open();
      stripe.pay(done.id);
      await payments.endSession(done.id);
      expect(await payments.sessionState(done.id)).toMatchObject({ kind: 'paid' });
    });

    it('saves the card of a new or an existing customer', async () => {
      await open({ saveCard: true });
      expect(requested()).toMatchObject({
        'payment_intent_data[setup_future_usage]': 'off_session',
        'allowed_payment_method_types[0]': 'card',
        customer_creation: 'always',
        customer_email: JANE.email,
      });
      const { customer } = await stored();
      await open({ saveCard: true, customer });
      expect(requested()).toMatchObject({ 'payment_intent_data[setup_future_usage]': 'off_session', customer });
      expect(requested()).not.toHaveProperty('customer_email');
    });

    it('is the same for the same request', async () => {
      const request = { cause: 'user:7', hash: 'abc' } as unknown as OpenSession['request'];
      expect(await open({ request })).toEqual(await open({ request }));
      expect(await open({ request: { ...request, hash: 'abd' } as OpenSession['request'] })).not.toEqual(
        await open({ request }),
      );
    });

    it.each([400, 404])('fails permanently with status %d, so that no retry is suggested', async (status) => {
      stripe.answerWith(status);
      await expect(open()).rejects.toMatchObject({ code: 'CHECKOUT_STATE' });
    });

    it.each([401, 402, 403, 409, 429, 500, 503])('can be retried after status %d', async (status) => {
      stripe.answerWith(status);
      await expect(open()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(lines.join('')).toContain('create a checkout session');
    });

    it('is open, then paid', async () => {
      const { id } = await open();
      expect(await payments.sessionState(id)).toBe('open');
      const intent = stripe.pay(id);
      expect(await payments.sessionState(id)).toEqual({
        kind: 'paid',
        session_id: id,
        payment_intent: intent,
        cents: 2000,
        currency: 'usd',
      });
    });

    it('expires', async () => {
      const { id } = await open();
      stripe.expire(id);
      expect(await payments.sessionState(id)).toEqual({ kind: 'expired', session_id: id });
    });

    it.each([
      ['succeeded', { kind: 'paid' }],
      ['failed', { kind: 'failed', failure: 'payment_intent_payment_attempt_failed' }],
    ] as const)('stays open during a slow payment until it has %s', async (outcome, state) => {
      const { id } = await open();
      const intent = stripe.pay(id, { slow: true });
      expect(await payments.sessionState(id)).toBe('open');
      stripe.settle(intent, outcome);
      expect(await payments.sessionState(id)).toMatchObject(state);
    });

    it('fails permanently when unknown to Stripe, and temporarily without a response', async () => {
      await expect(payments.sessionState('cs_live_unknown')).rejects.toEqual(new PaymentRefused('resource_missing'));
      const { id } = await open();
      stripe.answerWith(500);
      const failure = payments.sessionState(id);
      await expect(failure).rejects.toThrow('request to Stripe failed: read a checkout session');
      await expect(failure).rejects.not.toBeInstanceOf(PaymentRefused);
    });
  });

  describe('saved card', () => {
    it('is stored only with the consent of its owner', async () => {
      expect(await payments.cardOf(await paid())).toBeNull();
      expect(await stored()).toEqual({
        customer: expect.stringMatching(/^cus_/),
        paymentMethod: expect.stringMatching(/^pm_/),
        brand: 'visa',
        last4: '4242',
        expMonth: 8,
        expYear: 2031,
      });
    });

    it('is detached, also repeatedly or when unknown, but not when Stripe does not respond', async () => {
      const intent = await paid({ saveCard: true });
      const card = (await payments.cardOf(intent)) as SavedCard;
      await payments.forgetCard(card);
      expect(await payments.cardOf(intent)).toBeNull();
      await payments.forgetCard(card);
      await payments.forgetCard({ paymentMethod: 'pm_unknown' });
      stripe.answerWith(500);
      await expect(payments.forgetCard(card)).rejects.toThrow('request to Stripe failed');
    });

    it('is charged once per payment, with our id in the metadata', async () => {
      const card = await stored();
      const first = await charge(card);
      expect(first).toEqual({
        kind: 'paid',
        paymentIntent: expect.stringMatching(/^pi_/),
        cents: 1500,
        currency: 'usd',
      });
      expect(requested()).toMatchObject({
        off_session: 'true',
        confirm: 'true',
        'metadata[payment_id]': 'auto_1',
        'metadata[moorage_user]': '7',
      });
      expect(await charge(card)).toEqual(first);
      expect([...stripe.books().values()]).toEqual([2000, 1500]);
      expect(await payments.findCharge({ paymentId: 'auto_1', customer: card.customer })).toEqual(first);
      expect(await payments.findCharge({ paymentId: 'auto_2', customer: card.customer })).toBeNull();
    });

    it.each([
      ['declines', { kind: 'declined', failure: 'insufficient_funds' }],
      ['authentication', { kind: 'authentication', failure: 'authentication_required' }],
      ['processing', { kind: 'open' }],
    ] as const)('%s: reports the outcome of the charge and finds it later', async (manner, facts) => {
      const card = await stored();
      stripe.cardAnswers(card.paymentMethod, manner);
      const answer = await charge(card);
      expect(answer).toEqual({ ...facts, paymentIntent: expect.stringMatching(/^pi_/) });
      expect(await charge(card)).toEqual(answer);
      expect(await payments.findCharge({ paymentId: 'auto_1', customer: card.customer })).toEqual(answer);
      expect([...stripe.books().values()]).toEqual([2000]);
    });

    it('is declined when it no longer exists', async () => {
      const card = await stored();
      await payments.forgetCard(card);
      expect(await charge(card)).toEqual({
        kind: 'declined',
        paymentIntent: null,
        failure: 'payment_method_unexpected_state',
      });
      expect(await charge({ ...card, paymentMethod: 'pm_unknown' }, 'auto_2')).toEqual({
        kind: 'declined',
        paymentIntent: null,
        failure: 'resource_missing',
      });
    });

    it('is charged once when the response is lost', async () => {
      const card = await stored();
      stripe.cutNext();
      expect(await charge(card)).toMatchObject({ kind: 'paid' });
      stripe.cutNext(3);
      await expect(charge(card, 'auto_2')).rejects.toThrow('request to Stripe failed: charge a card');
      expect(await payments.findCharge({ paymentId: 'auto_2', customer: card.customer })).toMatchObject({
        kind: 'paid',
      });
      expect(await charge(card, 'auto_2')).toMatchObject({ kind: 'paid' });
      expect([...stripe.books().values()]).toEqual([2000, 1500, 1500]);
    });

    it('is charged once for two concurrent requests', async () => {
      const card = await stored();
      const [first, second] = await Promise.all([charge(card), charge(card)]);
      expect(second).toEqual(first);
      expect([...stripe.books().values()]).toEqual([2000, 1500]);
    });

    it('cannot be charged once its customer is deleted, even if deleted twice', async () => {
      const card = await stored();
      for (let twice = 0; twice < 2; twice++) await payments.forgetCustomer(card.customer);
      expect(stripe.all('customer')).toEqual([]);
      expect(await charge(card)).toMatchObject({ kind: 'declined' });
    });

    it('appears in the ledger under our id from its metadata', async () => {
      await charge(await stored());
      const entries: ProviderEntry[] = [];
      for await (const entry of payments.entries({ from: NOON, to: NOON + DAY_MS })) entries.push(entry);
      expect(entries.filter(({ cents }) => cents === 1500)).toMatchObject([{ kind: 'payment', paymentId: 'auto_1' }]);
    });

    it.each([401, 403, 409, 429, 500])('is neither charged nor declined after status %d', async (status) => {
      const card = await stored();
      stripe.answerWith(status);
      await expect(charge(card)).rejects.toThrow('request to Stripe failed');
      stripe.answerWith(200);
      expect(await payments.findCharge({ paymentId: 'auto_1', customer: card.customer })).toBeNull();
    });

    it('is charged once per payment when Stripe has forgotten the key, whatever the amount', async () => {
      const card = await stored();
      const first = await charge(card);
      stripe.now = () => NOON + 2 * DAY_MS;
      expect(await charge(card)).toEqual(first);
      expect(await charge(card, 'auto_1', 9900)).toEqual(first);
      expect([...stripe.books().values()]).toEqual([2000, 1500]);
    });
  });

  describe('refund', () => {
    const refund = (paymentIntent: string, amountCents = 500, requestId = 'request-1') =>
      payments.refund({ requestId, paymentIntent, amountCents });

    it('happens once per request, even when the response is lost', async () => {
      const intent = await paid();
      await Promise.all([refund(intent), refund(intent)]);
      await refund(intent);
      stripe.cutNext(3);
      await expect(refund(intent, 300, 'request-2')).rejects.toThrow('request to Stripe failed: refund a payment');
      await refund(intent, 300, 'request-2');
      stripe.now = () => NOON + 2 * DAY_MS;
      await refund(intent);
      expect(stripe.books().get(intent)).toBe(1200);
      expect(
        (await payments.reversalsOf(intent)).map(({ cents, refundRequestId }) => [cents, refundRequestId]),
      ).toEqual([
        [300, 'request-2'],
        [500, 'request-1'],
      ]);
    });

    it('fails permanently with Stripe’s reason when Stripe rejects it', async () => {
      const intent = await paid();
      await expect(refund(intent, 2001)).rejects.toEqual(new PaymentRefused('amount_too_large'));
      await refund(intent, 2000, 'request-2');
      await expect(refund(intent, 1, 'request-3')).rejects.toEqual(new PaymentRefused('charge_already_refunded'));
      await expect(refund('pi_unknown', 1, 'request-4')).rejects.toEqual(new PaymentRefused('resource_missing'));
    });

    it.each([401, 403, 409, 429, 500])('can be requested again after status %d', async (status) => {
      const intent = await paid();
      stripe.answerWith(status);
      const failure = refund(intent);
      await expect(failure).rejects.toThrow('request to Stripe failed');
      await expect(failure).rejects.not.toBeInstanceOf(PaymentRefused);
      stripe.answerWith(200);
      await refund(intent);
      expect(stripe.books().get(intent)).toBe(1500);
    });
  });

  it('identifies the payments of this product', async () => {
    expect(await payments.isOurs(await paid())).toBe(true);
    expect(await payments.isOurs(stripe.foreignPayment(9900))).toBe(false);
  });

  describe('refunds and disputes of a payment', () => {
    it('are empty at first', async () => {
      expect(await payments.reversalsOf(await paid())).toEqual([]);
    });

    it('include a dashboard refund that the bank rejects', async () => {
      const intent = await paid();
      const { id } = stripe.refund(intent, 800);
      stripe.failRefund(id);
      const movement = { cents: 800, feeCents: 0, currency: 'usd', at: NOON, id: expect.stringMatching(/^txn_/) };
      expect(await payments.reversalsOf(intent)).toEqual([
        {
          id,
          kind: 'refund',
          cents: 800,
          currency: 'usd',
          status: 'failed',
          reason: null,
          dueBy: null,
          refundRequestId: null,
          createdAt: NOON,
          movements: [
            { ...movement, kind: 'refund' },
            { ...movement, kind: 'refund_failed' },
          ],
        },
      ]);
    });

    it('include a dispute withdrawn in two parts and won', async () => {
      const intent = await paid();
      const id = stripe.dispute(intent, 2000, 1200);
      stripe.withdraw(id, 800);
      stripe.reinstate(id, 500);
      stripe.closeDispute(id, 'won');
      const [dispute] = await payments.reversalsOf(intent);
      expect(dispute).toMatchObject({
        id,
        kind: 'dispute',
        cents: 2000,
        status: 'won',
        reason: 'fraudulent',
        dueBy: NOON + 7 * DAY_MS,
      });
      expect(dispute?.movements.map(({ kind, cents, feeCents }) => [kind, cents, feeCents])).toEqual([
        ['dispute', 1200, 1500],
        ['dispute', 800, 0],
        ['dispute_won', 500, 0],
        ['dispute_won', 1500, 0],
      ]);
    });

    it('include no movement for an inquiry', async () => {
      const intent = await paid();
      stripe.dispute(intent, 2000, 0);
      expect((await payments.reversalsOf(intent))[0]?.movements).toEqual([]);
    });

    it('are read over several pages', async () => {
      const intent = await paid({ amountCents: 100_000 });
      for (let i = 0; i < 230; i++) stripe.refund(intent, 1);
      const reversals = await payments.reversalsOf(intent);
      expect([reversals.length, new Set(reversals.map(({ id }) => id)).size]).toEqual([230, 230]);
      expect(stripe.requests.filter((request) => request === 'GET /v1/refunds')).toHaveLength(3);
    });
  });

  describe('Stripe balance entries', () => {
    const read = async (span: { from: Instant; to: Instant }) => {
      const entries: ProviderEntry[] = [];
      for await (const entry of payments.entries(span)) entries.push(entry);
      return entries;
    };
    const day = { from: NOON, to: NOON + DAY_MS };

    it('contain payments, refunds and disputes, but not those of others or payouts', async () => {
      const [stored, refunded, disputed] = [await paid(), await paid(), await paid()];
      stripe.foreignPayment(9900);
      stripe.failRefund(stripe.refund(refunded, 700).id);
      stripe.closeDispute(stripe.dispute(disputed), 'won');
      stripe.payOut(1000);
      const seen = (await read(day)).map(({ kind, paymentIntent, cents }) => [kind, paymentIntent, cents]);
      expect(seen.reverse()).toEqual([
        ['payment', stored, 2000],
        ['payment', refunded, 2000],
        ['payment', disputed, 2000],
        ['refund', refunded, 700],
        ['refund_failed', refunded, 700],
        ['dispute', disputed, 2000],
        ['dispute_won', disputed, 2000],
      ]);
      const [payment] = (await read(day)).slice(-1);
      expect(payment).toEqual({
        id: expect.stringMatching(/^txn_/),
        kind: 'payment',
        paymentIntent: stored,
        cents: 2000,
        currency: 'usd',
        paymentId: null,
        at: NOON,
      });
    });

    it('contain refunds and disputes of other products, because only the payment names its product', async () => {
      const foreign = stripe.foreignPayment(9900);
      stripe.refund(foreign, 100);
      expect((await read(day)).map(({ kind, paymentIntent }) => [kind, paymentIntent])).toEqual([['refund', foreign]]);
    });

    it('list the same lines as the movements', async () => {
      const intent = await paid();
      stripe.refund(intent, 700);
      const [{ movements = [] } = {}] = await payments.reversalsOf(intent);
      const refunds = (await read(day)).filter(({ kind }) => kind === 'refund');
      expect(refunds.map(({ id }) => id)).toEqual(movements.map(({ id }) => id));
    });

    it('include the first instant of the period and exclude the last', async () => {
      await paid();
      expect(await read({ from: NOON, to: NOON + 1000 })).toHaveLength(1);
      expect(await read({ from: NOON - DAY_MS, to: NOON })).toHaveLength(0);
      expect(await read({ from: NOON + 1, to: NOON + DAY_MS })).toHaveLength(0);
    });

    it.each([1, 2, 3])('match the account balance whatever happens to payments (%d)', async (seed) => {
      const random = seededRandom(seed);
      const below = (most: number) => 1 + Math.floor(random.fraction() * most);
      const intents = [await paid(), await paid(), await paid()];
      const refunds: string[] = [];
      const disputes: string[] = [];
      const any = (ids: readonly string[]) => ids[below(ids.length) - 1] ?? '';
      const happenings = [
        () => refunds.push(stripe.refund(any(intents), below(400)).id),
        () => stripe.failRefund(any(refunds)),
        () => disputes.push(stripe.dispute(any(intents), 2000, below(2000))),
        () => stripe.withdraw(any(disputes), below(300)),
        () => stripe.reinstate(any(disputes), below(300)),
        () => stripe.closeDispute(any(disputes), random.fraction() < 0.5 ? 'won' : 'lost'),
      ];
      let happened = 0;
      for (let i = 0; i < 60; i++) {
        try {
          happenings[below(happenings.length) - 1]?.();
          happened += 1;
        } catch {
          // Not possible in the current state.
        }
      }
      expect(happened).toBeGreaterThan(20);
      const signed = ({ kind, cents }: { kind: string; cents: number }) =>
        kind === 'refund' || kind === 'dispute' ? -cents : cents;
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
      const entries = await read(day);
      for (const intent of intents) {
        const reversals = await payments.reversalsOf(intent);
        const held = stripe.books().get(intent);
        expect(2000 + sum(reversals.flatMap(({ movements }) => movements.map(signed)))).toBe(held);
        expect(sum(entries.filter(({ paymentIntent }) => paymentIntent === intent).map(signed))).toBe(held);
      }
    });

    it('are read over several pages, and fail when a page fails', async () => {
      for (let i = 0; i < 120; i++) await paid();
      expect(await read(day)).toHaveLength(120);
      expect(stripe.requests.filter((request) => request === 'GET /v1/balance_transactions')).toHaveLength(2);
      stripe.answerWith(500);
      await expect(read(day)).rejects.toThrow('request to Stripe failed: list balance transactions');
    });
  });
});
