import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { neighbours, ordered } from '@moorage/tests/services/api/deployments';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import type { SavedCard } from '../payment-provider';
import { AutomaticTopUps } from './automatic-top-ups.service';
import { CARD, CardDouble } from '@moorage/tests/services/api/automatic-top-up';

let api: ApiHarness;
let provider: CardDouble;
let topUps: AutomaticTopUps;
let jane: TestAccount;

/** Settings that charge immediately, because the account is empty. */
const SETTINGS = {
  enabled: true,
  threshold: { kind: 'amount', amount: 8 },
  amount_cents: 1_000,
  month_cap_cents: 10_000,
};
const STOPPED = 'Automatic top-up was turned off';

const sql = <Row extends object>(text: string, params: (string | number | boolean)[] = []) =>
  api.database.sql<Row>(text, params);

const keepCard = (account: TestAccount, over: Partial<SavedCard> = {}) => provider.store(api, account, over);

const change = (account: TestAccount, over: object = {}) =>
  api.http
    .put('/api/billing/automatic-top-up')
    .set(account.auth)
    .send({ ...SETTINGS, ...over });
const read = async (account: TestAccount): Promise<AutomaticTopUpAnswer> =>
  (await api.http.get('/api/billing/automatic-top-up').set(account.auth)).body as AutomaticTopUpAnswer;

/** Enables automatic top-up without a check. Each test runs its own checks. */
async function on(account: TestAccount, over: object = {}): Promise<void> {
  expect((await change(account, over)).status).toBe(200);
  await sql(`delete from work where kind = 'automatic-top-up'`);
}

const attemptsOf = ({ id }: TestAccount) =>
  sql<{ id: string; status: string; failure: string | null; amount_cents: number }>(
    `select id, status, failure, amount_cents from checkout_sessions where user_id = $1 and kind = 'automatic'
     order by created_at`,
    [id],
  );
const balanceOf = async ({ id }: TestAccount): Promise<number> => {
  const [row] = await sql<{ micros: string }>('select regular_micros as micros from wallets where user_id = $1', [id]);
  return Number(row?.micros) / 1e6;
};
const isOn = async ({ id }: TestAccount) =>
  (
    await sql<{ enabled: boolean; off_reason: string | null }>(
      'select enabled, off_reason from automatic_top_ups where user_id = $1',
      [id],
    )
  )[0];
const mailed = async ({ email }: TestAccount, subject: string): Promise<number> => {
  await api.run();
  return (await api.mailsTo(email)).filter((mail) => mail.subject === subject).length;
};
const spend = ({ id }: TestAccount) => sql('update wallets set regular_micros = 0 where user_id = $1', [id]);

beforeAll(async () => {
  api = await apiHarness();
  topUps = api.api.app.get(AutomaticTopUps);
});
afterAll(() => api.close());
beforeEach(async () => {
  provider = CardDouble.in(api);
  // Accounts of earlier tests must not be charged.
  await sql('delete from saved_cards');
  await sql('delete from automatic_top_ups');
  jane = await api.user();
  await keepCard(jane);
});

