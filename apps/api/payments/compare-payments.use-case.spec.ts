import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { AutomaticTopUps } from './automatic/automatic-top-ups.service';
import { CardDouble } from '@moorage/tests/services/api/automatic-top-up';
import { ComparePayments } from './compare-payments.use-case';
import { SyncPayment } from './sync-payment.use-case';
import { intentOf, ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe("comparison with the payment provider's ledger", () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let jane: TestAccount;
  beforeEach(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    jane = await api.user();
  });
  afterEach(() => api.close());

  const compare = () => api.api.app.get(ComparePayments).run();
  const now = () => api.deps.clock.localNow();
  /** Makes a payment that both the provider and the ledger have. */
  async function pay(cents = 2000): Promise<string> {
    await api.pay(jane, cents);
    const intent = await intentOf(api, jane);
    provider.enter(intent, cents);
    return intent;
  }
  async function begin(cents = 2000): Promise<string> {
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: cents });
    return (begun.body as { session_id: string }).session_id;
  }
  const regular = async () =>
    ((await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number }).regular_balance;
  const open = () =>
    api.database.sql<{ id: string; kind: string; theirs: number | null; ours: number | null }>(
      `select id, kind, their_micros::int as theirs, our_micros::int as ours from payment_differences where resolved_at is null order by id`,
    );
  const alerts = async () =>
    (
      await api.database.sql<{ kind: string }>(
        `select kind from operator_alerts where resolved_at is null and kind in ('payment_differences', 'refund_not_made')`,
      )
    ).map(({ kind }) => kind);

  it('finds nothing when both are equal, and reports what was compared', async () => {
    const intent = await pay();
    const refund = provider.reversal(intent, 'refund', 500);
    provider.move(intent, refund, 'refund', 500);
    await api.api.app.get(SyncPayment).run(intent);
    api.pass(2 * HOUR_MS);
    expect(await compare()).toEqual({ compared: 2, differences: 0 });
    expect(await alerts()).toEqual([]);
    const [row] = await api.database.sql<{ hours: number }>(
      `select extract(epoch from to_at - from_at)::int / 3600 as hours from payment_comparisons`,
    );
    expect(row?.hours).toBe(35 * 24 - 1);
    api.pass(DAY_MS);
    await compare();
    const [, next] = await api.database.sql<{ hours: number }>(
      `select extract(epoch from to_at - from_at)::int / 3600 as hours from payment_comparisons order by id`,
    );
    expect(next?.hours).toBe(48);
  });

  it('posts a payment that only the provider knows, leaving no difference', async () => {
    const id = await begin();
    const other = await begin();
    provider.sessions.set(other, 'open');
    provider.sessions.set(id, {
      kind: 'paid',
      session_id: id,
      payment_intent: 'pi_missed',
      cents: 2000,
      currency: 'usd',
    });
    provider.enter('pi_missed', 2000);
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 0 });
    expect(await regular()).toBe(20);
  });

  describe('charge of a saved card that only the provider knows', () => {
    let cards: CardDouble;
    /** Charges the card, which the provider carries out. Returns the id of the attempt. */
    async function charge(mood: CardDouble['mood']): Promise<string> {
      cards = CardDouble.in(api);
      cards.mood = mood;
      await cards.store(api, jane);
      const on = { enabled: true, threshold: { kind: 'amount', amount: 8 }, amount_cents: 1000, month_cap_cents: 9000 };
      expect((await api.http.put('/api/billing/automatic-top-up').set(jane.auth).send(on)).status).toBe(200);
      await api.run();
      expect(cards.requested).toHaveLength(1);
      return cards.requested[0] ?? '';
    }
    const attempts = () =>
      api.database.sql<{ status: string; failure: string | null }>(
        `select status, failure from checkout_sessions where kind = 'automatic'`,
      );
    const consider = () => api.api.app.get(AutomaticTopUps).consider(jane.id);

    it('is posted when its response was lost and the attempt is marked as failed', async () => {
      const id = await charge('answer lost');
      // The card is removed, and the provider does not find the charge when it is looked up.
      await api.http.delete('/api/billing/card').set(jane.auth);
      cards.forget(id);
      api.pass(2 * HOUR_MS);
      await consider();
      expect(await attempts()).toEqual([{ status: 'failed', failure: 'card_removed' }]);
      provider.enter('pi_lost', 1000, { paymentId: id, at: now() - 2 * HOUR_MS });
      expect(await compare()).toMatchObject({ differences: 0 });
      expect(await attempts()).toMatchObject([{ status: 'paid' }]);
      expect(await regular()).toBe(10);
    });

    it('is posted when the bank decided after the attempt was given up, by its payment intent alone', async () => {
      await charge('open');
      api.pass(8 * DAY_MS);
      await consider();
      expect(await attempts()).toEqual([{ status: 'failed', failure: 'unresolved' }]);
      const [row] = await api.database.sql<{ payment_intent: string }>('select payment_intent from checkout_sessions');
      provider.enter(row?.payment_intent ?? '', 1000);
      api.pass(2 * HOUR_MS);
      expect(await compare()).toMatchObject({ differences: 0 });
      expect(await regular()).toBe(10);
    });

    it('is not posted twice, nor by an id that belongs to a checkout', async () => {
      const id = await begin(1000);
      provider.sessions.set(id, 'open');
      provider.enter('pi_strange', 1000, { paymentId: id });
      api.pass(2 * HOUR_MS);
      expect(await compare()).toMatchObject({ differences: 1 });
      expect(await regular()).toBe(0);
    });
  });

  it('posts a refund without an event', async () => {
    const intent = await pay();
    provider.move(intent, provider.reversal(intent, 'refund', 500), 'refund', 500);
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 0 });
    expect(await regular()).toBe(15);
  });

  it('records and alerts an irreparable difference once, until the ledgers agree', async () => {
    const id = provider.enter('pi_of_nobody', 700);
    api.pass(2 * HOUR_MS);
    await compare();
    api.pass(DAY_MS);
    await compare();
    expect(await open()).toEqual([{ id, kind: 'missing_here', theirs: 7_000_000, ours: null }]);
    expect(await alerts()).toEqual(['payment_differences']);
    // An operator has found its account. The comparison still covers the time at which the difference was found.
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at) values ('found', $1, 700, true, '', 'paid', 'pi_of_nobody', now(), now())`,
      [jane.id],
    );
    api.pass(5 * DAY_MS);
    await compare();
    expect(await open()).toEqual([]);
    expect(await alerts()).toEqual([]);
  });

  describe('difference that an administrator resolves', () => {
    let admin: TestAccount;
    beforeEach(async () => {
      admin = await api.admin();
    });
    const settle = (id: string, by = admin, reason = 'Corrected by an adjustment.') =>
      api.http.post(`/api/billing/admin/payment-differences/${id}/settle`).set(by.auth).send({ reason });
    const status = async (requested: ReturnType<typeof settle>) => (await requested).status;

    it('is closed with its alert at once, audited, and stays closed in later comparisons', async () => {
      const id = provider.enter('pi_of_nobody', 700);
      api.pass(2 * HOUR_MS);
      expect(await compare()).toMatchObject({ differences: 1 });
      expect(await status(settle(id))).toBe(200);
      expect([await open(), await alerts()]).toEqual([[], []]);
      for (let dailyRun = 0; dailyRun < 3; dailyRun++) {
        api.pass(DAY_MS);
        expect(await compare()).toMatchObject({ differences: 0 });
      }
      expect(await alerts()).toEqual([]);
      expect(
        await api.database.sql(
          `select actor_user_id, subject, reason, account_id from audit_records where action = 'payment.difference_settled'`,
        ),
      ).toEqual([
        {
          actor_user_id: admin.id,
          subject: `payment_difference:${id}`,
          reason: 'Corrected by an adjustment.',
          account_id: null,
        },
      ]);
    });

    it('no longer makes every comparison read from its day', async () => {
      const id = provider.enter('pi_of_nobody', 700);
      api.pass(2 * HOUR_MS);
      await compare();
      await settle(id);
      api.pass(DAY_MS);
      await compare();
      const spans = await api.database.sql<{ hours: number }>(
        `select extract(epoch from to_at - from_at)::int / 3600 as hours from payment_comparisons order by id`,
      );
      expect(spans.map(({ hours }) => hours)).toEqual([35 * 24 - 1, 48]);
    });

    it('reopens when an amount changes', async () => {
      const intent = await pay();
      provider.books.length = 0;
      const id = provider.enter(intent, 1999);
      const [payment] = await api.database.sql<{ id: string }>('select id from checkout_sessions');
      api.pass(2 * HOUR_MS);
      await compare();
      expect(await status(settle(id))).toBe(200);
      const shown = await api.http.get(`/api/billing/admin/payments/${payment?.id}`).set(admin.auth);
      expect((shown.body as { differences: object[] }).differences).toMatchObject([
        { id, settled: { because: 'Corrected by an adjustment.' } },
      ]);
      provider.books.splice(0, 1, { ...provider.books[0], cents: 1998 } as (typeof provider.books)[number]);
      expect(await compare()).toMatchObject({ differences: 1 });
      expect(await open()).toMatchObject([{ id, theirs: 19_980_000 }]);
    });

    it('stays open even when it is a year old and no longer searched for', async () => {
      const id = provider.enter('pi_of_nobody', 700);
      api.pass(2 * HOUR_MS);
      await compare();
      for (let quarter = 0; quarter < 4; quarter++) {
        api.pass(91 * DAY_MS);
        expect(await compare()).toMatchObject({ differences: 1 });
      }
      await settle(id, await api.admin());
      api.pass(DAY_MS);
      expect(await compare()).toMatchObject({ differences: 0 });
    });

    it('can be resolved for a test payment with hyphens in its id', async () => {
      const id = 'txn_test_22222222-2222-4222-8222-222222222222';
      await api.database.sql(
        `insert into payment_differences (id, kind, our_micros, first_seen_at, last_seen_at) values ($1, 'missing_there', 5, now(), now())`,
        [id],
      );
      expect(await status(settle(id))).toBe(200);
    });

    it('cannot be resolved twice, when unknown, without a reason, or by a customer', async () => {
      const id = provider.enter('pi_of_nobody', 700);
      api.pass(2 * HOUR_MS);
      await compare();
      expect(await status(settle('txn_unknown'))).toBe(404);
      expect(await status(settle(id, admin, '  '))).toBe(422);
      expect(await status(settle(id, jane))).toBe(403);
      expect(await open()).toHaveLength(1);
      const both = await Promise.all([status(settle(id)), status(settle(id))]);
      expect(both.sort()).toEqual([200, 409]);
    });
  });

  it('finds in later runs the differences that exceed the limit of one run', async () => {
    for (let n = 0; n < 1_002; n++) provider.enter(`pi_${n}`, 700, { at: now() + n });
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 1_000 });
    await api.database.sql(
      `update payment_differences set resolved_at = now(), settled_by = $1, settled_because = 'of a test account'`,
      [jane.id],
    );
    api.pass(10 * DAY_MS);
    expect(await compare()).toMatchObject({ differences: 2 });
  });

  it('reports a different amount, a different currency and payments that only we have', async () => {
    const [less, foreign] = [await pay(), await pay(3000)];
    await api.pay(jane, 4000);
    const ours = await intentOf(api, jane);
    for (const [intent, cents, currency] of [
      [less, 1999, 'usd'],
      [foreign, 3000, 'eur'],
    ] as const) {
      const index = provider.books.findIndex(({ paymentIntent }) => paymentIntent === intent);
      provider.books.splice(index, 1);
      provider.enter(intent, cents, { currency });
    }
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 3 });
    expect((await open()).map(({ kind, theirs, ours: here }) => [kind, theirs, here]).sort()).toEqual([
      ['amount', 19_990_000, 20_000_000],
      ['amount', 30_000_000, 30_000_000],
      ['missing_there', null, 40_000_000],
    ]);
    provider.enter(ours, 4000, { at: now() - 2 * HOUR_MS });
    expect(await compare()).toMatchObject({ differences: 2 });
  });

  it('accepts a payment that was applied long after the provider received it', async () => {
    await api.pay(jane, 2000);
    const intent = await intentOf(api, jane);
    await api.database.sql(`update checkout_sessions set created_at = created_at - interval '3 days'`);
    await api.database.sql(
      `insert into payment_comparisons (from_at, to_at, compared, differences, at)
       values ($1, $1, 0, 0, $1)`,
      [new Date(now() - HOUR_MS).toISOString()],
    );
    provider.enter(intent, 2000, { at: now() - 2 * DAY_MS });
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ compared: 1, differences: 0 });
  });

  it('ignores movements younger than an hour', async () => {
    provider.enter('pi_just_now', 2000);
    expect(await compare()).toMatchObject({ differences: 0 });
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 1 });
  });

  it('keeps a difference whose repair failed, and repairs the others', async () => {
    const intent = await pay();
    const broken = await pay(3000);
    for (const one of [broken, intent]) provider.move(one, provider.reversal(one, 'refund', 500), 'refund', 500);
    const reversalsOf = provider.reversalsOf.bind(provider);
    provider.reversalsOf = (requested) =>
      requested === broken ? Promise.reject(new Error('sk_canary')) : reversalsOf(requested);
    api.pass(2 * HOUR_MS);
    expect(await compare()).toMatchObject({ differences: 1 });
    expect(await regular()).toBe(45);
    expect(api.logged()).not.toContain('sk_canary');
  });

  it('closes the alert of a dispute that ended without an event', async () => {
    const intent = await pay();
    const dispute = provider.reversal(intent, 'dispute', 2000);
    await api.api.app.get(SyncPayment).run(intent);
    const disputed = () =>
      api.database.sql(`select 1 from operator_alerts where kind = 'payment_disputed' and resolved_at is null`);
    expect(await disputed()).toHaveLength(1);
    provider.change(intent, dispute, { status: 'lost' });
    api.pass(2 * HOUR_MS);
    await compare();
    expect(await disputed()).toEqual([]);
  });

  it('fails while the provider is down, and the next run covers its period', async () => {
    provider.enter('pi_of_nobody', 700);
    api.pass(2 * HOUR_MS);
    provider.isAway = true;
    await expect(compare()).rejects.toThrow('away');
    provider.isAway = false;
    api.pass(3 * DAY_MS);
    expect(await compare()).toMatchObject({ differences: 1 });
  });
});
