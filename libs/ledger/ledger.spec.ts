import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import {
  DAY_MS,
  HOUR_MS,
  instant,
  type Instant,
  iso,
  Money,
  type TransactionGroup,
  type MovementKind,
  type SupportLevel,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { type Db, systemRandom, type Tx } from '@moorage/server';
import {
  breachesOf,
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import { Ledger } from './ledger';
import type { MovementFacts } from './types';

const NOON = instant('2026-12-01T12:00:00Z');

describe('ledger', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let api: Db;
  let deployments: Deployments;
  let ledger: Ledger;
  let admin: number;

  beforeAll(async () => {
    database = await testDatabase();
    clock = handClock(NOON);
    owner = await database.open({ connections_max: 2 });
    api = await database.open({ service: 'api', connections_max: 4 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    deployments = new Deployments({ outbox });
    ledger = new Ledger({ deployments, outbox, actor: 'api', gracePeriodMinutes: 60 });
    admin = await owner.tx('admin', (tx) => insertUser(tx, { at: NOON, isAdmin: true }));
  });
  afterAll(() => database.drop());

  const by = <T>(act: (tx: Tx) => Promise<T>): Promise<T> => api.tx('test', act);
  const units = (amount: Money): number => amount.toWire();
  const reported = (done: { fresh: boolean; posted: Money; owed: Money }) => [
    done.fresh,
    units(done.posted),
    units(done.owed),
  ];
  const movement = (kind: MovementKind, amount: number, id: string): MovementFacts => ({
    id,
    reversalId: `of ${id}`,
    kind,
    amount: Money.of(amount),
    fee: Money.ZERO,
    movedAt: NOON,
  });

  async function account(regular = 0): Promise<number> {
    return owner.tx('account', async (tx) => {
      const userId = await insertUser(tx, { at: NOON });
      await ledger.openWallet(tx, { userId, at: NOON });
      await ledger.openWallet(tx, { userId, at: NOON });
      if (regular > 0) await ledger.adjust(tx, { userId, amount: Money.of(regular), actorUserId: admin, at: NOON });
      return userId;
    });
  }

  async function running(
    userId: number,
    more: { level?: SupportLevel; from?: Instant; status?: 'READY' | 'CREATING' } = {},
  ) {
    const { level = 1, from = NOON, status = 'READY' } = more;
    return owner.tx('running', async (tx) => {
      const row = { userId, at: NOON, status, supportLevel: level, baseHourlyMicros: 35_600 };
      const deploymentId = await insertDeployment(tx, status === 'CREATING' ? row : { ...row, billableFrom: from });
      const baseHourly = Money.micros(35_600n);
      await ledger.openMeter(tx, { userId, deploymentId, supportLevel: level, baseHourly, at: NOON - HOUR_MS });
      await ledger.settleAccount(tx, { userId, at: from });
      return deploymentId;
    });
  }

  async function rows(userId: number): Promise<[string, string][]> {
    const found = await database.sql<{ type: string; amount_micros: string }>(
      'select type, amount_micros from ledger_transactions where user_id = $1 order by id',
      [userId],
    );
    return found.map(({ type, amount_micros }) => [type, amount_micros]);
  }

  const events = async (userId: number): Promise<string[]> =>
    (
      await database.sql<{ event_name: string }>(
        `select event_name from outbox where stream = 'balance' and aggregate_id = $1 order by id`,
        [String(userId)],
      )
    ).map(({ event_name }) => event_name);

  const balance = (userId: number, at = NOON) => by((tx) => ledger.balance(tx, { userId, at }));

  describe('payments', () => {
    it('are posted once per cause, and lift the limits of a credit-only account', async () => {
      const userId = await account();
      const payment = { userId, amount: Money.of(20), cause: `session a${userId}`, at: NOON };
      expect((await by((tx) => ledger.planCreate(tx, { userId, at: NOON }))).everPaid).toBe(false);
      expect(await by((tx) => ledger.recordPayment(tx, payment))).toEqual({ posted: true, owedPaid: Money.ZERO });
      expect((await by((tx) => ledger.recordPayment(tx, payment))).posted).toBe(false);
      expect(await rows(userId)).toEqual([['payment', '20000000']]);
      expect((await by((tx) => ledger.planCreate(tx, { userId, at: NOON }))).everPaid).toBe(true);
      expect(await events(userId)).toEqual(['balance.changed']);
    });

    it('throw for zero and negative amounts, and return not found for an account without a wallet', async () => {
      const userId = await account();
      const payment = { userId, cause: 'none', at: NOON };
      await expect(by((tx) => ledger.recordPayment(tx, { ...payment, amount: Money.ZERO }))).rejects.toThrow(
        RangeError,
      );
      const nobody = by((tx) => ledger.recordPayment(tx, { ...payment, userId: 999_999, amount: Money.of(1) }));
      await expect(nobody).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('refunded in parts reduce the balance up to the paid amount, each movement once, and the rest is owed', async () => {
      const userId = await account();
      const cause = `session b${userId}`;
      const paymentIntent = `intent b${userId}`;
      await by((tx) => ledger.recordPayment(tx, { userId, amount: Money.of(10), cause, at: NOON }));
      await by((tx) => ledger.adjust(tx, { userId, amount: Money.of(-4), actorUserId: admin, at: NOON }));
      const move = (kind: MovementKind, amount: number, id: string) =>
        by((tx) =>
          ledger.recordMovement(tx, {
            userId,
            paymentIntent,
            paid: Money.of(10),
            movement: movement(kind, amount, `${id} ${userId}`),
            at: NOON,
          }),
        );
      expect(reported(await move('refund', 2, 'm1'))).toEqual([true, 2, 0]);
      expect(reported(await move('refund', 3, 'm2'))).toEqual([true, 3, 0]);
      expect(reported(await move('refund', 3, 'm2'))).toEqual([false, 0, 0]);
      // 5.00 of the payment can still be withdrawn, and 1.00 of it is in the balance.
      expect(reported(await move('dispute', 10, 'm3'))).toEqual([true, 5, 4]);
      // Refunds and disputes together have withdrawn the whole payment.
      expect(reported(await move('refund', 5, 'm4'))).toEqual([true, 0, 0]);
      // With nothing to withdraw, no transaction is written.
      const written = await database.sql<{ cause: string }>(
        `select cause from ledger_transactions where user_id = $1 and type in ('payment_refund', 'dispute') order by id`,
        [userId],
      );
      expect(written.map((row) => row.cause)).toEqual(['m1', 'm2', 'm3'].map((id) => `${id} ${userId}`));
      const info = await balance(userId);
      expect([units(info.regular), units(info.owed)]).toEqual([0, 4]);

      // 5.00 more than was paid had been withdrawn, which the account did not have to bear.
      expect(reported(await move('dispute_won', 10, 'm5'))).toEqual([true, 0, 0]);
      expect(reported(await move('refund_failed', 5, 'm6'))).toEqual([true, 5, 0]);
      expect(reported(await move('refund_failed', 5, 'm6'))).toEqual([false, 0, 0]);
      // Returned money pays what was owed first.
      const after = await balance(userId);
      expect([units(after.regular), units(after.owed)]).toEqual([1, 0]);
      expect((await rows(userId)).slice(-2)).toEqual([
        ['refund_failed', '5000000'],
        ['owed_paid', '-4000000'],
      ]);
    });

    it('with a dispute whose end arrives before its start keep their balance', async () => {
      const userId = await account();
      const payment = { userId, paymentIntent: `intent e${userId}`, paid: Money.of(10), at: NOON };
      await by((tx) => ledger.recordPayment(tx, { userId, amount: Money.of(10), cause: `e ${userId}`, at: NOON }));
      const report = (kind: MovementKind) =>
        by((tx) => ledger.recordMovement(tx, { ...payment, movement: movement(kind, 10, `${kind} ${userId}`) }));
      expect(reported(await report('dispute_won'))).toEqual([true, 0, 0]);
      expect(reported(await report('dispute'))).toEqual([true, 0, 0]);
      expect(units((await balance(userId)).regular)).toBe(10);
    });

    it('reported twice concurrently are posted once', async () => {
      const userId = await account();
      const payment = { userId, paymentIntent: `intent f${userId}`, paid: Money.of(10), at: NOON };
      await by((tx) => ledger.recordPayment(tx, { userId, amount: Money.of(10), cause: `f ${userId}`, at: NOON }));
      const all = await Promise.all(
        [1, 2, 3].map(() =>
          by((tx) => ledger.recordMovement(tx, { ...payment, movement: movement('refund', 4, `f ${userId}`) })),
        ),
      );
      expect(all.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect(units((await balance(userId)).regular)).toBe(6);
    });

    it('pay debts first', async () => {
      const userId = await account();
      const paymentIntent = `intent c${userId}`;
      await by((tx) => ledger.recordPayment(tx, { userId, amount: Money.of(10), cause: `c1 ${userId}`, at: NOON }));
      await by((tx) => ledger.adjust(tx, { userId, amount: Money.of(-10), actorUserId: admin, at: NOON }));
      const allocations = { userId, paymentIntent, paid: Money.of(10), at: NOON };
      await by((tx) =>
        ledger.recordMovement(tx, { ...allocations, movement: movement('dispute', 10, `c2 ${userId}`) }),
      );
      const facts = await by((tx) => ledger.planCreate(tx, { userId, at: NOON }));
      expect(units(facts.owed)).toBe(10);
      const first = await by((tx) =>
        ledger.recordPayment(tx, { userId, amount: Money.of(4), cause: `c3 ${userId}`, at: NOON }),
      );
      expect(units(first.owedPaid)).toBe(4);
      const info = await balance(userId);
      expect([units(info.regular), units(info.owed)]).toEqual([0, 6]);
    });
  });

  describe('adjustments', () => {
    it('never reduce the regular balance below zero', async () => {
      const userId = await account(5);
      const take = (amount: number) =>
        by((tx) => ledger.adjust(tx, { userId, amount: Money.of(amount), actorUserId: admin, at: NOON }));
      await expect(take(-5.000001)).rejects.toMatchObject({ code: 'BALANCE_WOULD_BE_NEGATIVE' });
      expect(units((await take(-5)).regular)).toBe(0);
      expect(await rows(userId)).toHaveLength(2);
    });

    it('store the description of the administrator', async () => {
      const userId = await account();
      const description = 'Sorry for the outage';
      await by((tx) => ledger.adjust(tx, { userId, amount: Money.of(2), description, actorUserId: admin, at: NOON }));
      const page = await by((tx) => ledger.transactions(tx, { userId, page: 1, daysPerPage: 30 }));
      expect(page.days[0]?.transactions[0]?.description).toBe(description);
    });

    it('of a credit post the difference, never below its used amount, never after its end', async () => {
      const userId = await account();
      const creditId = await by((tx) => ledger.grantCredit(tx, { userId, creditType: 'signup', at: NOON }));
      await running(userId);
      const set = (amount: number, at = NOON) =>
        by((tx) => ledger.adjustCredit(tx, { creditId, amount: Money.of(amount), actorUserId: admin, at }));
      // 12 hours are used, which is 0.4272.
      await expect(set(0.4271)).rejects.toMatchObject({ code: 'CREDIT_STATE' });
      const view = await set(1);
      expect([units(view.amount), units(view.used), units(view.remaining)]).toEqual([1, 0.4272, 0.5728]);
      expect((await rows(userId)).at(-1)).toEqual(['credit_adjusted', '-3990000']);
      await expect(set(2, NOON + 30 * DAY_MS)).rejects.toMatchObject({ code: 'CREDIT_STATE' });
      const absent = by((tx) =>
        ledger.adjustCredit(tx, { creditId: 999_999, amount: Money.of(1), actorUserId: admin, at: NOON }),
      );
      await expect(absent).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('credits', () => {
    it('are 0 from their end, posted or not, and an expired amount is neither used nor remaining', async () => {
      const userId = await account();
      await by((tx) => ledger.grantCredit(tx, { userId, creditType: 'signup', at: NOON }));
      const end = NOON + 30 * DAY_MS;
      const view = async (at: Instant) => (await by((tx) => ledger.credits(tx, { userId, at })))[0];
      expect(await view(end - 1)).toMatchObject({ isUsable: true, isExpired: false, remaining: Money.of(4.99) });
      expect(await view(end)).toMatchObject({ isUsable: false, isExpired: true, remaining: Money.ZERO });
      expect(units((await balance(userId, end)).total)).toBe(0);
      await by((tx) => ledger.settleAccount(tx, { userId, at: end }));
      expect(await view(end)).toMatchObject({ used: Money.ZERO, remaining: Money.ZERO, amount: Money.of(4.99) });
      expect((await rows(userId)).at(-1)).toEqual(['credit_expired', '-4990000']);
    });

    it('of referrals are locked below 5.00 and counted in the total', async () => {
      const userId = await account(4.99);
      const friend = await account();
      await owner.tx('referred', (tx) =>
        tx.execute('update users set referred_by_user_id = $2 where id = $1', [friend, userId]),
      );
      const grant = { userId, creditType: 'referrer' as const, referralUserId: friend, at: NOON };
      await by((tx) => ledger.grantCredit(tx, grant));
      const locked = await balance(userId);
      expect([units(locked.total), units(locked.available), units(locked.locked)]).toEqual([9.98, 4.99, 4.99]);
      await by((tx) => ledger.adjust(tx, { userId, amount: Money.of(0.01), actorUserId: admin, at: NOON }));
      const open = await balance(userId);
      expect([units(open.available), units(open.referralCredits), units(open.signupCredits)]).toEqual([9.99, 4.99, 0]);
      // Never more than one credit per referred user.
      await expect(by((tx) => ledger.grantCredit(tx, grant))).rejects.toThrow(/credits_referrer_once/);
    });
  });

  describe('support level changes', () => {
    it('are quoted as they are later posted, and keep the creation price of the deployment', async () => {
      const userId = await account(20);
      const deploymentId = await running(userId);
      const change = { userId, deploymentId, supportLevel: 2 as const, at: NOON + 30 * 60_000 };
      const { runsUntil, ...quote } = await by((tx) => ledger.quoteRate(tx, change));
      expect([units(quote.today), units(quote.daily), units(quote.needed)]).toEqual([0.7535, 2.4984, 3.2519]);
      const midnightIn = (days: number): number => NOON + 12 * 3_600_000 + days * 86_400_000;
      expect(runsUntil).toEqual({ now: midnightIn(22), then: midnightIn(7) });
      expect(await rows(userId)).toHaveLength(2);
      expect(await by((tx) => ledger.changeLevel(tx, change))).toEqual({ ...quote, at: change.at });
      expect((await rows(userId)).at(-1)).toEqual(['rerate', '-753500']);
      const down = { ...change, supportLevel: 1 as const, at: NOON + 90 * 60_000 };
      expect(units((await by((tx) => ledger.changeLevel(tx, down))).today)).toBe(-0.685);
      const listed = await by((tx) => ledger.transactions(tx, { userId, page: 1, daysPerPage: 30 }));
      expect(listed.days.flatMap((day) => day.transactions.map(({ facts }) => facts.level))).toEqual([
        { before: 2, after: 1 },
        { before: 1, after: 2 },
        null,
        null,
      ]);
    });

    it('are quoted with the end of the balance including the missing amount if they are not affordable', async () => {
      const userId = await account(1);
      const deploymentId = await running(userId);
      const change = { userId, deploymentId, supportLevel: 2 as const, at: NOON + 30 * 60_000 };
      const { needed, available, runsUntil } = await by((tx) => ledger.quoteRate(tx, change));
      expect([units(needed), units(available)]).toEqual([3.2519, 0.5728]);
      // With 2.68 more, tomorrow is paid for and the day after is not.
      const midnight = NOON + 12 * 3_600_000;
      expect(runsUntil).toEqual({ now: midnight, then: midnight + 86_400_000 });
    });

    it('require a balance for a day of everything the account runs or creates', async () => {
      const userId = await account(4);
      const deploymentId = await running(userId);
      await running(userId, { status: 'CREATING' });
      // 0.4272 is paid. 11 x 0.0685 + 24 x (0.1041 + 0.0356) = 4.1063.
      const change = { userId, deploymentId, supportLevel: 2 as const, at: NOON + 60_000 };
      await expect(by((tx) => ledger.changeLevel(tx, change))).rejects.toMatchObject({
        code: 'BALANCE_TOO_LOW',
        fields: { needed: 4.1063, available: 3.5728, owed: 0 },
      });
      const [rate] = await database.sql<{ count: number }>(
        'select count(*)::int as count from deployment_rates where deployment_id = $1',
        [deploymentId],
      );
      expect(rate?.count).toBe(1);
    });

    it('are rejected while something is owed, and beyond the limit of free credits', async () => {
      const userId = await account();
      await by((tx) => ledger.grantCredit(tx, { userId, creditType: 'signup', at: NOON }));
      const deploymentId = await running(userId);
      const change = { userId, deploymentId, supportLevel: 2 as const, at: NOON + 60_000 };
      await expect(by((tx) => ledger.changeLevel(tx, change))).rejects.toMatchObject({ code: 'CREDIT_ONLY_LIMIT' });
      const allocations = { userId, paymentIntent: `intent d${userId}`, paid: Money.of(10), at: NOON };
      await by((tx) => ledger.recordMovement(tx, { ...allocations, movement: movement('refund', 10, `d ${userId}`) }));
      await expect(by((tx) => ledger.changeLevel(tx, change))).rejects.toMatchObject({
        code: 'BALANCE_OWED',
        fields: { owed: 10 },
      });
    });

    it('of another account are not found', async () => {
      const userId = await account(20);
      const other = await account(20);
      const deploymentId = await running(userId);
      const change = { userId: other, deploymentId, supportLevel: 2 as const, at: NOON };
      await expect(by((tx) => ledger.changeLevel(tx, change))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('sizes', () => {
    const LARGER = Money.of(0.0612);
    const change = (userId: number, deploymentId: number, at: number) => ({
      userId,
      deploymentId,
      baseHourly: LARGER,
      at,
    });

    it('are quoted as admitted, and get their price when the provider has confirmed them', async () => {
      const userId = await account(20);
      const deploymentId = await running(userId);
      const requested = change(userId, deploymentId, NOON + 20 * 60_000);
      const { runsUntil, ...quote } = await by((tx) => ledger.quoteRate(tx, requested));
      // 11 x 0.0256 = 0.2816, and 24 x 0.0612 = 1.4688.
      expect([units(quote.today), units(quote.daily), units(quote.needed)]).toEqual([0.2816, 1.4688, 1.7504]);
      expect(runsUntil.then).toBeLessThan(runsUntil.now ?? 0);
      expect(await by((tx) => ledger.admitSize(tx, requested))).toEqual(quote);
      expect(await rows(userId)).toHaveLength(2);

      const confirmedAt = NOON + 30 * 60_000;
      const confirmed = { ...requested, changeId: 1, confirmedAt, at: confirmedAt + 2_000, actorUserId: userId };
      expect(await by((tx) => ledger.changeSize(tx, confirmed))).toEqual({ from: confirmedAt });
      expect(await by((tx) => ledger.changeSize(tx, confirmed))).toEqual({ from: null });
      expect((await rows(userId)).slice(2)).toEqual([['rerate', '-281600']]);
      const [prices] = await database.sql<object>(
        `select m.base_hourly_micros, m.hourly_micros, d.instance_hourly_micros
         from meters m join deployments d on d.id = m.deployment_id where d.id = $1`,
        [deploymentId],
      );
      expect(prices).toEqual({ base_hourly_micros: '61200', hourly_micros: '61200', instance_hourly_micros: '61200' });

      // One size per clock hour. The level may change in the same hour, on the price of the new size.
      const again = { ...requested, baseHourly: Money.of(0.0203), at: NOON + 40 * 60_000 };
      await expect(by((tx) => ledger.admitSize(tx, again))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        fields: { retry_after_s: 1_200 },
      });
      const level = { userId, deploymentId, supportLevel: 2 as const, at: NOON + 40 * 60_000 };
      expect(units((await by((tx) => ledger.changeLevel(tx, level))).hourly)).toBe(0.1297);
      expect(units((await by((tx) => ledger.admitSize(tx, { ...again, at: NOON + 3_600_000 }))).hourly)).toBe(0.0888);
    });

    it('are rejected beyond the limit of free credits, but never when they are smaller', async () => {
      const userId = await account();
      await by((tx) => ledger.grantCredit(tx, { userId, creditType: 'signup', at: NOON }));
      const deploymentId = await running(userId);
      const larger = { ...change(userId, deploymentId, NOON + 60_000), baseHourly: Money.of(0.12) };
      await expect(by((tx) => ledger.admitSize(tx, larger))).rejects.toMatchObject({ code: 'CREDIT_ONLY_LIMIT' });
      const refund = { userId, paymentIntent: `intent s${userId}`, paid: Money.of(10), at: NOON };
      await by((tx) => ledger.recordMovement(tx, { ...refund, movement: movement('refund', 10, `s ${userId}`) }));
      await expect(by((tx) => ledger.admitSize(tx, larger))).rejects.toMatchObject({ code: 'BALANCE_OWED' });
      const smaller = { ...larger, baseHourly: Money.of(0.0203) };
      expect(units((await by((tx) => ledger.admitSize(tx, smaller))).hourly)).toBe(0.0203);
    });
  });

  describe('deployment being created', () => {
    it('counts in the forecast, in the runway and in warnings as if it started now', async () => {
      const userId = await account(10);
      const before = await running(userId);
      const alone = await by((tx) => ledger.runway(tx, { userId, at: NOON }));
      const coming = await running(userId, { status: 'CREATING' });
      const runway = await by((tx) => ledger.runway(tx, { userId, at: NOON }));
      // 10 less 12 hours of each, so 5 daily charges of two instead of 11 of a single deployment.
      expect([alone.endsAt, runway.endsAt].map((at) => iso(at ?? 0).slice(0, 10))).toEqual([
        '2026-12-13',
        '2026-12-07',
      ]);
      expect(runway.stops).toEqual([before, coming]);
      const forecast = await by((tx) => ledger.forecast(tx, { userId, at: NOON }));
      expect(forecast).toMatchObject({ runway, running: 2, starting: 1 });
      expect(await by((tx) => ledger.warnIfLow(tx, { userId, at: NOON }))).toEqual({ sent: 7 });
    });

    it.each([1, 2])('is counted once if it starts running after read %s', async (after) => {
      const userId = await account(10);
      const deploymentId = await running(userId, { status: 'CREATING' });
      let checks = 0;
      const forecast = await by((tx) => {
        const startsBetween: Tx = {
          ...tx,
          async query(sql: string, params?: Parameters<Tx['query']>[1]) {
            if (checks++ === after)
              await database.sql(`update deployments set status = 'DNS_VALIDATION', billable_from = $2 where id = $1`, [
                deploymentId,
                iso(NOON),
              ]);
            return tx.query(sql, params);
          },
        };
        return ledger.forecast(startsBetween, { userId, at: NOON });
      });
      expect(checks).toBeGreaterThan(2);
      expect(forecast.running).toBe(1);
    });
  });

  describe('ends of deployments', () => {
    async function remove(userId: number, deploymentId: number, at: Instant): Promise<Money> {
      return by(async (tx) => {
        const { billableTo } = await ledger.prepareStop(tx, { userId, deploymentId, at });
        const row = await deployments.lock(tx, deploymentId);
        if (row === null || billableTo === null) return Money.ZERO;
        await deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes: { billable_to: billableTo } });
        return (await ledger.stop(tx, { userId, deploymentId, at })).refunded;
      });
    }

    it('refund the remaining whole hours, once', async () => {
      const userId = await account(20);
      const deploymentId = await running(userId);
      expect(units(await remove(userId, deploymentId, NOON + 2 * HOUR_MS + 60_000))).toBe(0.3204);
      expect(await by((tx) => ledger.stop(tx, { userId, deploymentId, at: NOON + 3 * HOUR_MS }))).toEqual({
        refunded: Money.ZERO,
      });
      const again = await by((tx) => ledger.prepareStop(tx, { userId, deploymentId, at: NOON + 3 * HOUR_MS }));
      expect(again).toEqual({ billableTo: null, depleted: false });
    });

    it('close nothing for a deployment that never ran', async () => {
      const userId = await account(20);
      const deploymentId = await running(userId, { status: 'CREATING' });
      const stop = { userId, deploymentId, at: NOON };
      expect(await by((tx) => ledger.prepareStop(tx, stop))).toEqual({ billableTo: null, depleted: false });
    });

    it('for lack of balance stop idle deployments, mark those in flight, and publish all events in the same commit', async () => {
      const at = NOON + 13 * HOUR_MS;
      const userId = await account(0.5);
      const deploymentId = await running(userId);
      const held = await by((tx) => ledger.settleAccount(tx, { userId, at }));
      expect(held).toEqual({ posted: 0, charged: 0, depleted: [], held: [deploymentId] });
      expect(await by((tx) => ledger.settleAccount(tx, { userId, at: at + HOUR_MS }))).toEqual({
        posted: 0,
        charged: 0,
        depleted: [deploymentId],
        held: [],
      });
      const [row] = await database.sql(
        'select status, desired, destroy_reason, billable_to from deployments where id = $1',
        [deploymentId],
      );
      expect(row).toEqual({
        status: 'DESTROYING',
        desired: 'destroyed',
        destroy_reason: 'depleted',
        billable_to: instant('2026-12-02T00:00:00Z'),
      });
      expect((await events(userId)).slice(-2)).toEqual(['balance.grace_period_started', 'balance.depleted']);
      const [reported] = await database.sql<{ data: object }>(
        `select data from outbox where event_name = 'balance.depleted' and aggregate_id = $1`,
        [String(userId)],
      );
      expect(reported?.data).toMatchObject({
        deployment_id: deploymentId,
        day: '2026-12-02',
        due_at: '2026-12-02T00:00:00.000Z',
        amount_micros: '854400',
        locked_micros: '0',
      });
    });
  });

  it('lists transactions by UTC day, newest first, in pages of days', async () => {
    const userId = await account();
    for (let day = 0; day < 5; day++) {
      for (const amount of [1, 2]) {
        const at = NOON + day * DAY_MS + amount;
        await by((tx) =>
          ledger.recordPayment(tx, { userId, amount: Money.of(amount), cause: `p${day} ${amount} ${userId}`, at }),
        );
      }
    }
    const page = (n: number) => by((tx) => ledger.transactions(tx, { userId, page: n, daysPerPage: 2 }));
    const first = await page(1);
    expect(first.totalPages).toBe(3);
    expect(first.days.map(({ date }) => date)).toEqual(['2026-12-05', '2026-12-04']);
    expect(first.days[0]?.transactions.map(({ amount, at }) => [units(amount), iso(at)])).toEqual([
      [2, '2026-12-05T12:00:00.002Z'],
      [1, '2026-12-05T12:00:00.001Z'],
    ]);
    expect((await page(3)).days.map(({ date }) => date)).toEqual(['2026-12-01']);
    const ofGroup = (group: TransactionGroup) =>
      by((tx) => ledger.transactions(tx, { userId, page: 1, daysPerPage: 2, group }));
    expect((await ofGroup('payments')).totalPages).toBe(3);
    expect(await ofGroup('charges')).toEqual({ days: [], totalPages: 1 });
    expect((await page(4)).days).toEqual([]);
    const nobody = await account();
    expect(await by((tx) => ledger.transactions(tx, { userId: nobody, page: 1, daysPerPage: 30 }))).toEqual({
      days: [],
      totalPages: 1,
    });
  });

  it('warns once per threshold and re-arms after a payment', async () => {
    const userId = await account(2);
    await running(userId);
    const warn = (at: Instant) => by((tx) => ledger.warnIfLow(tx, { userId, at }));
    // 1.5728 is left, so 2 Dec is paid and 3 Dec is not.
    expect(await warn(NOON + 1)).toEqual({ sent: 3 });
    expect(await warn(NOON + 2)).toEqual({ sent: null });
    expect(await warn(NOON + 12 * HOUR_MS)).toEqual({ sent: 1 });
    await by((tx) => ledger.recordPayment(tx, { userId, amount: Money.of(50), cause: `w ${userId}`, at: NOON + 3 }));
    expect(await warn(NOON + 13 * HOUR_MS)).toEqual({ sent: null });
    await by((tx) => ledger.adjust(tx, { userId, amount: Money.of(-50), actorUserId: admin, at: NOON + 4 }));
    expect(await warn(NOON + 14 * HOUR_MS)).toEqual({ sent: 1 });
    expect((await events(userId)).filter((name) => name === 'balance.low')).toHaveLength(3);
  });

  it('satisfies every invariant after all tests', async () => {
    // Payments in this spec have no checkout session. I12 and I12b are tested where sessions exist.
    const breaches = await breachesOf(database, { now: NOON + 40 * DAY_MS, moment: 'always' });
    expect(breaches.filter(({ id }) => !['I12', 'I12b'].includes(id))).toEqual([]);
  });
});
