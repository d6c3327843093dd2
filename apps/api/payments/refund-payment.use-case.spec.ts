import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import type { Caller } from '../http/call-input';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { ComparePayments } from './compare-payments.use-case';
import { SyncPayment } from './sync-payment.use-case';
import { RefundPayment } from './refund-payment.use-case';
import { intentOf, ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe('refunds by administrators', () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let admin: TestAccount;
  let jane: TestAccount;
  let payment: string;
  let intent: string;
  beforeAll(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    admin = await api.admin();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    Object.assign(provider, { isAway: false, refusal: null, beforeAnswer: () => {}, refundsRequested: [] });
    jane = await api.user();
    await api.pay(jane, 2000);
    intent = await intentOf(api, jane);
    [{ id: payment = '' } = {}] = await api.database.sql<{ id: string }>(
      'select id from checkout_sessions where payment_intent = $1',
      [intent],
    );
  });

  const refund = (amountCents: number, { key = null as string | null, of = payment } = {}) =>
    api.api.app.get(RefundPayment).run({ userId: admin.id } as Caller, of, { amountCents, reason: 'paid twice' }, key);
  const balance = async () =>
    (await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number; owed: number };
  const requests = () =>
    api.database.sql(
      'select amount_cents, state, refusal from refund_requests where payment_id = $1 order by created_at',
      [payment],
    );
  const taken = () => (provider.reversals.get(intent) ?? []).map(({ cents }) => cents);
  const alerts = () =>
    api.database.sql(
      `select 1 from operator_alerts where kind = 'refund_not_made' and subject = $1 and resolved_at is null`,
      [payment],
    );
  /** Ends the process once at this point. */
  function killAt(checkpoint: string): void {
    const { at } = api.deps.db.checkpoints;
    Object.assign(api.deps.db.checkpoints, {
      at: (name: string) => {
        if (name !== checkpoint) return Promise.resolve();
        Object.assign(api.deps.db.checkpoints, { at });
        return Promise.reject(new Error('killed'));
      },
    });
  }

  it('go to the card at once and are posted and audited with the response', async () => {
    expect(await refund(500)).toEqual({
      refund_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'made',
      refusal: null,
    });
    expect(await balance()).toMatchObject({ regular_balance: 15 });
    const history = await api.http.get(`/api/users/${jane.id}/history`).set(admin.auth);
    expect(JSON.stringify(history.body)).toContain('Refund of $5.00 to the card: paid twice');
    await api.run();
    expect((await api.mailsTo(jane.email)).map(({ subject }) => subject)).toContain('Payment refunded: $5.00');
  });

  it('happen once under the same key, with one response', async () => {
    const key = `key-${jane.id}-of-a-refund`;
    const first = await refund(500, { key });
    expect(await refund(500, { key })).toEqual(first);
    expect(taken()).toEqual([500]);
    await expect(refund(600, { key })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('become a debt when they exceed the balance', async () => {
    await api.http
      .post(`/api/billing/admin/users/${jane.id}/adjust-balance`)
      .set(admin.auth)
      .send({ amount: -18, description: 'spent' });
    await refund(500);
    expect(await balance()).toMatchObject({ regular_balance: 0, owed: 3 });
  });

  it('are limited to what earlier refunds and disputes left', async () => {
    await refund(700);
    const dispute = provider.reversal(intent, 'dispute', 300);
    provider.move(intent, dispute, 'dispute', 300);
    await api.api.app.get(SyncPayment).run(intent);
    await expect(refund(1001)).rejects.toMatchObject({
      code: 'REFUND_TOO_HIGH',
      fields: { refundable: 10 },
      reason: { detail: 'You can refund at most $10.00 of this payment.' },
    });
    expect(await refund(1000)).toMatchObject({ state: 'made' });
    await expect(refund(1)).rejects.toMatchObject({ code: 'REFUND_TOO_HIGH' });
  });

  it('never exceed the payment when concurrent', async () => {
    const requested = await Promise.allSettled([1, 2, 3, 4, 5].map(() => refund(900)));
    expect(requested.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'fulfilled',
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(taken()).toEqual([900, 900]);
    expect(await balance()).toMatchObject({ regular_balance: 2 });
  });

  it('are for received payments of the current mode only', async () => {
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: 2000 });
    const { session_id } = begun.body as { session_id: string };
    await expect(refund(500, { of: session_id })).rejects.toMatchObject({ code: 'PAYMENT_STATE' });
    await expect(refund(500, { of: 'cs_test_of_nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api.database.sql('update checkout_sessions set test_mode = false where id = $1', [payment]);
    await expect(refund(500)).rejects.toMatchObject({ code: 'PAYMENT_STATE' });
    expect(provider.refundsRequested).toEqual([]);
  });

  it('store the provider’s reason when rejected, and leave balance and refundable amount unchanged', async () => {
    provider.refusal = 'charge_disputed';
    expect(await refund(2000)).toMatchObject({ state: 'refused', refusal: 'charge_disputed' });
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    provider.refusal = null;
    expect(await refund(2000)).toMatchObject({ state: 'made' });
  });

  it.each(['payments.refund.committed', 'payments.refund-asked.committed'])(
    'are completed by the job when the process is killed before the provider request (%s)',
    async (checkpoint) => {
      killAt(checkpoint);
      await refund(500).catch((error: Error) => expect(error.message).toBe('killed'));
      expect(provider.refundsRequested).toEqual([]);
      // An amount already requested is no longer available.
      await expect(refund(1501)).rejects.toMatchObject({ code: 'REFUND_TOO_HIGH' });
      api.pass(2 * MINUTE_MS);
      await api.run();
      expect(await requests()).toEqual([{ amount_cents: 500, state: 'made', refusal: null }]);
      expect(taken()).toEqual([500]);
      expect(await balance()).toMatchObject({ regular_balance: 15 });
    },
  );

  it('are requested again under the same id when the process is killed after the provider request', async () => {
    provider.beforeAnswer = () => {
      provider.beforeAnswer = () => {};
      throw new Error('killed');
    };
    expect(await refund(500)).toMatchObject({ state: 'asked' });
    // The provider reports the refund in the meantime.
    await api.api.app.get(SyncPayment).run(intent);
    expect(await requests()).toMatchObject([{ state: 'made' }]);
    api.pass(2 * MINUTE_MS);
    await api.run();
    expect(taken()).toEqual([500]);
    expect(await balance()).toMatchObject({ regular_balance: 15 });
    expect(await refund(1500)).toMatchObject({ state: 'made' });
  });

  it('happen once when the process is killed between the response and its record', async () => {
    killAt('payments.refund-made');
    expect(await refund(500)).toMatchObject({ state: 'asked' });
    api.pass(2 * MINUTE_MS);
    await api.run();
    expect(await requests()).toEqual([{ amount_cents: 500, state: 'made', refusal: null }]);
    expect(taken()).toEqual([500]);
  });

  it('return the money when they fail later, and can be repeated', async () => {
    await refund(2000);
    const [created] = provider.reversals.get(intent) ?? [];
    provider.change(intent, created?.id ?? '', { status: 'failed' });
    provider.move(intent, created?.id ?? '', 'refund_failed', 2000);
    await api.api.app.get(SyncPayment).run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 20, owed: 0 });
    expect(await refund(2000)).toMatchObject({ state: 'made' });
    expect(await balance()).toMatchObject({ regular_balance: 0, owed: 0 });
  });

  it('are given up after a day of provider downtime, with an alert until one succeeds', async () => {
    provider.isAway = true;
    expect(await refund(500)).toMatchObject({ state: 'asked', refusal: null });
    for (let passed = 0; passed < 22; passed += 2) {
      api.pass(2 * HOUR_MS);
      await expect(api.run()).rejects.toThrow('away');
    }
    api.pass(2 * HOUR_MS);
    await api.run();
    expect(await requests()).toEqual([{ amount_cents: 500, state: 'refused', refusal: 'not_reached' }]);
    provider.isAway = false;
    await api.api.app.get(ComparePayments).run();
    expect(await alerts()).toHaveLength(1);
    expect(taken()).toEqual([]);
    await refund(500);
    expect(await alerts()).toEqual([]);
  });

  it('do not raise an alert forever once they were given up', async () => {
    provider.isAway = true;
    await refund(500);
    api.pass(DAY_MS);
    await api.run();
    expect(await alerts()).toHaveLength(1);
    provider.isAway = false;
    api.pass(7 * DAY_MS);
    await api.api.app.get(ComparePayments).run();
    expect(await alerts()).toEqual([]);
  });
});
