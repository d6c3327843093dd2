import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TEST_CARDS, type TestCard } from '@moorage/contracts';
import { DAY_MS, type Instant } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { PaymentProvider, PaymentRefused, type ProviderEntry } from './payment-provider';

describe('test payments', () => {
  let api: ApiHarness;
  let payments: PaymentProvider;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    payments = api.api.app.get(PaymentProvider);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    jane = await api.unverified();
  });

  const now = () => api.deps.clock.localNow();
  const begin = async (more: object = {}) => {
    const sent = api.http.post('/api/stripe/create-checkout-session').set(jane.auth);
    const { body } = await sent.send({ amount_cents: 2000, ...more });
    return (body as { session_id: string }).session_id;
  };
  const pay = async (session: string, more: object = {}) => {
    await api.http.post(`/api/stripe/test-checkout/${session}`).send({ outcome: 'pay', ...more });
    const state = await payments.sessionState(session);
    if (state === 'open' || state.kind !== 'paid' || state.payment_intent === null) throw new Error('not paid');
    return state.payment_intent;
  };
  const entries = async (from: Instant, to: Instant) => {
    const found: ProviderEntry[] = [];
    for await (const entry of payments.entries({ from, to })) found.push(entry);
    return found;
  };

  it('open a session that is then paid', async () => {
    const session = await begin();
    expect(await payments.sessionState(session)).toBe('open');
    const payment_intent = await pay(session);
    expect(await payments.sessionState(session)).toEqual({
      kind: 'paid',
      session_id: session,
      payment_intent,
      cents: 2000,
      currency: 'usd',
    });
  });

  it('open a session that is cancelled or expires after a day', async () => {
    const [cancelled, late] = [await begin(), await begin()];
    await api.http.post(`/api/stripe/test-checkout/${cancelled}`).send({ outcome: 'cancel' });
    expect(await payments.sessionState(cancelled)).toEqual({ kind: 'expired', session_id: cancelled });
    expect(await payments.sessionState(late)).toBe('open');
    api.pass(DAY_MS);
    expect(await payments.sessionState(late)).toEqual({ kind: 'expired', session_id: late });
    await expect(payments.sessionState('cs_test_unknown')).rejects.toBeInstanceOf(PaymentRefused);
  });

  it.each<[TestCard, string, object]>([
    ['succeeds', '4242', { kind: 'paid', cents: 1500, currency: 'usd' }],
    ['declines', '0341', { kind: 'declined', failure: 'insufficient_funds' }],
    ['authentication', '3184', { kind: 'authentication', failure: 'authentication_required' }],
  ])('use a card that %s', async (card, last4, charged) => {
    const stored = await payments.cardOf(await pay(await begin({ save_card: true }), { card }));
    expect(stored).toMatchObject({ customer: `cus_test_${jane.id}`, brand: 'visa', last4 });
    if (stored === null) throw new Error('no card was kept');
    expect(
      await payments.chargeCard({ paymentId: 'auto_1', userId: jane.id, card: stored, amountCents: 1500 }),
    ).toEqual({
      ...charged,
      paymentIntent: 'pi_test_auto_1',
    });
  });

  it.each(TEST_CARDS)('do not save the card that %s without consent', async (card) => {
    expect(await payments.cardOf(await pay(await begin(), { card }))).toBeNull();
  });

  it('create one refund per request, up to the amount paid', async () => {
    const paymentIntent = await pay(await begin());
    const refund = (requestId: string, amountCents: number) =>
      payments.refund({ requestId, paymentIntent, amountCents });
    await Promise.all([refund('first', 1500), refund('first', 1500)]);
    await expect(refund('second', 501)).rejects.toEqual(new PaymentRefused('amount_too_large'));
    await refund('third', 500);
    await expect(refund('fourth', 1)).rejects.toEqual(new PaymentRefused('charge_already_refunded'));
    await expect(
      payments.refund({ requestId: 'fifth', paymentIntent: 'pi_test_unknown', amountCents: 1 }),
    ).rejects.toEqual(new PaymentRefused('resource_missing'));
    expect(
      (await payments.reversalsOf(paymentIntent)).map(({ refundRequestId, cents, movements }) => [
        refundRequestId,
        cents,
        movements.map((movement) => [movement.kind, movement.cents]),
      ]),
    ).toEqual([
      ['first', 1500, [['refund', 1500]]],
      ['third', 500, [['refund', 500]]],
    ]);
  });

  it('list payments and refunds under the ids of their movements', async () => {
    api.pass(DAY_MS);
    const from = now();
    const paymentIntent = await pay(await begin());
    api.pass(DAY_MS);
    const between = now();
    await payments.refund({ requestId: 'of the books', paymentIntent, amountCents: 700 });
    const [{ movements = [] } = {}] = await payments.reversalsOf(paymentIntent);
    const facts = { paymentIntent, currency: 'usd', at: expect.any(Number), id: expect.any(String) };
    expect(await entries(from, between)).toEqual([{ ...facts, kind: 'payment', cents: 2000, paymentId: null }]);
    expect(await entries(between, now() + 1000)).toEqual([
      { ...facts, kind: 'refund', cents: 700, id: movements[0]?.id },
    ]);
  });
});
