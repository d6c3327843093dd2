import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { DAY_MS, HOUR_MS, instant, startOfDay } from '../time';
import type { Account } from './account';
import { Midnights } from './daily-charge';
import { settleAccount } from './settle';

const MIDNIGHT = startOfDay('2026-12-02');
const micros = (amount: number): Money => Money.micros(BigInt(amount));

const anyAccount = fc
  .tuple(
    fc.oneof(fc.integer({ min: 0, max: 8_000_000 }), fc.integer({ min: 4_500_000, max: 6_500_000 })),
    fc.array(fc.constantFrom(35_600, 5_000, 104_100, 0), { minLength: 1, maxLength: 5 }),
    fc.array(
      fc.record({
        amount: fc.integer({ min: 0, max: 2_000_000 }),
        ends: fc.integer({ min: -30, max: 30 }),
        type: fc.constantFrom('signup' as const, 'referrer' as const),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([regular, hourly, credits]): Account => ({
    regular: micros(regular),
    owed: Money.ZERO,
    credits: credits.map(({ amount, ends, type }, index) => ({
      id: index + 1,
      creditType: type,
      amount: micros(2_000_000),
      remaining: micros(amount),
      lapsed: Money.ZERO,
      expiresAt: MIDNIGHT + ends * HOUR_MS,
      expired: false,
    })),
    deployments: hourly.map((price, index) => ({
      id: index + 1,
      clientName: `d${index + 1}`,
      billableFrom: instant('2026-11-20T10:00:00Z'),
      billableTo: null,
      rates: [{ from: 0, hourly: micros(price) }],
      chargedThrough: '2026-12-01',
      gracePeriod: null,
      closedOut: false,
      allocations: [],
    })),
  }));

const chargedOn = (account: Account): Money | null => new Midnights(account).charge(MIDNIGHT);

/** Selects everything that later days depend on. */
const seen = ({ regular, credits, deployments }: Account) => ({
  regular,
  credits: credits.map(({ id, remaining, lapsed, expired }) => ({ id, remaining, lapsed, expired })),
  deployments: deployments.map(({ id, chargedThrough, billableTo, gracePeriod }) => ({
    id,
    chargedThrough,
    billableTo,
    gracePeriod,
  })),
});

describe('fully paid daily charge', () => {
  it('equals the result of the rule, charge by charge', () => {
    let atOnce = 0;
    fc.assert(
      fc.property(anyAccount, (account) => {
        const midnights = new Midnights(account);
        let before = account;
        for (let midnight = MIDNIGHT; midnight < MIDNIGHT + 3 * DAY_MS; midnight += DAY_MS) {
          const charged = midnights.charge(midnight);
          if (charged === null) return;
          atOnce += 1;
          const { after, depletions } = settleAccount(before, midnight, { gracePeriodMs: 0 });
          expect(depletions).toEqual([]);
          expect(seen(midnights.account)).toEqual(seen(after));
          const buckets = (of: Account): Money =>
            Money.sum([of.regular, ...of.credits.map(({ remaining, lapsed }) => remaining.plus(lapsed))]);
          expect(charged).toEqual(buckets(before).minus(buckets(midnights.account)));
          before = after;
        }
      }),
      { numRuns: 2_000 },
    );
    expect(atOnce).toBeGreaterThan(300);
  });

  it('does not apply while a charge is pending or behind, or an interval has ended', () => {
    const [account] = fc.sample(
      anyAccount.filter((one) => chargedOn(one) !== null),
      1,
    );
    if (account === undefined) throw new Error('no such account');
    const changed = (change: object): Account => ({
      ...account,
      deployments: account.deployments.map((one) => ({ ...one, ...change })),
    });
    expect(chargedOn(changed({ chargedThrough: '2026-11-30' }))).toBeNull();
    expect(chargedOn(changed({ chargedThrough: null }))).toBeNull();
    expect(chargedOn(changed({ billableTo: MIDNIGHT - HOUR_MS }))).toBeNull();
    const gracePeriod = { day: '2026-12-01', openedAt: MIDNIGHT - HOUR_MS, endsAt: MIDNIGHT + HOUR_MS };
    expect(chargedOn(changed({ gracePeriod }))).toBeNull();
  });
});