describe('account with a low balance', () => {
  it('is charged once turned on, and the money is a payment like any other', async () => {
    await change(jane);
    await api.run();
    expect(await balanceOf(jane)).toBe(10);
    const [attempt] = await attemptsOf(jane);
    expect(attempt).toMatchObject({ status: 'paid', failure: null, amount_cents: 1_000 });
    expect(await sql('select type, cause from ledger_transactions where user_id = $1', [jane.id])).toEqual([
      { type: 'payment', cause: attempt?.id },
    ]);
    expect(await read(jane)).toMatchObject({ month_used_cents: 1_000, last: { status: 'paid', amount_cents: 1_000 } });
  });

  it('is charged on schedule when the runway is shorter than the chosen number of days', async () => {
    await toFirstMinuteOfDay(api);
    await api.pay(jane, 500);
    const deployment = await ordered(api, jane);
    await (await neighbours(api)).moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await api.run();
    await on(jane, { threshold: { kind: 'days', days: 1 } });
    await topUps.pass();
    await api.run();
    expect(provider.paid).toBe(0);
    await on(jane, { threshold: { kind: 'days', days: 30 } });
    await topUps.pass();
    await api.run();
    expect(provider.paid).toBe(1);
  });

  it('has its card charged on the event of a grace period, and keeps the deployment', async () => {
    await toFirstMinuteOfDay(api);
    await api.pay(jane, 500);
    const { id } = await ordered(api, jane);
    await (await neighbours(api)).moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await on(jane, { threshold: { kind: 'amount', amount: 1 } });
    await api.run();
    // 5.00 pays five days at 0.8544, and the charge of the sixth finds 0.728.
    for (const ms of [0, 5 * DAY_MS]) {
      api.pass(ms);
      const { db, clock, ledger } = api.deps;
      await db.tx('test.settle', async (tx) => ledger.settleAccount(tx, { userId: jane.id, at: await clock.now(tx) }));
    }
    const waiting = () =>
      sql('select deployment_id as id from meters where deployment_id = $1 and grace_period_day is not null', [id]);
    expect([await waiting(), provider.paid]).toEqual([[{ id }], 0]);
    await api.run();
    expect([await waiting(), provider.paid]).toEqual([[], 1]);
  });

  it('is charged once by 64 concurrent checks', async () => {
    await on(jane);
    await Promise.all(Array.from({ length: 64 }, () => topUps.consider(jane.id)));
    expect([provider.requested.length, provider.paid]).toEqual([1, 1]);
    expect(await balanceOf(jane)).toBe(10);
    expect(await attemptsOf(jane)).toHaveLength(1);
  });

  it('is charged once an hour and three times in 24 hours, however fast the balance drops', async () => {
    await on(jane);
    for (let minutes = 0; minutes < 24 * 60; minutes += 20) {
      await topUps.consider(jane.id);
      await spend(jane);
      api.pass(20 * MINUTE_MS);
      if (minutes === 40) expect(provider.paid).toBe(1);
      if (minutes === 60) expect(provider.paid).toBe(2);
    }
    expect(provider.paid).toBe(3);
    await topUps.consider(jane.id);
    expect(provider.paid).toBe(4);
  });

  it('is not charged beyond the monthly cap, and gets one email about it', async () => {
    await toFirstMinuteOfDay(api);
    await on(jane, { month_cap_cents: 1_999 });
    await topUps.consider(jane.id);
    for (let hours = 0; hours < 5; hours++) {
      api.pass(HOUR_MS);
      await spend(jane);
      await topUps.consider(jane.id);
      await topUps.pass();
    }
    expect([provider.paid, await isOn(jane)]).toEqual([1, { enabled: true, off_reason: null }]);
    expect(await mailed(jane, 'Your monthly limit for automatic top-up is reached')).toBe(1);
  });

  it('is not charged for another account', async () => {
    const john = await api.user();
    await on(jane);
    await api.run();
    await topUps.consider(john.id);
    expect(await attemptsOf(john)).toEqual([]);
    expect(await read(john)).toMatchObject({ card: null, enabled: false, last: null, month_used_cents: 0 });
    expect(provider.paid).toBe(0);
  });
});

