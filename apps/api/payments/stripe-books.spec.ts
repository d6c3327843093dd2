import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { ComparePayments } from './compare-payments.use-case';
import { SweepCheckouts } from './sweep-checkouts.use-case';
import { deliver, type FakeStripe, fakeStripe, type QueuedEvent, SECRET } from '@moorage/tests/fakes/stripe';

/** Order of delivery of a story's events. */
const DELIVERIES: Readonly<Record<string, (events: readonly QueuedEvent[]) => readonly QueuedEvent[]>> = {
  'in order': (events) => events,
  'in reverse order': (events) => events.toReversed(),
  'with every second one lost': (events) => events.filter((_, index) => index % 2 === 0),
  'five times concurrently': (events) => events.flatMap((event) => Array<QueuedEvent>(5).fill(event)),
  'not at all': () => [],
};

interface Story {
  /** Events of a payment of 20.00 with this payment intent. */
  readonly happens: (stripe: FakeStripe, intent: string) => void;
  /** Remaining amount in the account afterwards, in currency units. */
  readonly left: number;
  /** Amount in cents that Stripe withdrew beyond the payment and that the operator bears. */
  readonly beyond?: number;
}

const STORIES: Readonly<Record<string, Story>> = {
  'a payment': { happens: () => undefined, left: 20 },
  'refunded in parts': {
    happens(stripe, intent) {
      stripe.refund(intent, 500);
      stripe.refund(intent, 700);
    },
    left: 8,
  },
  'a refund that failed': {
    happens(stripe, intent) {
      stripe.refund(intent, 300);
      stripe.failRefund(stripe.refund(intent, 900).id);
    },
    left: 17,
  },
  'two disputes, one of them won': {
    happens(stripe, intent) {
      const first = stripe.dispute(intent, 500);
      stripe.dispute(intent, 600);
      stripe.closeDispute(first, 'won');
    },
    left: 14,
  },
  'a dispute won in part': {
    happens(stripe, intent) {
      const dispute = stripe.dispute(intent);
      stripe.reinstate(dispute, 800);
      stripe.closeDispute(dispute, 'lost');
    },
    left: 8,
  },
  'a dispute of what was refunded already': {
    happens(stripe, intent) {
      stripe.refund(intent, 1500);
      stripe.dispute(intent);
    },
    left: 0,
    beyond: 1500,
  },
  'an inquiry that takes nothing': {
    happens: (stripe, intent) => void stripe.dispute(intent, undefined, 0),
    left: 20,
  },
};

