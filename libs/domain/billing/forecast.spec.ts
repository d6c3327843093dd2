import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { addDays, DAY_MS, dayOf, HOUR_MS, instant, type Instant, startOfDay } from '../time';
import type { Account } from './account';
import { accountWith, PROSPECTIVE_ID, FORECAST_DAYS, forecastOf, orderToday } from './forecast';
import { postPayment } from './postings';
import { runwayOf } from './runway';
import { settleAccount } from './settle';

const NOON = instant('2026-12-01T12:00:00Z');
const midnight = (day: number): Instant => startOfDay('2026-12-01') + (day - 1) * DAY_MS;
const micros = (amount: number): Money => Money.micros(BigInt(amount));

interface CreditSketch {
  readonly amount: number;
  readonly ends: Instant;
  readonly type?: 'signup' | 'referrer';
}

function accountOf(
  regular: number,
  hourly: readonly number[],
  credits: readonly CreditSketch[] = [],
  owed = 0,
): Account {
  return {
    regular: micros(regular),
    owed: micros(-owed),
    credits: credits.map(({ amount, ends, type = 'signup' }, index) => ({
      id: index + 1,
      creditType: type,
      amount: micros(amount),
      remaining: micros(amount),
      lapsed: Money.ZERO,
      expiresAt: ends,
      expired: false,
    })),
    deployments: hourly.map((price, index) => ({
      id: index + 1,
      clientName: `d${index + 1}`,
      billableFrom: NOON - 3 * DAY_MS,
      billableTo: null,
      rates: [{ from: 0, hourly: micros(price) }],
      chargedThrough: '2026-12-01',
      gracePeriod: null,
      closedOut: false,
      allocations: [],
    })),
  };
}

const anyCredit = fc.record({
  amount: fc.integer({ min: 0, max: 5_000_000 }),
  ends: fc.integer({ min: 1, max: 20 * 24 }).map((hours) => NOON + hours * HOUR_MS),
  type: fc.constantFrom('signup' as const, 'referrer' as const),
});
const anyAccount = fc
  .tuple(
    fc.integer({ min: 0, max: 20_000_000 }),
    fc.array(fc.constantFrom(35_600, 5_000, 104_100), { minLength: 1, maxLength: 4 }),
    fc.array(anyCredit, { maxLength: 3 }),
  )
  .map(([regular, hourly, credits]) => accountOf(regular, hourly, credits));

describe('forecast', () => {
  it('has no end date for an account without running deployments', () => {
    expect(forecastOf(accountOf(5_000_000, []), NOON)).toMatchObject({
      level: 'none',
      running: 0,
      daily: Money.ZERO,
      days: [],
      runway: { endsAt: null },
    });
  });

  it('shows the balance after each charge, and what happens after the end', () => {
    // 4.0256 at 0.9744 a day. 2, 3, 4 and 5 Dec are paid. On the 6th the more expensive deployment stops, and the
    // cheaper goes on.
    const { days, level, daily, runway } = forecastOf(accountOf(4_025_600, [35_600, 5_000]), NOON);
    expect(
      days.slice(0, 7).map(({ date, total, charged, lasts }) => [date, total.toWire(), charged.toWire(), lasts]),
    ).toEqual([
      ['2026-12-01', 4.0256, 0.9744, true],
      ['2026-12-02', 3.0512, 0.9744, true],
      ['2026-12-03', 2.0768, 0.9744, true],
      ['2026-12-04', 1.1024, 0.9744, true],
      ['2026-12-05', 0.128, 0.9744, true],
      ['2026-12-06', 0.008, 0.12, false],
      ['2026-12-07', 0.008, 0, false],
    ]);
    expect(days).toHaveLength(FORECAST_DAYS);
    expect([level, daily.toWire(), runway.stops]).toEqual(['week', 0.9744, [1]]);
  });

  it('names everything that stops at the same midnight', () => {
    const { runway } = forecastOf(accountOf(100_000, [35_600, 5_000, 35_600]), NOON);
    expect(runway).toMatchObject({ endsAt: midnight(2), stopsFirst: 1, stops: [1, 2, 3] });
  });

  it.each([
    [3.5, 'week'],
    [2.5, 'days'],
    [7.5, 'calm'],
    [6.5, 'week'],
  ] as const)('with %d days left is at level %s', (daysLeft, level) => {
    // Days are counted from noon, so n.5 days end at the midnight after n whole days.
    const account = accountOf(854_400 * Math.floor(daysLeft), [35_600]);
    expect(forecastOf(account, NOON).level).toBe(level);
  });

  it('lasts exactly the days before the end, with credits or without', () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        const { days, runway } = forecastOf(account, NOON);
        for (const { date, lasts } of days)
          expect(lasts).toBe(runway.endsAt === null || startOfDay(date) < runway.endsAt);
      }),
      { numRuns: 300 },
    );
  });

  it('matches the charges and balances of real daily runs', () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        const { days } = forecastOf(account, NOON);
        let now = account;
        days.slice(1).forEach((day, index) => {
          const runAt = midnight(index + 2);
          const settlement = settleAccount(now, runAt, { gracePeriodMs: 0 });
          const paid = settlement.after.deployments.filter(
            ({ chargedThrough, billableTo }) => chargedThrough === day.date && billableTo === null,
          );
          const owed = Money.sum(paid.map(({ rates }) => (rates[0]?.hourly ?? Money.ZERO).times(24)));
          now = settlement.after;
          expect([day.date, day.regular, day.charged]).toEqual([dayOf(runAt), now.regular, owed]);
          expect(day.total).toEqual(Money.sum([day.regular, day.referral, day.signup]));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('does not modify the account', () => {
    const account = accountOf(4_025_600, [35_600], [{ amount: 1_000_000, ends: NOON + HOUR_MS }]);
    const before = structuredClone(
      JSON.parse(JSON.stringify(account, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))) as unknown,
    );
    forecastOf(account, NOON);
    expect(JSON.parse(JSON.stringify(account, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)))).toEqual(
      before,
    );
  });
});