describe('failed charge', () => {
  it.each(['declined', 'authentication'] as const)(
    '%s: turns automatic top-up off after one attempt with one email',
    async (mood) => {
      provider.mood = mood;
      await on(jane);
      for (let hours = 0; hours < 6; hours++) {
        await topUps.consider(jane.id);
        await topUps.pass();
        await api.run();
        api.pass(HOUR_MS);
      }
      expect(provider.requested).toHaveLength(1);
      expect(await isOn(jane)).toEqual({ enabled: false, off_reason: mood });
      expect(await attemptsOf(jane)).toMatchObject([{ status: 'failed', failure: 'insufficient_funds' }]);
      expect(await mailed(jane, STOPPED)).toBe(1);
      expect(await balanceOf(jane)).toBe(0);
    },
  );

  it('turns automatic top-up off with an email instead of charging an expired card', async () => {
    await on(jane);
    await sql('update saved_cards set exp_year = 2020 where user_id = $1', [jane.id]);
    await topUps.pass();
    expect(await mailed(jane, STOPPED)).toBe(1);
    expect([await isOn(jane), provider.requested]).toEqual([{ enabled: false, off_reason: 'card_expired' }, []]);
  });

  it('waits for the bank while pending, then posts the outcome', async () => {
    provider.mood = 'open';
    await on(jane);
    const first = await topUps.consider(jane.id);
    expect(first).not.toBeNull();
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'open' }]);
    api.pass(10 * MINUTE_MS);
    const second = await topUps.consider(jane.id);
    // The interval grows with the age of the attempt.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(18 * MINUTE_MS);
    provider.settle('paid');
    api.pass(10 * MINUTE_MS);
    expect(await topUps.consider(jane.id)).toBeNull();
    expect([provider.requested.length, await balanceOf(jane)]).toEqual([1, 10]);
  });

  it('gives up after a pending week and stays on', async () => {
    provider.mood = 'open';
    await on(jane);
    await topUps.consider(jane.id);
    await api.run();
    api.pass(7 * DAY_MS);
    await topUps.consider(jane.id);
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'failed', failure: 'unresolved' }]);
    expect(await isOn(jane)).toMatchObject({ enabled: true });
  });
});

it.each([
  ['unresolved', 'cus_jane', 1_000],
  ['card_removed', null, 1_000],
  ['card_removed', 'cus_jane', 0],
  ['insufficient_funds', 'cus_jane', 0],
])('counts an attempt that failed as %s of %s as %d towards the cap', async (failure, customer, cents) => {
  const { clock } = api.deps;
  await api.database.sql(
    `insert into checkout_sessions (id, user_id, kind, amount_cents, test_mode, url, created_at, status, failure, customer)
     values ($1, $2, 'automatic', 1000, true, '', $3, 'failed', $4, $5)`,
    [`auto_${jane.id}_${failure}`, jane.id, new Date(clock.localNow()).toISOString(), failure, customer],
  );
  expect(await read(jane)).toMatchObject({ month_used_cents: cents, last: { status: 'failed' } });
});

