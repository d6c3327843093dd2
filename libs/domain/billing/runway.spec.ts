import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { DAY_MS, HOUR_MS, instant, type Instant, startOfDay } from '../time';
import type { Account } from './account';
import { lowBalanceWarning, type LowBalanceDays, runwayOf } from './runway';
import { settleAccount } from './settle';

const NOON = instant('2026-12-01T12:00:00Z');
const midnight = (day: number): Instant => startOfDay('2026-12-01') + (day - 1) * DAY_MS;

function accountOf(
  regular: number,
  hourly: readonly number[],
  credits: readonly { amount: number; ends: Instant; type?: 'signup' | 'referrer' }[] = [],
): Account {
  return {
    regular: Money.micros(BigInt(regular)),
    owed: Money.ZERO,
    credits: credits.map(({ amount, ends, type = 'signup' }, index) => ({
      id: index + 1,
      creditType: type,
      amount: Money.micros(BigInt(amount)),
      remaining: Money.micros(BigInt(amount)),
      lapsed: Money.ZERO,
      expiresAt: ends,
      expired: false,
    })),
    deployments: hourly.map((micros, index) => ({
      id: index + 1,
      clientName: `d${index + 1}`,
      billableFrom: NOON - 3 * DAY_MS,
      billableTo: null,
      rates: [{ from: 0, hourly: Money.micros(BigInt(micros)) }],
      chargedThrough: '2026-12-01',
      gracePeriod: null,
      closedOut: false,
      allocations: [],
    })),
  };
}

describe('runway', () => {
  it('names the last paid day and the first deployment to stop (G05)', () => {
    expect(runwayOf(accountOf(4_025_600, [35_600, 5_000]), NOON)).toMatchObject({ endsAt: midnight(6), stopsFirst: 1 });
  });

  it('is infinite with nothing running, or with a balance for ten years', () => {
    expect(runwayOf(accountOf(1_000_000, []), NOON).endsAt).toBeNull();
    expect(runwayOf(accountOf(1_000_000_000_000, [5_000]), NOON).endsAt).toBeNull();
  });

  it('ends tonight if a credit that expires before midnight is the whole balance', () => {
    const account = accountOf(0, [35_600], [{ amount: 4_990_000, ends: NOON + HOUR_MS }]);
    expect(runwayOf(account, NOON)).toMatchObject({ endsAt: midnight(2), stopsFirst: 1 });
  });

  it('counts a credit for the daily runs before its end, and states what is locked at the end', () => {
    const credits = [
      { amount: 4_990_000, ends: midnight(4) },
      { amount: 4_990_000, ends: midnight(30), type: 'referrer' as const },
    ];
    // 2 and 3 Dec are paid from the credit. On 4 Dec it has ended, and the regular balance pays once. 5 Dec is not
    // paid.
    expect(runwayOf(accountOf(900_000, [35_600], credits), NOON)).toEqual({
      endsAt: midnight(5),
      stopsFirst: 1,
      stops: [1],
      locked: Money.of(4.99),
    });
  });

  it('is over during a grace period', () => {
    const held = settleAccount(accountOf(100, [35_600]), midnight(2) + 5, { gracePeriodMs: HOUR_MS }).after;
    expect(runwayOf(held, midnight(2) + 60_000)).toMatchObject({ endsAt: midnight(2), stopsFirst: 1 });
  });

  it('matches the end of real daily runs, with credits or without', () => {
    const credit = fc.record({
      amount: fc.integer({ min: 0, max: 5_000_000 }),
      ends: fc.integer({ min: 1, max: 12 * 24 }).map((hours) => NOON + hours * HOUR_MS),
      type: fc.constantFrom('signup' as const, 'referrer' as const),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12_000_000 }),
        fc.array(fc.constantFrom(35_600, 5_000, 104_100), { minLength: 1, maxLength: 4 }),
        fc.array(credit, { maxLength: 3 }),
        (regular, hourly, credits) => {
          const account = accountOf(regular, hourly, credits);
          const runway = runwayOf(account, NOON);
          let now = account;
          for (let runAt = midnight(2); ; runAt += DAY_MS) {
            const settlement = settleAccount(now, runAt, { gracePeriodMs: 0 });
            const [first] = settlement.depletions;
            if (first !== undefined) {
              expect([runway.endsAt, runway.stopsFirst]).toEqual([runAt, first.deploymentId]);
              return;
            }
            now = settlement.after;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('warnings before the balance runs out', () => {
  const warn = (days: number | null, warned: LowBalanceDays | null) =>
    lowBalanceWarning({ endsAt: days === null ? null : NOON + days * DAY_MS }, { at: NOON, warned });

  it.each([
    [7.01, null, null, null],
    [7, null, 7, 7],
    [3.5, null, 7, 7],
    [3.5, 7, null, 7],
    [3, 7, 3, 3],
    [0.44, null, 1, 1],
    [0.44, 1, null, 1],
    // Each threshold re-arms when the runway exceeds it.
    [2, 1, null, 3],
    [1, 3, 1, 1],
    [5, 1, null, 7],
    [30, 1, null, null],
    [null, 3, null, null],
  ] as const)('%s days left, warned at %s: sends %s, stores %s', (days, warned, send, remembered) => {
    expect(warn(days, warned)).toEqual({ send, warned: remembered });
  });
});
