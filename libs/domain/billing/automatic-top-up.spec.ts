import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { DAY_MS, dayOf, HOUR_MS, instant, MINUTE_MS, startOfDay, startOfMonth } from '../time';
import {
  AUTOMATIC_TOP_UP_DEFAULTS,
  decideTopUp,
  monthCents,
  type TopUpAttempt,
  topUpOutlook,
} from './automatic-top-up';

const NOW = instant('2026-11-20T12:00:00Z');
type Facts = Parameters<typeof decideTopUp>[0];

/** Facts of an account for which a top-up is due. Two of three days are left, and nothing has been charged yet. */
const FACTS: Facts = {
  settings: { ...AUTOMATIC_TOP_UP_DEFAULTS, enabled: true },
  card: { expMonth: 11, expYear: 2026 },
  account: { isActive: true, available: Money.of(4), owed: Money.ZERO, runway: { endsAt: NOW + 2 * DAY_MS } },
  attempts: [],
  at: NOW,
};
const attempt = (ago: number, status: TopUpAttempt['status'] = 'paid', cents = 1_000): TopUpAttempt => ({
  at: NOW - ago,
  status,
  cents,
});
const runsUntil = (endsAt: number | null, available = 4): Partial<Facts> => ({
  account: { isActive: true, available: Money.of(available), owed: Money.ZERO, runway: { endsAt } },
});
const settings = (over: Partial<Facts['settings']>): Partial<Facts> => ({ settings: { ...FACTS.settings, ...over } });
const below = (units: number): Partial<Facts> => settings({ threshold: { kind: 'amount', amount: Money.of(units) } });