describe('charge while the provider does not respond', () => {
  it('is found instead of repeated when the response was lost', async () => {
    provider.mood = 'answer lost';
    await change(jane);
    await api.run();
    expect([provider.paid, await balanceOf(jane)]).toEqual([1, 0]);
    api.pass(MINUTE_MS + SECOND_MS);
    await api.run();
    expect([provider.requested.length, provider.paid, await balanceOf(jane)]).toEqual([1, 1, 10]);
  });

  it('is found at its customer even if the owner removed the card meanwhile', async () => {
    provider.mood = 'answer lost';
    await on(jane);
    await topUps.consider(jane.id);
    await api.http.delete('/api/billing/card').set(jane.auth);
    api.pass(10 * MINUTE_MS);
    await topUps.consider(jane.id);
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'paid' }]);
    expect(await balanceOf(jane)).toBe(10);
  });

  it('does not use a card that was saved during the outage for the old attempt', async () => {
    provider.mood = 'away';
    await on(jane);
    await topUps.consider(jane.id);
    api.pass(10 * MINUTE_MS);
    const { clock } = api.deps;
    await sql(`update saved_cards set customer = 'cus_other', saved_at = $1 where user_id = $2`, [
      new Date(clock.localNow()).toISOString(),
      jane.id,
    ]);
    provider.mood = 'paid';
    await topUps.consider(jane.id);
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'failed', failure: 'not_charged' }]);
    expect(provider.paid).toBe(0);
  });

  it('is retried as the same attempt with growing delays', async () => {
    provider.mood = 'away';
    await change(jane);
    for (let minutes = 0; minutes < 12 * 60; minutes++) {
      if (minutes === 11 * 60) provider.mood = 'paid';
      await api.run();
      api.pass(MINUTE_MS);
    }
    expect(new Set(provider.requested).size).toBe(1);
    expect([provider.paid, await balanceOf(jane)]).toEqual([1, 10]);
    expect(api.logged()).not.toContain('ETIMEDOUT');
  });

  it('is no longer attempted once the account has a debt', async () => {
    provider.mood = 'away';
    await on(jane);
    await topUps.consider(jane.id);
    await sql('update wallets set owed_micros = -1000000 where user_id = $1', [jane.id]);
    provider.mood = 'paid';
    api.pass(10 * MINUTE_MS);
    await topUps.consider(jane.id);
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'failed', failure: 'not_charged' }]);
    expect(provider.paid).toBe(0);
  });

  it('is given up after a day, and the next attempt starts', async () => {
    provider.mood = 'away';
    await on(jane);
    await topUps.consider(jane.id);
    api.pass(23 * HOUR_MS);
    provider.mood = 'paid';
    await topUps.consider(jane.id);
    expect(await attemptsOf(jane)).toMatchObject([{ status: 'failed', failure: 'not_charged' }]);
    expect([provider.paid, await isOn(jane)]).toEqual([0, { enabled: true, off_reason: null }]);
    await topUps.consider(jane.id);
    expect([provider.paid, await balanceOf(jane)]).toEqual([1, 10]);
  });

  it('is retried under the same id after a process died between row and response', async () => {
    provider.mood = 'hangs';
    await on(jane);
    const dead = topUps.consider(jane.id);
    await waitFor(() => provider.requested.length === 1);
    provider.mood = 'paid';
    // Not taken over while another process may still be working on it.
    await topUps.consider(jane.id);
    expect(provider.requested).toHaveLength(1);
    api.pass(MINUTE_MS + SECOND_MS);
    await topUps.consider(jane.id);
    expect([provider.requested[0], provider.requested.length]).toEqual([provider.requested[1], 2]);
    provider.release();
    await dead;
    expect([provider.paid, await balanceOf(jane)]).toEqual([1, 10]);
  });

  it('is not repeated for an owner who turned automatic top-up off meanwhile', async () => {
    provider.mood = 'away';
    await on(jane);
    await topUps.consider(jane.id);
    await on(jane, { enabled: false });
    provider.mood = 'paid';
    api.pass(MINUTE_MS + SECOND_MS);
    await topUps.consider(jane.id);
    expect([provider.paid, await attemptsOf(jane)]).toMatchObject([0, [{ status: 'failed', failure: 'not_charged' }]]);
  });
});

describe('settings', () => {
  it('are off with sensible defaults at first', async () => {
    expect(await read(await api.user())).toEqual({
      card: null,
      enabled: false,
      threshold: { kind: 'days', days: 3 },
      amount_cents: 1_000,
      month_cap_cents: 10_000,
      month_used_cents: 0,
      off_reason: null,
      last: null,
    });
  });

  it('are confirmed by email when they change', async () => {
    for (const over of [{}, {}, { enabled: false }, { enabled: false, amount_cents: 2_000 }]) await on(jane, over);
    expect(await mailed(jane, 'Automatic top-up is on for Moorage')).toBe(1);
    expect(await mailed(jane, 'Automatic top-up is off for Moorage')).toBe(1);
    const [mail] = (await api.mailsTo(jane.email)).filter(({ subject }) => subject.includes('is on for'));
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(
      'We charge $10.00 to Visa 4242 when your balance is below $8.00, and at most $100.00 a month',
    );
    const records = await sql('select 1 from audit_records where action = $1 and subject = $2', [
      'automatic_top_up.changed',
      `user:${jane.id}`,
    ]);
    expect(records).toHaveLength(3);
  });

  it.each([
    ['more than a top-up may be', { amount_cents: 100_001, month_cap_cents: 200_000 }, 422, 'FIELDS_INVALID'],
    ['a limit below one top-up', { amount_cents: 1_000, month_cap_cents: 999 }, 422, 'FIELDS_INVALID'],
    ['a threshold of zero', { threshold: { kind: 'amount', amount: 0 } }, 422, 'FIELDS_INVALID'],
  ])('reject %s', async (_, over, status, code) => {
    const refused = await change(jane, over);
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([status, code]);
    expect(await isOn(jane)).toBeUndefined();
  });

  it('cannot be turned on without a chargeable card', async () => {
    const john = await api.user();
    const refused = await change(john);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'AUTOMATIC_TOP_UP_STATE' }]);
    await sql('update saved_cards set exp_year = 2020 where user_id = $1', [jane.id]);
    expect(((await change(jane)).body as { detail: string }).detail).toMatch(/has expired/);
    expect((await change(john, { enabled: false })).status).toBe(200);
  });

  it('clear the reason for being off once the owner saves them', async () => {
    provider.mood = 'declined';
    await on(jane);
    await topUps.consider(jane.id);
    expect(await read(jane)).toMatchObject({ enabled: false, off_reason: 'declined' });
    await on(jane);
    expect(await read(jane)).toMatchObject({ enabled: true, off_reason: null });
  });
});