describe('hypothetical forecast', () => {
  it('charges a deployment started now for the hours left of today, and ends as if it ran', () => {
    fc.assert(
      fc.property(
        anyAccount,
        fc.constantFrom(5_000, 35_600, 309_600),
        fc.integer({ min: 0, max: 86_399_999 }),
        (account, price, ms) => {
          const at = startOfDay('2026-12-01') + ms;
          const today = orderToday(micros(price), at);
          expect(today.micros).toBe(BigInt(price) * BigInt(24 - Math.floor(ms / HOUR_MS)));
          const what = accountWith(
            account,
            { add: Money.ZERO, orders: [{ id: PROSPECTIVE_ID, clientName: '', hourly: micros(price) }] },
            at,
          );
          const settled = settleAccount(what, at, { gracePeriodMs: HOUR_MS });
          const started = settled.after.deployments.find(({ id }) => id === PROSPECTIVE_ID);
          const { runway, running } = forecastOf(what, at);
          expect(running).toBe(account.deployments.length + 1);
          if (started?.gracePeriod != null) expect(runway).toMatchObject({ endsAt: at, stops: [PROSPECTIVE_ID] });
          else expect(runway).toEqual(runwayOf(settled.after, at));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('ends after a top-up like an account with that balance, and never earlier', () => {
    fc.assert(
      fc.property(anyAccount, fc.integer({ min: 1, max: 50 }), (account, units) => {
        const add = Money.of(units);
        const { runway } = forecastOf(accountWith(account, { add, orders: [] }, NOON), NOON);
        expect(runway).toEqual(runwayOf(postPayment(account, { amount: add, at: NOON }).after, NOON));
        const before = runwayOf(account, NOON).endsAt;
        if (before !== null) expect(runway.endsAt ?? Infinity).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});

describe('pending charge in the forecast', () => {
  const held = (account: Account): Account => settleAccount(account, midnight(2) + 1, { gracePeriodMs: HOUR_MS }).after;

  it('states its cost, the missing amount and the deadline', () => {
    const account = held(accountOf(500_000, [35_600]));
    expect(forecastOf(account, midnight(2) + 60_000)).toMatchObject({
      level: 'days',
      runway: { endsAt: midnight(2), stops: [1] },
      gracePeriods: [
        { deploymentId: 1, amount: micros(854_400), needed: micros(354_400), endsAt: midnight(2) + 1 + HOUR_MS },
      ],
    });
    const [today] = forecastOf(account, midnight(2) + 60_000).days;
    expect([today?.date, today?.charged, today?.lasts]).toEqual([addDays('2026-12-01', 1), Money.ZERO, false]);
  });

  it('needs exactly the amount that covers it, including credits, unlocking and debts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900_000 }),
        fc.array(anyCredit, { maxLength: 2 }),
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.constantFrom(35_600, 309_600, 400_000),
        (regular, credits, owed, price) => {
          const at = midnight(2) + 60_000;
          const account = held(accountOf(regular, [price], credits, owed));
          const [charge] = forecastOf(account, at).gracePeriods;
          if (charge === undefined) return;
          const after = (payment: Money) =>
            settleAccount(postPayment(account, { amount: payment, at }).after, at, { gracePeriodMs: HOUR_MS }).after;
          expect(after(charge.needed).deployments[0]?.gracePeriod).toBeNull();
          if (charge.needed.micros > 1n)
            expect(after(charge.needed.minus(micros(1))).deployments[0]?.gracePeriod).not.toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is not reported as a grace period if only this forecast finds it', () => {
    expect(forecastOf(accountOf(0, [35_600]), midnight(2) + 1)).toMatchObject({
      gracePeriods: [],
      level: 'days',
      runway: { endsAt: midnight(2) },
    });
  });
});

describe('locked credits', () => {
  it('state the missing regular balance', () => {
    const account = accountOf(1_250_000, [5_000], [{ amount: 4_990_000, ends: midnight(25), type: 'referrer' }]);
    expect(forecastOf(account, NOON)).toMatchObject({ lockedNow: micros(4_990_000), unlockNeeds: micros(3_750_000) });
    expect(forecastOf({ ...account, regular: micros(5_000_000) }, NOON)).toMatchObject({
      lockedNow: Money.ZERO,
      unlockNeeds: Money.ZERO,
    });
  });
});
