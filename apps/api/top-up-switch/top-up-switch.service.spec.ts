import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { DAY_MS } from '@moorage/domain';
import { ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { SyncPayment } from '../payments/sync-payment.use-case';
import { intentOf, ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';
import { AutomaticTopUps } from '../payments/automatic/automatic-top-ups.service';
import { CARD, CardDouble } from '@moorage/tests/services/api/automatic-top-up';

/** H1 of the second review of money: the card is charged for usage, and never because money was deducted. */

let api: ApiHarness;
let provider: ProviderDouble;
let cards: CardDouble;
let admin: TestAccount;
let jane: TestAccount;
let intent: string;
let payment: string;
beforeAll(async () => {
  api = await apiHarness();
  provider = ProviderDouble.in(api);
  admin = await api.admin();
});
afterAll(() => api.close());

/** A customer who paid 20.00 manually. The card is charged 10.00 when less than 8.00 is left. */
beforeEach(async () => {
  cards = CardDouble.in(api);
  await api.database.sql('delete from saved_cards');
  jane = await api.user();
  await api.pay(jane, 2_000);
  intent = await intentOf(api, jane);
  [{ id: payment = '' } = {}] = await api.database.sql<{ id: string }>(
    'select id from checkout_sessions where payment_intent = $1',
    [intent],
  );
  await cards.store(api, jane);
  await turnOn();
  await api.run();
});

const turnOn = async (): Promise<void> => {
  const answer = await api.http
    .put('/api/billing/automatic-top-up')
    .set(jane.auth)
    .send({ enabled: true, threshold: { kind: 'amount', amount: 8 }, amount_cents: 1_000, month_cap_cents: 10_000 });
  expect(answer.status).toBe(200);
};
const state = async () => {
  const { body } = await api.http.get('/api/billing/automatic-top-up').set(jane.auth);
  const { enabled, off_reason: reason } = body as AutomaticTopUpAnswer;
  return { enabled, reason };
};
const balance = async () =>
  (await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number; owed: number };
const mails = async () =>
  (await api.mailsTo(jane.email)).filter(({ subject }) => subject === 'Automatic top-up was turned off');

interface Story {
  readonly reason: string;
  readonly left: number;
  readonly happens: () => Promise<unknown>;
}
const adjust = (amount: number) =>
  api.http
    .post(`/api/billing/admin/users/${jane.id}/adjust-balance`)
    .set(admin.auth)
    .send({ amount, description: 'You asked us to.' });
const STORIES: Readonly<Record<string, Story>> = {
  'a refund by an administrator': {
    reason: 'refund',
    left: 5,
    happens: () =>
      api.http
        .post(`/api/billing/admin/payments/${payment}/refund`)
        .set(admin.auth)
        .send({ amount_cents: 1_500, reason: 'They asked for it.' }),
  },
  'a refund at the provider': {
    reason: 'refund',
    left: 5,
    happens() {
      provider.move(intent, provider.reversal(intent, 'refund', 1_500), 'refund', 1_500);
      return api.api.app.get(SyncPayment).run(intent);
    },
  },
  'a dispute': {
    reason: 'dispute',
    left: 0,
    happens() {
      provider.move(intent, provider.reversal(intent, 'dispute', 2_000), 'dispute', 2_000);
      return api.api.app.get(SyncPayment).run(intent);
    },
  },
  'an inquiry of the bank, before any money moves': {
    reason: 'dispute',
    left: 20,
    happens() {
      provider.reversal(intent, 'dispute', 2_000, { status: 'warning_needs_response' });
      return api.api.app.get(SyncPayment).run(intent);
    },
  },
  'a negative adjustment': { reason: 'adjustment', left: 0, happens: () => adjust(-20) },
  'a credit made smaller': {
    reason: 'adjustment',
    left: 5,
    async happens() {
      await api.database.sql('update wallets set regular_micros = 5000000 where user_id = $1', [jane.id]);
      const at = new Date(await api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx)));
      const ends = new Date(at.getTime() + 30 * DAY_MS);
      const [credit] = await api.database.sql<{ id: number }>(
        `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
         values ($1, 'signup', 5000000, 5000000, $2, $3) returning id`,
        [jane.id, at.toISOString(), ends.toISOString()],
      );
      await api.http.patch(`/api/referrals/admin/credits/${credit?.id}/adjust`).set(admin.auth).send({ amount: 1 });
    },
  },
  'the removal of all deployments': {
    reason: 'preparation',
    left: 20,
    happens: () =>
      api.http.post(`/api/users/${jane.id}/prepare-deletion`).set(admin.auth).send({ reason: 'You asked us to.' }),
  },
};