describe("our ledger and Stripe's", () => {
  let stripe: FakeStripe;
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    stripe = await fakeStripe();
    api = await apiHarness({
      settings: { stripe: { secretKey: 'sk_live_test', webhookSecrets: [SECRET], apiBase: stripe.url } },
    });
    stripe.now = () => api.deps.clock.localNow();
  });
  afterAll(async () => {
    await api.close();
    await stripe.close();
  });
  beforeEach(async () => {
    jane = await api.user();
  });

  async function begin(): Promise<string> {
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: 2000 });
    return (begun.body as { session_id: string }).session_id;
  }

  async function deliverAtOnce(events: readonly QueuedEvent[]): Promise<void> {
    const answers = await Promise.all(events.map(({ payload }) => deliver(api, payload)));
    expect(answers.map(({ status }) => status)).toEqual(events.map(() => 200));
  }

  /** Runs the sweep and the daily comparison. */
  async function dailyRun(): Promise<void> {
    api.pass(61 * MINUTE_MS);
    await api.api.app.get(SweepCheckouts).run();
    await api.api.app.get(ComparePayments).run();
    await api.run();
  }

  /** Returns the amounts in our ledger in cents, by payment. */
  async function ourBooks(): Promise<Map<string, number>> {
    const rows = await api.database.sql<{ payment_intent: string; cents: number }>(
      `select s.payment_intent, (-sum(l.amount_micros) / 10000)::int as cents
       from checkout_sessions s
       join ledger_transactions t on t.user_id = s.user_id and (t.cause = s.id
         or t.cause in (select m.id from payment_movements m where m.payment_intent = s.payment_intent))
       join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'payments'
       group by 1`,
    );
    return new Map(rows.map(({ payment_intent, cents }) => [payment_intent, cents]));
  }

  const balance = async () =>
    (await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number; owed: number };

  describe.each(Object.entries(STORIES))('%s', (_, { happens, left, beyond = 0 }) => {
    it.each(Object.entries(DELIVERIES))('agree when events are delivered %s', async (_how, arranged) => {
      const intent = stripe.pay(await begin());
      happens(stripe, intent);
      const events = arranged(stripe.takeEvents());
      if (events.length > 7) await deliverAtOnce(events);
      else for (const event of events) await deliverAtOnce([event]);
      await api.run();
      await dailyRun();
      expect(await balance()).toMatchObject({ regular_balance: left, owed: 0 });
      expect((await ourBooks()).get(intent)).toBe((stripe.books().get(intent) ?? 0) + beyond);
      const open = await api.database.sql(
        `select id from payment_differences where resolved_at is null and payment_intent = $1`,
        [intent],
      );
      expect(open).toEqual([]);
    });
  });

  it('count a slow payment when it succeeds, not when it fails', async () => {
    const [succeeds, fails] = [await begin(), await begin()];
    const good = stripe.pay(succeeds, { slow: true });
    const bad = stripe.pay(fails, { slow: true });
    await deliverAtOnce(stripe.takeEvents());
    expect(await balance()).toMatchObject({ regular_balance: 0 });
    stripe.settle(good, 'succeeded');
    stripe.settle(bad, 'failed');
    await deliverAtOnce(stripe.takeEvents());
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    const rows = await api.database.sql('select status from checkout_sessions where id = any($1) order by paid_at', [
      [succeeds, fails],
    ]);
    expect(rows).toEqual([{ status: 'paid' }, { status: 'failed' }]);
  });

  it("include an administrator's refund once when its response was lost, and reverse a failed one", async () => {
    const admin = await api.admin();
    const session = await begin();
    const intent = stripe.pay(session);
    await deliverAtOnce(stripe.takeEvents());
    stripe.cutNext(20);
    const requested = await api.http
      .post(`/api/billing/admin/payments/${session}/refund`)
      .set({ ...admin.auth, 'idempotency-key': 'refund-once' })
      .send({ amount_cents: 800, reason: 'Wrong package' });
    expect(requested.status).toBe(200);
    stripe.cutNext(0);
    api.pass(61 * MINUTE_MS);
    await api.run();
    await deliverAtOnce(stripe.takeEvents());
    await api.run();
    expect(stripe.books().get(intent)).toBe(1200);
    expect(await balance()).toMatchObject({ regular_balance: 12 });
    const [refund] = stripe.all('refund').filter((one) => one.payment_intent === intent);
    stripe.failRefund(refund?.id ?? '');
    await deliverAtOnce(stripe.takeEvents());
    await api.run();
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    expect((await ourBooks()).get(intent)).toBe(2000);
  });

  it('ignore payments of another product on the same Stripe account', async () => {
    const intent = stripe.foreignPayment(5000);
    stripe.refund(intent, 1000);
    stripe.dispute(intent);
    stripe.payOut(100);
    await deliverAtOnce(stripe.takeEvents());
    await dailyRun();
    const rows = await api.database.sql('select id from payment_differences where payment_intent = $1', [intent]);
    expect(rows).toEqual([]);
  });

  it('balance in the end', async () => {
    const unequal = 'select transaction_id from ledger_lines group by 1 having sum(amount_micros) <> 0';
    expect(await api.database.sql(unequal)).toEqual([]);
    expect(await api.database.sql('select id from payment_differences where resolved_at is null')).toEqual([]);
  });
});
