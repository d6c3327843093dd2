import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, iso, Money } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { SyncPayment } from './sync-payment.use-case';
import { intentOf, ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe('payment sync', () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let sync: SyncPayment;
  let jane: TestAccount;
  let intent: string;
  beforeAll(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    sync = api.api.app.get(SyncPayment);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    provider.isAway = false;
    jane = await api.user();
    await api.pay(jane, 2000);
    intent = await intentOf(api, jane);
  });

  const balance = async () =>
    (await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number; owed: number };
  const alerts = () =>
    api.database.sql<{ subject: string; facts: object }>(
      `select subject, facts from operator_alerts
       where kind = 'payment_disputed' and resolved_at is null and (facts ->> 'user_id')::int = $1`,
      [jane.id],
    );
  const subjects = async () => {
    await api.run();
    return (await api.mailsTo(jane.email)).map(({ subject }) => subject);
  };

  it('posts each balance transaction once, however often and concurrently it runs', async () => {
    const refund = provider.reversal(intent, 'refund', 500);
    provider.move(intent, refund, 'refund', 500);
    await Promise.all([sync.run(intent), sync.run(intent), sync.run(intent)]);
    await sync.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 15 });
    expect((await subjects()).filter((subject) => subject.startsWith('Payment refunded'))).toEqual([
      'Payment refunded: $5.00',
    ]);
  });

  it('keeps the ledger correct at every step of two disputes, a partial win and a returned refund', async () => {
    const refund = provider.reversal(intent, 'refund', 600);
    const [first, second] = [provider.reversal(intent, 'dispute', 700), provider.reversal(intent, 'dispute', 700)];
    const steps = [
      ['refund', refund, 600, 14],
      ['dispute', first, 700, 7],
      ['dispute', second, 700, 0],
      ['refund_failed', refund, 600, 6],
      ['dispute_won', first, 300, 9],
    ] as const;
    for (const [kind, reversal, cents, regular] of steps) {
      provider.move(intent, reversal, kind, cents);
      await sync.run(intent);
      expect(await balance()).toMatchObject({ regular_balance: regular, owed: 0 });
    }
    expect(await subjects()).toEqual(
      expect.arrayContaining([
        'Payment refunded: $6.00',
        'Refund did not reach your card: $6.00',
        'Payment disputed: $7.00',
        'Dispute settled: $3.00',
      ]),
    );
  });

  it('records a debt for a dispute after the money is spent, and repays it first from returned money', async () => {
    const admin = await api.admin();
    await api.http
      .post(`/api/billing/admin/users/${jane.id}/adjust-balance`)
      .set(admin.auth)
      .send({ amount: -15, description: 'spent' });
    const dispute = provider.reversal(intent, 'dispute', 2000);
    provider.move(intent, dispute, 'dispute', 2000);
    await sync.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 0, owed: 15 });
    provider.move(intent, dispute, 'dispute_won', 2000);
    await sync.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 5, owed: 0 });
  });

  it('does not treat an older provider response as newer', async () => {
    const dispute = provider.reversal(intent, 'dispute', 2000);
    const before = provider.reversals.get(intent) ?? [];
    let answer: () => void = () => {};
    let slow: Promise<void> = Promise.resolve();
    await new Promise<void>((requested) => {
      provider.answer = () => {
        provider.answer = null;
        requested();
        return new Promise((resolve) => (answer = () => resolve(before)));
      };
      slow = sync.run(intent);
    });
    provider.change(intent, dispute, { status: 'lost' });
    api.pass(1000);
    await sync.run(intent);
    answer();
    await slow;
    expect(await api.database.sql('select status from payment_reversals where id = $1', [dispute])).toEqual([
      { status: 'lost' },
    ]);
  });

  it('raises an alert for a dispute with its deadline until it is answered', async () => {
    const dueBy = api.deps.clock.localNow() + 7 * DAY_MS;
    const dispute = provider.reversal(intent, 'dispute', 2000, { dueBy });
    await sync.run(intent);
    expect(await alerts()).toEqual([
      {
        subject: dispute,
        facts: {
          payment: expect.stringMatching(/^cs_test_/),
          user_id: jane.id,
          amount_cents: 2000,
          due_by: iso(dueBy),
        },
      },
    ]);
    provider.change(intent, dispute, { status: 'under_review' });
    await sync.run(intent);
    expect(await alerts()).toEqual([]);
  });

  it('posts no movement in another currency and alerts operators once', async () => {
    const refund = provider.reversal(intent, 'refund', 500, { currency: 'eur' });
    const id = provider.move(intent, refund, 'refund', 500, 'eur');
    await sync.run(intent);
    await sync.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    expect(
      await api.database.sql('select action, facts from audit_records where subject = $1', [`payment_movement:${id}`]),
    ).toEqual([{ action: 'payment.refused', facts: { type: 'refund', because: 'refused: currency' } }]);
    expect(
      await api.database.sql(
        `select 1 from operator_alerts where kind = 'payment_differences' and resolved_at is null`,
      ),
    ).toHaveLength(1);
  });

  it('requests nothing for a payment that was not received here', async () => {
    provider.isAway = true;
    await expect(sync.run('pi_of_somebody_else')).resolves.toBeUndefined();
  });

  it('retries until the provider is reached', async () => {
    provider.move(intent, provider.reversal(intent, 'refund', 500), 'refund', 500);
    provider.isAway = true;
    await api.deps.db.tx('test.look', (tx) =>
      api.deps.work.schedule(tx, { kind: 'look-at-payment', key: intent, due_at: 0 }),
    );
    await expect(api.run()).rejects.toThrow('away');
    provider.isAway = false;
    api.pass(DAY_MS);
    await api.run();
    expect(await balance()).toMatchObject({ regular_balance: 15 });
  });

  describe('payment posted by an earlier version, which stored one total per payment', () => {
    /** Stores the data of that version: the sum, and its postings under the ids of events. */
    async function posted(sum: number, ...movements: [type: string, units: number][]): Promise<void> {
      await api.database.sql(
        `insert into payment_withdrawals (payment_intent, kind, withdrawn_micros) values ($1, 'dispute', $2)`,
        [intent, sum * 1e6],
      );
      const { db, ledger, clock } = api.deps;
      for (const [type, units] of movements)
        await db.tx('test.earlier', async (tx) =>
          ledger.adjust(tx, {
            userId: jane.id,
            amount: Money.of(type === 'dispute' ? -units : units),
            actorUserId: jane.id,
            at: await clock.now(tx),
          }),
        );
    }
    const dispute = (...kinds: ('dispute' | 'dispute_won')[]) => {
      const id = provider.reversal(intent, 'dispute', 2000, { status: kinds.length === 2 ? 'won' : 'needs_response' });
      for (const kind of kinds) provider.move(intent, id, kind, 2000);
    };
    const recorded = () =>
      api.database.sql<{ kind: string; posted: number }>(
        `select kind, (posted_micros / 1000000)::int as posted from payment_movements where payment_intent = $1
         order by created_at, id`,
        [intent],
      );

    it('posts no won dispute twice, and sends no email', async () => {
      await posted(0, ['dispute', 20], ['dispute_won', 20]);
      dispute('dispute', 'dispute_won');
      for (let checks = 0; checks < 2; checks++) await sync.run(intent);
      expect(await balance()).toMatchObject({ regular_balance: 20, owed: 0 });
      expect(await recorded()).toEqual([
        { kind: 'dispute', posted: 0 },
        { kind: 'dispute_won', posted: 0 },
      ]);
      expect((await subjects()).filter((subject) => subject.startsWith('Disput'))).toEqual([]);
    });

    it('returns the money of a newly won dispute once', async () => {
      await posted(20, ['dispute', 20]);
      dispute('dispute', 'dispute_won');
      for (let checks = 0; checks < 2; checks++) await sync.run(intent);
      expect(await balance()).toMatchObject({ regular_balance: 20, owed: 0 });
      expect((await recorded()).map(({ posted: units }) => units)).toEqual([0, 20]);
    });

    it('posts a refund after a won dispute', async () => {
      await posted(0, ['dispute', 20], ['dispute_won', 20]);
      dispute('dispute', 'dispute_won');
      provider.move(intent, provider.reversal(intent, 'refund', 500), 'refund', 500);
      await sync.run(intent);
      expect(await balance()).toMatchObject({ regular_balance: 15, owed: 0 });
    });
  });
});
