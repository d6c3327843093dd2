import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { addDays, DAY_MS, dayOf, HOUR_MS, instant, type Instant, startOfDay } from '../time';
import { type Account, balanceInfo, type Metered } from './account';
import { type Entry, entryAmount } from './books';
import { type Credit, isUnlocked, usableCredits } from './credit';
import { owedForDay } from './hours';
import { planRateChange, refusalToRaise, rerateAccount } from './rate-change';
import { postAdjustment, postCreditAdjustment, postGrant, postPayment, postReturn, postWithdrawal } from './postings';
import { PRICE_LIST } from './price-list';
import { hourlyPrice } from './pricing';
import { settleAccount } from './settle';
import { DomainError } from '../errors';

/** The five laws of billing, checked on random accounts. */
const ORIGIN = instant('2026-11-30T00:00:00Z');
const DAYS = 5;
/** Number of runs, enough for a commit. Set LAW_RUNS=30000 for a nightly run. */
const RUNS = Number(process.env.LAW_RUNS ?? 800);
const END = ORIGIN + DAYS * DAY_MS;

const amount = (max: number): fc.Arbitrary<Money> => fc.integer({ min: 0, max }).map((n) => Money.micros(BigInt(n)));
/** Generates instants of the window, often exactly at, just before or just after a midnight or an hour. */
const moment: fc.Arbitrary<Instant> = fc.oneof(
  fc.integer({ min: ORIGIN, max: END }),
  fc
    .tuple(fc.integer({ min: 0, max: DAYS }), fc.constantFrom(-1, 0, 1))
    .map(([day, off]) => ORIGIN + day * DAY_MS + off),
  fc
    .tuple(fc.integer({ min: 0, max: DAYS * 24 }), fc.constantFrom(-1, 0, 1))
    .map(([hour, off]) => ORIGIN + hour * HOUR_MS + off),
);

const credit = (id: number): fc.Arbitrary<Credit> =>
  fc
    .record({
      creditType: fc.constantFrom('signup' as const, 'referrer' as const, 'referred' as const),
      amount: amount(6_000_000),
      expiresAt: moment,
    })
    .map((found) => ({ ...found, id, remaining: found.amount, lapsed: Money.ZERO, expired: false }));

const BASES = [35_600, 5_000, 104_100, 279_000, 309_600];
const deployment = (id: number): fc.Arbitrary<Metered> =>
  fc.record({ billableFrom: moment, hourly: fc.constantFrom(...BASES) }).map(({ billableFrom, hourly }) => ({
    id,
    clientName: `deployment ${id}`,
    billableFrom,
    billableTo: null,
    rates: [{ from: 0, hourly: Money.micros(BigInt(hourly)) }],
    chargedThrough: null,
    gracePeriod: null,
    closedOut: false,
    allocations: [],
  }));

const account: fc.Arbitrary<Account> = fc.record({
  regular: fc.oneof(
    amount(20_000_000),
    fc.constantFrom(5_000_000n, 4_999_999n, 0n).map((micros) => Money.micros(micros)),
  ),
  owed: fc.constant(Money.ZERO),
  credits: fc.integer({ min: 0, max: 4 }).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => credit(i + 1)))),
  deployments: fc
    .integer({ min: 1, max: 4 })
    .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => deployment(i + 1)))),
});

interface Ending {
  readonly deploymentId: number;
  readonly at: Instant;
}

/** Closes intervals at these instants, at which the provisioner loses servers, unless they are closed already. */
function close(now: Account, losses: readonly Ending[], t: Instant): Account {
  return {
    ...now,
    deployments: now.deployments.map((d) => {
      const [loss] = losses
        .filter((l) => l.deploymentId === d.id && l.at <= t && l.at >= d.billableFrom)
        .sort((a, b) => a.at - b.at);
      return loss === undefined || d.billableTo !== null ? d : { ...d, billableTo: loss.at };
    }),
  };
}

function play(
  start: Account,
  runs: readonly Instant[],
  losses: readonly Ending[],
): { after: Account; entries: Entry[] } {
  let now = start;
  const entries: Entry[] = [];
  for (const t of [...runs].sort((a, b) => a - b)) {
    const settlement = settleAccount(close(now, losses, t), t, { gracePeriodMs: 0 });
    entries.push(...settlement.entries);
    now = settlement.after;
  }
  return { after: now, entries };
}