describe('automatic charge of the saved card', () => {
  it.each<[string, Partial<Facts>]>([
    ['fewer days are left than the threshold', {}],
    ['a moment below the day threshold', runsUntil(NOW + 3 * DAY_MS - 1)],
    ['a charge is pending', { ...below(1), ...runsUntil(NOW) }],
    ['less balance than the threshold, whatever runs', { ...below(5), ...runsUntil(null, 4.99) }],
    ['an hour after the last attempt', { attempts: [attempt(HOUR_MS)] }],
    ['24 hours after the third attempt', { attempts: [attempt(DAY_MS), attempt(9 * HOUR_MS), attempt(5 * HOUR_MS)] }],
    ['the last amount that fits below the cap', { attempts: [attempt(9 * DAY_MS, 'paid', 9_000)] }],
    ['the cap was reached last month', { attempts: [attempt(21 * DAY_MS, 'paid', 10_000)] }],
    ['failed attempts do not count towards the cap', { attempts: [attempt(9 * DAY_MS, 'failed', 10_000)] }],
    ['in the last minute of card validity', { at: instant('2026-11-30T23:59:59Z'), ...runsUntil(NOW) }],
  ])('yes: %s', (_, more) => {
    expect(decideTopUp({ ...FACTS, ...more })).toEqual({ due: true, cents: 1_000 });
  });

  it.each<[string, Partial<Facts>, string, number | null]>([
    ['it is off', settings({ enabled: false }), 'off', null],
    ['the account is deactivated', { account: { ...FACTS.account, isActive: false } }, 'account', null],
    ['no card is saved', { card: null }, 'no_card', null],
    ['the card has expired', { at: instant('2026-12-01T00:00:00Z') }, 'card_expired', null],
    ['as many days are left as the threshold', runsUntil(NOW + 3 * DAY_MS), 'enough', null],
    ['nothing runs', runsUntil(null, 0), 'enough', null],
    ['the balance equals the threshold', { ...below(4), ...runsUntil(null) }, 'enough', null],
    ['the account owes money', { account: { ...FACTS.account, owed: Money.of(0.01) } }, 'owed', null],
    ['an attempt is in flight', { attempts: [attempt(3 * DAY_MS, 'open')] }, 'open', null],
    ['a second attempt within the hour', { attempts: [attempt(59 * MINUTE_MS)] }, 'hour', NOW + MINUTE_MS],
    ['a failed attempt counts too', { attempts: [attempt(MINUTE_MS, 'failed')] }, 'hour', NOW + 59 * MINUTE_MS],
    [
      'a fourth attempt in 24 hours, across midnight or not',
      { attempts: [attempt(2 * HOUR_MS), attempt(23 * HOUR_MS), attempt(14 * HOUR_MS)] },
      'day',
      NOW + HOUR_MS,
    ],
    ['the full amount would exceed the cap', { attempts: [attempt(9 * DAY_MS, 'paid', 9_001)] }, 'month', null],
  ])('no: %s', (_, more, why, checkAgainAt) => {
    expect(decideTopUp({ ...FACTS, ...more })).toEqual({ due: false, why, checkAgainAt });
  });

  it('counts an attempt with an unknown result towards the monthly cap like a paid attempt', () => {
    const ofMonth = [attempt(0, 'open', 1), attempt(9 * DAY_MS, 'paid', 20), attempt(2 * DAY_MS, 'failed', 300)];
    expect(monthCents([...ofMonth, attempt(21 * DAY_MS, 'open', 4_000)], NOW)).toBe(21);
  });

  it('never exceeds a limit, whenever it is checked', () => {
    const step = fc.record({
      wait: fc.integer({ min: 1, max: 40 * HOUR_MS }),
      ends: fc.constantFrom<TopUpAttempt['status']>('paid', 'failed', 'open'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 100, max: 3_000 }), (steps, amountCents) => {
        const facts = {
          ...FACTS,
          ...settings({ amountCents, monthCapCents: 8_000 }),
          card: { expMonth: 1, expYear: 2099 },
        };
        const attempts: TopUpAttempt[] = [];
        let at = NOW;
        for (const { wait, ends } of steps) {
          at += wait;
          const decision = decideTopUp({ ...facts, ...runsUntil(at), attempts, at });
          if (decision.due) attempts.push({ at, status: ends, cents: decision.cents });
          // An attempt in flight ends before its third check.
          else if (decision.why === 'open' && wait % 2 === 0)
            attempts.splice(-1, 1, { ...(attempts.at(-1) as TopUpAttempt), status: 'paid' });
        }
        for (const [index, { at: begun }] of attempts.entries()) {
          expect(attempts.filter((one) => one.at > begun - DAY_MS && one.at <= begun).length).toBeLessThanOrEqual(3);
          expect(begun - (attempts[index - 1]?.at ?? -Infinity)).toBeGreaterThanOrEqual(HOUR_MS);
          const month = attempts.filter(
            (one) => one.status !== 'failed' && startOfMonth(one.at) === startOfMonth(begun),
          );
          expect(month.reduce((sum, { cents }) => sum + cents, 0)).toBeLessThanOrEqual(8_000);
        }
        expect(attempts.filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('expected automatic top-ups', () => {
  const at = instant('2026-11-20T12:00:00Z');
  const midnight = (days: number): number => startOfDay('2026-11-20') + days * DAY_MS;
  const days = [30, 23.17, 16.34, 9.51, 2.68, 0].map((total, index) => ({
    date: dayOf(midnight(index)),
    total: Money.of(total),
  }));
  const settings = { threshold: { kind: 'days', days: 3 }, amountCents: 1_000, monthCapCents: 10_000 } as const;
  const forecast = { daily: Money.of(6.83), endsAt: midnight(5), days, usedCents: 0, at };

  it('are counted at the cost of today, with the days of a month that the cap pays for', () => {
    const outlook = topUpOutlook(settings, forecast);
    expect(outlook?.daysPerTopUp).toBeCloseTo(1.464);
    expect(outlook).toMatchObject({ nextAt: midnight(2), isCapped: false, capDays: 14 });
    expect(topUpOutlook({ ...settings, monthCapCents: 100_000 }, forecast)?.capDays).toBeNull();
  });

  it.each([
    ['the runway is below the days', settings, {}, midnight(2)],
    ['the runway is below the days already', settings, { endsAt: midnight(2) }, at],
    [
      'the balance is below the amount',
      { ...settings, threshold: { kind: 'amount', amount: Money.of(10) } },
      {},
      midnight(3),
    ],
    ['no end is foreseeable', settings, { endsAt: null }, null],
  ] as const)('are next when %s', (_, conditions, more, nextAt) => {
    expect(topUpOutlook(conditions, { ...forecast, ...more })?.nextAt).toBe(nextAt);
  });

  it('wait for the next month once the cap is used up', () => {
    expect(topUpOutlook(settings, { ...forecast, usedCents: 9_001 })).toMatchObject({
      nextAt: instant('2026-12-01T00:00:00Z'),
      isCapped: true,
    });
    // The charge is due in the next month anyway.
    expect(topUpOutlook(settings, { ...forecast, usedCents: 9_001, endsAt: midnight(20) })?.isCapped).toBe(false);
  });

  it('are unknown while nothing runs', () => {
    expect(topUpOutlook(settings, { ...forecast, daily: Money.ZERO })).toBeNull();
  });
});
