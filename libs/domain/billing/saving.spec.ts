import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { DAY_MS, HOUR_MS, instant, startOfDay } from '../time';
import type { Account } from './account';
import { accountWith, PROSPECTIVE_ID, forecastOf } from './forecast';
import { postPayment } from './postings';
import { runwayOf } from './runway';
import { savingTopUp, topUpUntil } from './saving';
import { settleAccount } from './settle';

const NOON = instant('2026-12-01T12:00:00Z');
const MIDNIGHT = startOfDay('2026-12-02');
const micros = (amount: number): Money => Money.micros(BigInt(amount));

interface Sketch {
  readonly regular: number;
  readonly hourly: readonly number[];
  readonly referral?: number;
  readonly owed?: number;
}

function accountOf({ regular, hourly, referral = 0, owed = 0 }: Sketch): Account {
  return {
    regular: micros(regular),
    owed: micros(-owed),
    credits: [
      {
        id: 1,
        creditType: 'referrer',
        amount: micros(referral),
        remaining: micros(referral),
        lapsed: Money.ZERO,
        expiresAt: NOON + 20 * DAY_MS,
        expired: false,
      },
    ],
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

const inGrace = (sketch: Sketch): Account =>
  settleAccount(accountOf(sketch), MIDNIGHT + 1, { gracePeriodMs: HOUR_MS }).after;

const wire = (account: Account, at: number) => {
  const saving = savingTopUp(account, at);
  return saving === null ? null : [saving.amount.toWire(), saving.endsAt];
};

describe('suggested top-up', () => {
  it('adds a week if the balance ends soon', () => {
    // The balance covers two days of 0.8544. Seven more cost 5.9808.
    expect(wire(accountOf({ regular: 1_708_800, hourly: [35_600] }), NOON)).toEqual([
      5.99,
      MIDNIGHT + (2 + 7) * DAY_MS,
    ]);
  });

  it('covers a pending charge, rounded up to the cent', () => {
    // 7.4304 a day with a balance of 2.1100
    expect(wire(inGrace({ regular: 2_110_000, hourly: [309_600] }), MIDNIGHT + HOUR_MS / 2)).toEqual([
      5.33,
      MIDNIGHT + DAY_MS,
    ]);
  });

  it('is never below the minimum top-up', () => {
    expect(wire(inGrace({ regular: 800_000, hourly: [35_600] }), MIDNIGHT + 60_000)).toEqual([
      1,
      MIDNIGHT + 2 * DAY_MS,
    ]);
  });

  it('covers all pending charges, not only the first', () => {
    expect(wire(inGrace({ regular: 0, hourly: [35_600, 309_600] }), MIDNIGHT + 60_000)?.[0]).toBe(8.29);
  });

  it('covers debts first', () => {
    expect(wire(inGrace({ regular: 0, hourly: [35_600], owed: 3_000_000 }), MIDNIGHT + 60_000)?.[0]).toBe(3.86);
  });

  it('is smaller if it unlocks credits', () => {
    const sketch = { regular: 4_000_000, hourly: [309_600] };
    expect(wire(inGrace(sketch), MIDNIGHT + 60_000)?.[0]).toBe(3.44);
    expect(wire(inGrace({ ...sketch, referral: 4_990_000 }), MIDNIGHT + 60_000)?.[0]).toBe(1);
  });

  it('is omitted if nothing ends, or if no single top-up is enough', () => {
    expect(wire(accountOf({ regular: 5_000_000, hourly: [] }), NOON)).toBeNull();
    expect(wire(accountOf({ regular: 0, hourly: Array.from({ length: 20 }, () => 2_500_000) }), NOON)).toBeNull();
    expect(forecastOf(accountOf({ regular: 50_000_000, hourly: [35_600] }), NOON).saving).toBeNull();
  });

  it('is offered with a larger one for another week while a charge is pending', () => {
    const at = MIDNIGHT + HOUR_MS / 2;
    const { saving, longer } = forecastOf(inGrace({ regular: 2_110_000, hourly: [309_600] }), at);
    expect([saving?.amount.toWire(), saving?.endsAt]).toEqual([5.33, MIDNIGHT + DAY_MS]);
    // Eight days of 7.4304, of which the balance has 2.1100.
    expect([longer?.amount.toWire(), longer?.endsAt]).toEqual([57.34, MIDNIGHT + 8 * DAY_MS]);
    expect(forecastOf(accountOf({ regular: 1_708_800, hourly: [35_600] }), NOON).longer).toBeNull();
  });

  it('is enough, and a cent less is not', () => {
    const sketch = fc.record({
      regular: fc.integer({ min: 0, max: 6_000_000 }),
      hourly: fc.array(fc.constantFrom(5_000, 35_600, 309_600), { minLength: 1, maxLength: 3 }),
      referral: fc.constantFrom(0, 4_990_000),
      owed: fc.constantFrom(0, 1_500_000),
    });
    fc.assert(
      fc.property(sketch, fc.boolean(), (sketched, waits) => {
        const at = waits ? MIDNIGHT + 60_000 : NOON;
        const account = waits ? inGrace(sketched) : accountOf(sketched);
        const { level, runway, saving } = forecastOf(account, at);
        if (saving === null) return expect(level).toBe('calm');
        const after = (amount: Money) => {
          const paid = settleAccount(postPayment(account, { amount, at }).after, at, { gracePeriodMs: DAY_MS }).after;
          const isWaiting = paid.deployments.some(({ gracePeriod }) => gracePeriod !== null);
          return { isWaiting, endsAt: runwayOf(paid, at).endsAt ?? Infinity };
        };
        const isEnough = ({ isWaiting, endsAt }: ReturnType<typeof after>): boolean =>
          !isWaiting && ((runway.endsAt ?? 0) <= at || endsAt >= (runway.endsAt ?? 0) + 7 * DAY_MS);
        expect(isEnough(after(saving.amount))).toBe(true);
        if (saving.amount.toWire() > 1) expect(isEnough(after(saving.amount.minus(micros(10_000))))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('top-up that keeps everything running until a date', () => {
  const until = (account: Account, days: number, options = {}) => {
    const kept = topUpUntil(account, NOON, MIDNIGHT + days * DAY_MS, options);
    return kept === null ? null : [kept.amount.toWire(), kept.endsAt];
  };
  const twoDays = accountOf({ regular: 1_708_800, hourly: [35_600] });

  it('is the cost of the missing days, rounded up to the cent', () => {
    // The balance covers two days of 0.8544, and the money ends on the third. Ten more days cost 8.5440.
    expect(until(twoDays, 12)).toEqual([8.55, MIDNIGHT + 12 * DAY_MS]);
  });

  it('is zero if the balance already lasts that long, or nothing runs', () => {
    expect(until(twoDays, 2)).toEqual([0, MIDNIGHT + 2 * DAY_MS]);
    expect(until(twoDays, -30)).toEqual([0, MIDNIGHT + 2 * DAY_MS]);
    expect(until(accountOf({ regular: 0, hourly: [] }), 30)).toEqual([0, null]);
  });

  it('is never below the minimum top-up', () => {
    expect(until(twoDays, 3)).toEqual([1, MIDNIGHT + 3 * DAY_MS]);
  });

  it('includes a planned order', () => {
    const order = { id: PROSPECTIVE_ID, clientName: '', hourly: micros(35_600) };
    const [amount = 0] = until(accountWith(twoDays, { add: Money.ZERO, orders: [order] }, NOON), 12) ?? [];
    // Eleven hours of today and twelve days, besides the ten days from before.
    expect(amount).toBeGreaterThan(8.55 + 12 * 0.8544);
  });

  it('ends no earlier than credits that expire before use allow', () => {
    const withCredit = accountOf({ regular: 6_000_000, hourly: [35_600], referral: 4_990_000 });
    const [amount = 0] = until(withCredit, 60) ?? [];
    expect(amount).toBeGreaterThan(60 * 0.8544 - 6 - 4.99);
  });

  it('is omitted if no single top-up is enough, or the date is beyond the forecast', () => {
    expect(until(twoDays, 12, { mostCents: 854 })).toBeNull();
    expect(until(twoDays, 12, { mostCents: 855 })).not.toBeNull();
    expect(until(twoDays, 3_651, { mostCents: 10_000_000 })).toBeNull();
  });

  it('is enough, and a cent less is not', () => {
    const sketch = fc.record({
      regular: fc.integer({ min: 0, max: 12_000_000 }),
      hourly: fc.array(fc.constantFrom(5_000, 35_600, 309_600), { minLength: 1, maxLength: 3 }),
      referral: fc.constantFrom(0, 4_990_000),
      owed: fc.constantFrom(0, 1_500_000),
    });
    const lasts = (account: Account, amount: Money, day: number): boolean =>
      (runwayOf(postPayment(account, { amount, at: NOON }).after, NOON).endsAt ?? Infinity) >= day;
    fc.assert(
      fc.property(sketch, fc.integer({ min: 1, max: 60 }), (sketched, days) => {
        const account = accountOf(sketched);
        const day = MIDNIGHT + days * DAY_MS;
        const kept = topUpUntil(account, NOON, day);
        if (kept === null) return expect(lasts(account, Money.of(1_000), day)).toBe(false);
        if (kept.amount.isZero) return expect(runwayOf(account, NOON).endsAt).toBeGreaterThanOrEqual(day);
        expect(lasts(account, kept.amount, day)).toBe(true);
        if (kept.amount.toWire() > 1) expect(lasts(account, kept.amount.minus(micros(10_000)), day)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