const buckets = (now: Account): object => ({
  regular: now.regular.micros,
  credits: now.credits.map(({ id, remaining, lapsed, expired }) => [id, remaining.micros, lapsed.micros, expired]),
  ends: now.deployments.map(({ id, billableTo, chargedThrough, closedOut }) => [
    id,
    billableTo,
    chargedThrough,
    closedOut,
  ]),
});

describe('ledger properties', () => {
  it('late equals punctual: runs on time, none until the end, or at random times have the same result', () => {
    const losses = fc.array(fc.record({ deploymentId: fc.integer({ min: 1, max: 4 }), at: moment }), { maxLength: 2 });
    fc.assert(
      fc.property(account, losses, fc.array(moment, { maxLength: 8 }), (start, lost, random) => {
        // The account is settled at every instant at which something is due.
        const punctual = [
          ...Array.from({ length: DAYS + 1 }, (_, day) => ORIGIN + day * DAY_MS),
          ...start.deployments.map(({ billableFrom }) => billableFrom),
          ...start.credits.map(({ expiresAt }) => expiresAt),
          ...lost.map(({ at }) => at),
          END,
        ].filter((t) => t <= END);
        const onTime = play(start, punctual, lost);
        const late = play(start, [END], lost);
        const sometimes = play(start, [...random.filter((t) => t <= END), END], lost);
        expect(buckets(late.after)).toEqual(buckets(onTime.after));
        expect(buckets(sometimes.after)).toEqual(buckets(onTime.after));
        // A repeated settlement posts nothing.
        expect(settleAccount(onTime.after, END, { gracePeriodMs: 0 }).entries).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('unlocking once per account and midnight equals unlocking before every charge', () => {
    fc.assert(
      fc.property(account, (start) => {
        const midnight = startOfDay(addDays(dayOf(ORIGIN), 1));
        const running = start.deployments.map((d) => ({
          ...d,
          billableFrom: ORIGIN - DAY_MS,
          chargedThrough: dayOf(ORIGIN),
        }));
        const settlement = settleAccount({ ...start, deployments: running }, midnight, { gracePeriodMs: 0 });
        if (settlement.depletions.length > 0) return;
        // The set-based charge uses a single line of money, and credits usable at midnight first.
        let regular = start.regular;
        const usable = usableCredits(start.credits, { regular: start.regular, at: midnight }).map((c) => ({ ...c }));
        for (const { rates } of running) {
          let rest = (rates[0]?.hourly ?? Money.ZERO).times(24);
          for (const c of usable) {
            const part = Money.min(c.remaining, rest);
            c.remaining = c.remaining.minus(part);
            rest = rest.minus(part);
          }
          regular = regular.minus(rest);
        }
        expect(settlement.after.regular.micros).toBe(regular.micros);
        for (const c of usable)
          expect(settlement.after.credits.find(({ id }) => id === c.id)?.remaining.micros).toBe(c.remaining.micros);
      }),
      { numRuns: RUNS },
    );
  });

  it('nothing is paid early: a request that waited for the lock since before midnight pays no later charge', () => {
    fc.assert(
      fc.property(account, moment, moment, amount(8_000_000), (start, one, other, money) => {
        const requested = Math.min(one, other);
        const held = settleAccount(start, Math.max(one, other), { gracePeriodMs: HOUR_MS }).after;
        const paid = postPayment(held, { amount: money, at: requested }).after;
        for (const { dueAt } of settleAccount(paid, requested, { gracePeriodMs: HOUR_MS }).entries)
          expect(dueAt).toBeLessThanOrEqual(requested);
      }),
      { numRuns: RUNS },
    );
  });

  it('hours, rows and bounds: any sequence of runs, payments, levels, ends and withdrawals keeps the ledger correct', () => {
    fc.assert(
      fc.property(
        account,
        fc.array(act, { maxLength: 25 }),
        fc.constantFrom(0, HOUR_MS, 26 * HOUR_MS),
        (start, acts, gracePeriodMs) => {
          const story = new Story(start, gracePeriodMs);
          // A caller that waited for the lock acts after others, with the time at which it began to wait.
          for (const one of [...acts].sort((a, b) => a.at + a.waited - (b.at + b.waited))) story.take(one);
          story.settle(END);
          story.check();
        },
      ),
      { numRuns: RUNS / 2 },
    );
  });
});

type Act = {
  readonly at: Instant;
  readonly waited: number;
  readonly n: number;
  readonly amount: Money;
  readonly level: 1 | 2 | 3;
} & {
  readonly kind: 'run' | 'pay' | 'level' | 'end' | 'withdraw' | 'won' | 'adjust' | 'grant' | 'adjust credit';
};
const act: fc.Arbitrary<Act> = fc.record({
  at: moment,
  waited: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 10_000 })),
  n: fc.integer({ min: 1, max: 4 }),
  amount: amount(8_000_000),
  level: fc.constantFrom(1 as const, 2 as const, 3 as const),
  kind: fc.constantFrom('run', 'pay', 'level', 'end', 'withdraw', 'won', 'adjust', 'grant', 'adjust credit'),
});

/** An account with its history and everything ever posted. */
class Story {
  private now: Account;
  private readonly entries: Entry[] = [];
  private readonly levels = new Map<number, 1 | 2 | 3>();
  private nextCredit = 100;

  constructor(
    private readonly start: Account,
    private readonly gracePeriodMs: number,
  ) {
    this.now = start;
  }

  settle(t: Instant): void {
    this.store(settleAccount(this.now, t, { gracePeriodMs: this.gracePeriodMs }));
    // The laws hold after every posting.
    this.checkBounds();
  }

  private store({ entries, after }: { entries: readonly Entry[]; after: Account }): void {
    this.entries.push(...entries);
    this.now = after;
  }

  private post(posting: { entries: readonly Entry[]; after: Account }, at: Instant): void {
    this.store(posting);
    if (this.now.deployments.some(({ gracePeriod }) => gracePeriod !== null)) this.settle(at);
    this.checkBounds();
  }

  take({ kind, at, n, amount: money, level }: Act): void {
    switch (kind) {
      case 'run':
        return this.settle(at);
      case 'pay':
        return this.post(postPayment(this.now, { amount: money, at }), at);
      case 'withdraw':
        return this.post(postWithdrawal(this.now, { kind: 'dispute', amount: money, at }), at);
      case 'won':
        return this.post(postReturn(this.now, { kind: 'dispute_won', amount: money, at }), at);
      case 'adjust':
        return this.mayRefuse(() =>
          this.post(postAdjustment(this.now, { amount: n < 3 ? money : money.negated(), at }), at),
        );
      case 'grant': {
        const granted: Credit = {
          id: this.nextCredit++,
          creditType: n < 3 ? 'signup' : 'referrer',
          amount: money,
          remaining: money,
          lapsed: Money.ZERO,
          expiresAt: at + n * 11 * HOUR_MS,
          expired: false,
        };
        return this.post(postGrant(this.now, { credit: granted, at }), at);
      }
      case 'adjust credit':
        return this.mayRefuse(() => this.post(postCreditAdjustment(this.now, { creditId: n, amount: money, at }), at));
      case 'level':
        return this.changeLevel(n, level, at);
      case 'end':
        return this.end(n, at);
    }
  }

  private mayRefuse(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  private changeLevel(id: number, to: 1 | 2 | 3, at: Instant): void {
    this.settle(at);
    const found = this.now.deployments.find((d) => d.id === id);
    if (found === undefined || found.billableTo !== null || found.billableFrom > at) return;
    const from = this.levels.get(id) ?? 1;
    const base = this.start.deployments.find((d) => d.id === id)?.rates[0]?.hourly ?? Money.ZERO;
    if (from === to || found.rates.some((rate) => rate.from >= at)) return;
    const hourly = hourlyPrice({ baseHourly: base, supportLevel: to });
    const plan = planRateChange(this.now, { deploymentId: id, hourly, at, creatingHourly: Money.ZERO });
    if (refusalToRaise(plan, { owed: this.now.owed, everPaid: true }, { isRaise: from < to }) !== null) return;
    this.levels.set(id, to);
    const before = this.entries.length;
    const posting = rerateAccount(this.now, { deploymentId: id, rate: plan.rate });
    this.post(posting, at);
    // The posted amount equals the quote.
    const revenue = this.entries
      .slice(before)
      .filter((e) => e.type === 'rerate')
      .flatMap((e) => e.lines.filter((l) => l.bucket === 'revenue'));
    expect(Money.sum(revenue.map((l) => l.amount)).micros).toBe(plan.today.micros);
  }

  private end(id: number, at: Instant): void {
    this.settle(at);
    const found = this.now.deployments.find((d) => d.id === id);
    if (found === undefined || found.billableTo !== null) return;
    const end = found.gracePeriod === null ? at : startOfDay(found.gracePeriod.day);
    const billableTo = Math.max(end, found.billableFrom);
    this.now = { ...this.now, deployments: this.now.deployments.map((d) => (d.id === id ? { ...d, billableTo } : d)) };
    this.settle(Math.max(at, billableTo));
  }

  private checkBounds(): void {
    expect(this.now.regular.isNegative).toBe(false);
    expect(this.now.owed.isPositive).toBe(false);
    for (const { remaining, lapsed, amount: whole } of this.now.credits) {
      expect(remaining.isNegative).toBe(false);
      expect(remaining.plus(lapsed).micros <= whole.micros).toBe(true);
    }
  }

  check(): void {
    for (const { lines } of this.entries) expect(Money.sum(lines.map((line) => line.amount)).micros).toBe(0n);

    // Rows add up to the total balance once due expiries are posted.
    const before = this.start.regular.plus(Money.sum(this.start.credits.map((c) => c.remaining)));
    const rows = Money.sum(this.entries.map(entryAmount));
    expect(before.plus(rows).micros).toBe(balanceInfo(this.now, END).total.micros);

    const charges = this.entries.filter(({ type }) => type === 'charge').map((e) => `${e.deploymentId} ${e.chargedOn}`);
    expect(new Set(charges).size).toBe(charges.length);

    for (const deployment of this.now.deployments) this.checkDeployment(deployment);
  }

  private checkDeployment({ id, billableFrom, billableTo, rates, gracePeriod, chargedThrough }: Metered): void {
    const mine = this.entries.filter((entry) => entry.deploymentId === id);
    const days = [...new Set(mine.map(({ chargedOn }) => chargedOn ?? ''))];
    for (const day of days) {
      const lines = mine.filter((entry) => entry.chargedOn === day).flatMap((entry) => entry.lines);
      // Revenue of a day equals the price of its hours.
      const revenue = Money.sum(lines.filter((line) => line.bucket === 'revenue').map((line) => line.amount));
      expect(revenue.micros).toBe(owedForDay(day, { from: billableFrom, to: billableTo }, rates).amount.micros);
      // Refunds never exceed the charge of each bucket.
      const allocations = new Map<string, Money>();
      for (const line of lines.filter(({ bucket }) => bucket === 'regular' || bucket === 'credit')) {
        const bucket = `${line.bucket} ${line.creditId}`;
        allocations.set(bucket, (allocations.get(bucket) ?? Money.ZERO).plus(line.amount));
      }
      for (const sum of allocations.values()) expect(sum.isPositive).toBe(false);
    }
    // Every due day is charged, except a day in a grace period and those waiting behind it.
    const last = dayOf(Math.min(END, (billableTo ?? END + 1) - 1));
    for (
      let day = dayOf(billableFrom);
      day <= last && billableFrom < (billableTo ?? END + 1) && billableFrom <= END;
      day = addDays(day, 1)
    ) {
      if (gracePeriod !== null && day >= gracePeriod.day) break;
      expect(days).toContain(day);
    }
    if (gracePeriod !== null) expect(chargedThrough === null || chargedThrough < gracePeriod.day).toBe(true);
  }
}

describe('spendable credits', () => {
  const now = { regular: Money.of(5), at: ORIGIN };
  const one = (more: Partial<Credit>): Credit => ({
    id: 1,
    creditType: 'referrer',
    amount: Money.of(4.99),
    remaining: Money.of(4.99),
    lapsed: Money.ZERO,
    expiresAt: ORIGIN + 1,
    expired: false,
    ...more,
  });

  it('are used by earliest expiry, then lowest id', () => {
    const found = usableCredits(
      [one({ id: 3, expiresAt: ORIGIN + 9 }), one({ id: 2 }), one({ id: 1, creditType: 'signup' })],
      now,
    );
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('include referral credits from exactly 5.00 of regular balance, and signup credits always', () => {
    const below = Money.micros(4_999_999n);
    expect(isUnlocked(one({}), PRICE_LIST.creditUnlockBalance)).toBe(true);
    expect(isUnlocked(one({}), below)).toBe(false);
    expect(isUnlocked(one({ creditType: 'referred' }), below)).toBe(false);
    expect(isUnlocked(one({ creditType: 'signup' }), Money.ZERO)).toBe(true);
  });

  it('exclude credits at or after their end and empty credits', () => {
    expect(usableCredits([one({ expiresAt: ORIGIN })], now)).toEqual([]);
    expect(usableCredits([one({ remaining: Money.ZERO })], now)).toEqual([]);
  });
});