describe('automatic top-up', () => {
  it.each(Object.entries(STORIES))('is turned off by %s, and nothing is charged', async (_, story) => {
    await story.happens();
    await api.run();
    await api.api.app.get(AutomaticTopUps).pass();
    await api.run();
    expect(cards.paid).toBe(0);
    expect(await balance()).toMatchObject({ regular_balance: story.left });
    expect(await state()).toEqual({ enabled: false, reason: story.reason });
    expect(await mails()).toHaveLength(1);
    const history = await api.http.get('/api/users/self/activity').set(jane.auth);
    expect(JSON.stringify(history.body)).toContain('history.automatic_top_up_stopped');
  });

  it('stays on after a positive adjustment, and after a dispute that its owner won', async () => {
    await adjust(5);
    provider.reversal(intent, 'dispute', 2_000, { status: 'won' });
    await api.api.app.get(SyncPayment).run(intent);
    await api.run();
    expect(await state()).toEqual({ enabled: true, reason: null });
  });

  it('is not turned off again by another check of the same refund', async () => {
    provider.move(intent, provider.reversal(intent, 'refund', 100), 'refund', 100);
    await api.api.app.get(SyncPayment).run(intent);
    await turnOn();
    await api.api.app.get(SyncPayment).run(intent);
    await api.run();
    expect(await state()).toEqual({ enabled: true, reason: null });
  });

  it('charges nothing while the account has a debt, even if it is turned on again', async () => {
    await ordered(api, jane);
    await api.database.sql('update wallets set regular_micros = 0 where user_id = $1', [jane.id]);
    provider.move(intent, provider.reversal(intent, 'dispute', 2_000), 'dispute', 2_000);
    await api.api.app.get(SyncPayment).run(intent);
    expect((await balance()).owed).toBeGreaterThan(0);
    await turnOn();
    await api.run();
    expect(cards.paid).toBe(0);
  });

  it('does not charge an account that is being closed: its balance is withdrawn, then it is deactivated', async () => {
    await adjust(-20);
    await api.run();
    const answer = await api.http.post(`/api/users/${jane.id}/deactivate`).set(admin.auth);
    await api.run();
    expect([answer.status, cards.paid]).toEqual([200, 0]);
  });

  it('is turned off by an administrator with a reason that the owner can read', async () => {
    const path = `/api/billing/admin/users/${jane.id}/automatic-top-up`;
    const before = await api.http.get(path).set(admin.auth);
    expect(before.body).toMatchObject({ enabled: true, card: { last4: CARD.last4 } });
    expect((await api.http.post(`${path}/stop`).set(admin.auth).send({})).status).toBe(422);
    const stopped = await api.http.post(`${path}/stop`).set(admin.auth).send({ reason: 'You asked us to.' });
    expect(stopped.body).toMatchObject({ enabled: false, off_reason: 'administrator' });
    await api.run();
    expect(await mails()).toHaveLength(1);
    const { body } = await api.http.get('/api/users/self/activity').set(jane.auth);
    expect((body as { activity: object[] }).activity[0]).toMatchObject({
      what: { code: 'history.automatic_top_up_stopped' },
      by: 'support',
      reason: 'You asked us to.',
    });
    const nobody = await api.http.get('/api/billing/admin/users/999999/automatic-top-up').set(admin.auth);
    expect(nobody.status).toBe(404);
  });
});
