import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { DAY_MS, HOUR_MS, instant, type Instant } from '../time';
import type { Account } from './account';
import type { Entry } from './books';
import { rerateAccount } from './rate-change';
import { planReopening } from './reopening';
import { settleAccount } from './settle';

const ORIGIN = instant('2026-11-30T00:00:00Z');
const DAYS = 5;
const END = ORIGIN + DAYS * DAY_MS;
/** Number of runs, enough for a commit. Set LAW_RUNS=30000 for a nightly run. */
const RUNS = Number(process.env.LAW_RUNS ?? 800);

const moment: fc.Arbitrary<Instant> = fc.oneof(
  fc.integer({ min: ORIGIN, max: END - 1 }),
  fc
    .tuple(fc.integer({ min: 0, max: DAYS * 24 - 1 }), fc.constantFrom(-1, 0, 1))
    .map(([hour, off]) => Math.max(ORIGIN, ORIGIN + hour * HOUR_MS + off)),
);

const HOURLY = [35_600n, 104_100n, 309_600n, 5_000n];

interface Stretch {
  readonly from: Instant;
  to: Instant;
}

/**
 * Generates the history of a deployment in order. It is lost (detected `late`), found again, its price changes, or it
 * is settled.
 */
const acts = fc
  .array(
    fc.record({
      at: moment,
      what: fc.constantFrom(
        'lost' as const,
        'lost' as const,
        'found' as const,
        'found' as const,
        'price' as const,
        'clock' as const,
      ),
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * HOUR_MS })),
      hourly: fc.constantFrom(...HOURLY),
    }),
    { maxLength: 14 },
  )
  .map((found) => found.sort((a, b) => a.at - b.at));

/**
 * Returns the price of every clock hour that a stretch touches, at the price in effect at its first instant in any
 * stretch.
 */
function owed(stretches: readonly Stretch[], prices: readonly { at: Instant; hourly: bigint }[]): bigint {
  let sum = 0n;
  for (let hour = ORIGIN; hour < END; hour += HOUR_MS) {
    const firsts = stretches
      .map(({ from, to }) => ({ first: Math.max(from, hour), to }))
      .filter(({ first, to }) => first < Math.min(to, hour + HOUR_MS))
      .map(({ first }) => first);
    if (firsts.length === 0) continue;
    const first = Math.min(...firsts);
    sum += prices.reduce((price, { at, hourly }) => (at <= first ? hourly : price), 0n);
  }
  return sum;
}

const revenue = (entries: readonly Entry[]): bigint =>
  entries
    .flatMap(({ lines }) => lines.filter(({ bucket }) => bucket === 'revenue'))
    .reduce((sum, { amount }) => sum + amount.micros, 0n);

describe('interval reopened after a gap', () => {
  it('is charged for exactly the clock hours its parts touch, each once, whenever it is settled', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...HOURLY), acts, (billableFrom, hourly, story) => {
        let account: Account = {
          regular: Money.micros(10_000_000_000n),
          owed: Money.ZERO,
          credits: [],
          deployments: [
            {
              id: 1,
              clientName: 'one',
              billableFrom,
              billableTo: null,
              rates: [{ from: billableFrom, hourly: Money.micros(hourly) }],
              chargedThrough: null,
              gracePeriod: null,
              closedOut: false,
              allocations: [],
            },
          ],
        };
        const entries: Entry[] = [];
        const store = ({ entries: more, after }: { entries: readonly Entry[]; after: Account }): void => {
          entries.push(...more);
          account = after;
        };
        const settle = (at: Instant): void => store(settleAccount(account, at, { gracePeriodMs: 0 }));
        const change = (billableTo: Instant): void => {
          account = { ...account, deployments: account.deployments.map((d) => ({ ...d, billableTo })) };
        };
        const prices = [{ at: billableFrom, hourly }];
        const stretches: Stretch[] = [{ from: billableFrom, to: END }];
        const isOpen = (): boolean => account.deployments[0]?.billableTo === null;
        for (const { at, what, late, hourly: next } of story.filter((act) => act.at >= billableFrom)) {
          const last = stretches.at(-1);
          if (last === undefined) break;
          if (what === 'clock') settle(at);
          if (what === 'lost' && isOpen()) {
            // Detected at `at`, missing since then, and not before this stretch. A stretch after a return owes its
            // hour, however short it is.
            const since = Math.max(stretches.length > 1 ? last.from + 1 : last.from, at - late);
            if (since > at) continue;
            last.to = since;
            settle(at - 1);
            change(since);
            if (late % 2 === 0) settle(at);
          }
          if (what === 'found' && !isOpen()) {
            settle(at);
            const plan = planReopening(account, { deploymentId: 1, at });
            if ('code' in plan) throw new Error('there is money enough');
            expect(plan.needed.isNegative).toBe(false);
            store(plan.posting);
            stretches.push({ from: at, to: END });
          }
          // A price of the same millisecond as the return comes after it, so the hour already has its price.
          if (what === 'price' && isOpen() && (stretches.length === 1 || at > last.from)) {
            settle(at);
            prices.push({ at, hourly: next });
            store(rerateAccount(account, { deploymentId: 1, rate: { from: at, hourly: Money.micros(next) } }));
          }
        }
        if (isOpen()) change(END);
        settle(END + 1);
        expect(revenue(entries)).toBe(owed(stretches, prices));
        const charges = entries.filter(({ type }) => type === 'charge').map(({ chargedOn }) => chargedOn);
        expect(new Set(charges).size).toBe(charges.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('is rejected without changes if the interval is open, missing, or unaffordable', () => {
    const from = ORIGIN + 10 * HOUR_MS;
    const deployment = {
      id: 1,
      clientName: 'one',
      billableFrom: from,
      billableTo: null,
      rates: [{ from, hourly: Money.micros(35_600n) }],
      chargedThrough: null,
      gracePeriod: null,
      closedOut: false,
      allocations: [],
    };
    const account = { regular: Money.micros(1_000_000n), owed: Money.ZERO, credits: [], deployments: [deployment] };
    const at = from + 4 * HOUR_MS;
    expect(() => planReopening(account, { deploymentId: 1, at })).toThrow('not lost its server');
    expect(() => planReopening(account, { deploymentId: 2, at })).toThrow('not lost its server');
    const closed = settleAccount({ ...account, deployments: [{ ...deployment, billableTo: from + HOUR_MS }] }, at, {
      gracePeriodMs: 0,
    }).after;
    const poor = { ...closed, regular: Money.micros(355_999n) };
    expect(planReopening(poor, { deploymentId: 1, at })).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      needed: Money.micros(356_000n),
      available: Money.micros(355_999n),
    });
    expect(planReopening({ ...closed, regular: Money.micros(356_000n) }, { deploymentId: 1, at })).toHaveProperty(
      'posting',
    );
  });
});
