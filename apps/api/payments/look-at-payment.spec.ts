import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, iso } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '../http/testing';
import { LookAtPayment } from './look-at-payment';
import { intentOf, ProviderDouble } from './testing/provider-double';

describe('a look at a payment', () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let look: LookAtPayment;
  let jane: TestAccount;
  let intent: string;
  beforeAll(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    look = api.api.app.get(LookAtPayment);
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

  it('posts each balance transaction once, however often it looks, and at the same time', async () => {
    const refund = provider.reversal(intent, 'refund', 500);
    provider.move(intent, refund, 'refund', 500);
    await Promise.all([look.run(intent), look.run(intent), look.run(intent)]);
    await look.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 15 });
    expect((await subjects()).filter((subject) => subject.startsWith('Payment refunded'))).toEqual([
      'Payment refunded: $5.00',
    ]);
  });

  it('two disputes, one of them won in part and a refund that came back: after every step the books are right', async () => {
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
      await look.run(intent);
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

  it('a dispute after the money is spent is owed, and what comes back pays it first', async () => {
    const admin = await api.admin();
    await api.http
      .post(`/api/billing/admin/users/${jane.id}/adjust-balance`)
      .set(admin.auth)
      .send({ amount: -15, description: 'spent' });
    const dispute = provider.reversal(intent, 'dispute', 2000);
    provider.move(intent, dispute, 'dispute', 2000);
    await look.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 0, owed: 15 });
    provider.move(intent, dispute, 'dispute_won', 2000);
    await look.run(intent);
    expect(await balance()).toMatchObject({ regular_balance: 5, owed: 0 });
  });

  it('what the provider answered before is not taken for newer', async () => {
    const dispute = provider.reversal(intent, 'dispute', 2000);
    const before = provider.reversals.get(intent) ?? [];
    let answer: () => void = () => {};
    let slow: Promise<void> = Promise.resolve();
    await new Promise<void>((asked) => {
      provider.answer = () => {
        provider.answer = null;
        asked();
        return new Promise((resolve) => (answer = () => resolve(before)));
      };
      slow = look.run(intent);
    });
    provider.change(intent, dispute, { status: 'lost' });
    api.pass(1000);
    await look.run(intent);
    answer();
    await slow;
    expect(await api.database.sql('select status from payment_reversals where id = $1', [dispute])).toEqual([
      { status: 'lost' },
    ]);
  });

  it('a dispute is an alert with the day it has to be answered by, until it was', async () => {
    const dueBy = api.deps.clock.localNow() + 7 * DAY_MS;
    const dispute = provider.reversal(intent, 'dispute', 2000, { dueBy });
    await look.run(intent);
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
    await look.run(intent);
    expect(await alerts()).toEqual([]);
  });

  it('a movement in another currency is not posted; operators see it once', async () => {
    const refund = provider.reversal(intent, 'refund', 500, { currency: 'eur' });
    const id = provider.move(intent, refund, 'refund', 500, 'eur');
    await look.run(intent);
    await look.run(intent);
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

  it('of a payment that was not received here asks nobody', async () => {
    provider.isAway = true;
    await expect(look.run('pi_of_somebody_else')).resolves.toBeUndefined();
  });

  it('is tried again until the provider is reached', async () => {
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
});