describe('saved card', () => {
  async function paidCheckout(account: TestAccount, ago: number): Promise<string> {
    const id = `cs_test_${api.deps.random.text(24)}`;
    await sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, paid_at, created_at, save_card)
       values ($1, $2, 1000, true, '', 'paid', 'pi_' || $1, now() - $3 * interval '1 minute', now() - interval '1 day', true)`,
      [id, account.id, ago],
    );
    return id;
  }
  const store = async (id: string) => {
    await api.deps.db.tx('test.keep', async (tx) =>
      api.deps.work.schedule(tx, { kind: 'keep-card', key: id, due_at: await api.deps.clock.now(tx) }),
    );
    await api.run();
  };

  it('is stored with the consent of the payer, emailed, and replaces the previous one', async () => {
    provider.card = { ...CARD, paymentMethod: 'pm_new', brand: 'mastercard', last4: '4444' };
    await store(await paidCheckout(jane, 5));
    expect((await read(jane)).card).toEqual({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2099 });
    expect(provider.forgotten).toEqual(['cus_jane:pm_visa']);
    expect(await mailed(jane, 'Mastercard 4444 was saved for automatic top-ups')).toBe(1);
    // The work runs twice, or an older payment is processed later.
    provider.card = { ...CARD, paymentMethod: 'pm_old', last4: '1111' };
    await store(await paidCheckout(jane, 60));
    expect((await read(jane)).card?.last4).toBe('4444');
    expect(provider.forgotten).toEqual(['cus_jane:pm_visa', 'cus_jane:pm_old']);
  });

  it('is removed by its owner only, detached at the provider and no longer charged', async () => {
    const john = await api.user();
    await on(jane);
    expect((await api.http.delete('/api/billing/card').set(john.auth)).status).toBe(200);
    expect((await read(jane)).card).not.toBeNull();
    const removed = await api.http.delete('/api/billing/card').set(jane.auth);
    expect(removed.body).toMatchObject({ card: null, enabled: false, off_reason: 'card_removed' });
    await api.run();
    await topUps.consider(jane.id);
    expect([provider.forgotten, provider.requested]).toEqual([['cus_jane:pm_visa'], []]);
  });

  it('remains when it was saved again before it was detached', async () => {
    await api.deps.db.tx('test.forget', async (tx) =>
      api.deps.work.schedule(tx, {
        kind: 'forget-card',
        key: 'cus_jane:pm_visa',
        due_at: await api.deps.clock.now(tx),
      }),
    );
    await api.run();
    expect(provider.forgotten).toEqual([]);
  });

  it('is not charged for a deactivated account and removed for an erased one', async () => {
    await on(jane);
    const admin = await api.admin();
    const subject = `/api/users/${jane.id}`;
    expect((await api.http.post(`${subject}/deactivate`).set(admin.auth)).status).toBe(200);
    expect(await isOn(jane)).toEqual({ enabled: false, off_reason: 'account' });
    await topUps.consider(jane.id);
    expect((await api.http.delete(subject).set(admin.auth)).status).toBe(200);
    await api.run();
    expect([await isOn(jane), provider.requested, provider.forgotten]).toEqual([undefined, [], ['cus_jane']]);
    expect(await sql('select 1 from saved_cards where user_id = $1', [jane.id])).toEqual([]);
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
