import { Money } from '../money';
import type { Day, Instant } from '../time';
import type { Account, Metered, Allocation } from './account';
import { availableMoney } from './account';
import { type Credit, hasEnded, usableCredits } from './credit';
import { type Interval, owedForDay } from './hours';
import { type Lapse, SENTENCES, type TransactionType } from './transaction-type';

export type Bucket = 'regular' | 'credit' | 'owed' | 'revenue' | 'payments' | 'adjustments' | 'lapsed';

export interface Line {
  readonly bucket: Bucket;
  readonly creditId: number | null;
  /** Signed amount. The lines of an entry sum to zero. */
  readonly amount: Money;
}

/** A ledger transaction with its lines. */
export interface Entry {
  readonly type: TransactionType;
  readonly dueAt: Instant;
  readonly deploymentId: number | null;
  readonly chargedOn: Day | null;
  readonly creditId: number | null;
  readonly description: string;
  readonly lines: readonly Line[];
}

/** Returns the signed effect on regular balance and credits, the amount that a transaction row shows. */
export function entryAmount(entry: Pick<Entry, 'lines'>): Money {
  return Money.sum(
    entry.lines.filter((line) => line.bucket === 'regular' || line.bucket === 'credit').map((line) => line.amount),
  );
}

type Open<T> = { -readonly [K in keyof T]: T[K] };
export interface OpenMetered extends Open<Omit<Metered, 'allocations'>> {
  readonly allocations: Map<Day, Allocation[]>;
}
export type OpenCredit = Open<Credit>;

/**
 * Working copy of an account, with its ledger accounts, deployments and the entries written so far. It is opened from
 * an account and closed into a new one. Intermediate states stay inside the rules.
 */
export interface Books {
  regular: Money;
  owed: Money;
  readonly credits: Map<number, OpenCredit>;
  readonly deployments: Map<number, OpenMetered>;
  readonly entries: Entry[];
}

/** Opens an account for changes. The account itself is not modified. */
export function openBooks(account: Account): Books {
  return {
    regular: account.regular,
    owed: account.owed,
    credits: new Map(account.credits.map((credit) => [credit.id, { ...credit }])),
    deployments: new Map(
      account.deployments.map((deployment) => [
        deployment.id,
        { ...deployment, allocations: new Map(deployment.allocations.map(({ day, lines }) => [day, [...lines]])) },
      ]),
    ),
    entries: [],
  };
}

/** Converts a working copy back to an account. */
export function closeBooks(books: Books): Account {
  return {
    regular: books.regular,
    owed: books.owed,
    credits: [...books.credits.values()],
    deployments: [...books.deployments.values()].map((deployment) => ({
      ...deployment,
      allocations: [...deployment.allocations].map(([day, lines]) => ({ day, lines })),
    })),
  };
}

const line = (bucket: Bucket, amount: Money, creditId: number | null = null): Line => ({ bucket, creditId, amount });

function metered(books: Books, deploymentId: number): OpenMetered {
  const deployment = books.deployments.get(deploymentId);
  if (deployment === undefined) throw new RangeError(`deployment ${deploymentId} is not in this account`);
  return deployment;
}

/** Returns the money that a charge at this instant may use. */
export function available(books: Books, at: Instant): Money {
  return availableMoney({ regular: books.regular, credits: [...books.credits.values()] }, at);
}

/**
 * Spends credits by earliest expiry, then the regular balance. The caller must have checked that `available` covers the
 * amount.
 */
function spend(books: Books, amount: Money, at: Instant): Allocation[] {
  const allocations: Allocation[] = [];
  let rest = amount;
  // Usable credits are determined once, before the first allocation. A charge that takes the regular balance below 5.00
  // still uses all credits that were unlocked.
  for (const credit of usableCredits([...books.credits.values()], { regular: books.regular, at })) {
    if (rest.isZero) break;
    const part = Money.min(credit.remaining, rest);
    credit.remaining = credit.remaining.minus(part);
    rest = rest.minus(part);
    allocations.push({ creditId: credit.id, amount: part });
  }
  if (rest.isPositive) {
    if (books.regular.isLessThan(rest)) throw new RangeError('spending exceeds the balance');
    books.regular = books.regular.minus(rest);
    allocations.push({ creditId: null, amount: rest });
  }
  return allocations;
}

const allocationLines = (allocations: readonly Allocation[]): Line[] =>
  allocations.map(({ creditId, amount }) => line(creditId === null ? 'regular' : 'credit', amount.negated(), creditId));

function pushAllocations(deployment: OpenMetered, day: Day, allocations: readonly Allocation[]): void {
  deployment.allocations.set(day, [...(deployment.allocations.get(day) ?? []), ...allocations]);
}

/**
 * Charges the rest of a day at the current prices. If the available money does not cover it, nothing is posted and
 * `covered` is false.
 */
export function chargeDay(
  books: Books,
  charge: { deploymentId: number; day: Day; dueAt: Instant; evaluatedAt: Instant },
): { covered: boolean; amount: Money } {
  const deployment = metered(books, charge.deploymentId);
  const { hours, amount } = owedForDay(charge.day, { from: deployment.billableFrom, to: null }, deployment.rates);
  if (available(books, charge.evaluatedAt).isLessThan(amount)) return { covered: false, amount };
  const allocations = spend(books, amount, charge.evaluatedAt);
  pushAllocations(deployment, charge.day, allocations);
  deployment.chargedThrough = charge.day;
  books.entries.push({
    type: 'charge',
    dueAt: charge.dueAt,
    deploymentId: deployment.id,
    chargedOn: charge.day,
    creditId: null,
    description: SENTENCES.charge({ id: deployment.id, day: charge.day, hours }),
    lines: [...allocationLines(allocations), line('revenue', amount)],
  });
  return { covered: true, amount };
}

/** Ends a credit. Any remainder lapses, and a credit without a remainder ends without an entry. */
export function endCredit(books: Books, creditId: number): void {
  const credit = books.credits.get(creditId);
  if (credit === undefined || credit.expired) return;
  credit.expired = true;
  const rest = credit.remaining;
  if (rest.isZero) return;
  credit.remaining = Money.ZERO;
  credit.lapsed = credit.lapsed.plus(rest);
  books.entries.push({
    type: 'credit_expired',
    dueAt: credit.expiresAt,
    deploymentId: null,
    chargedOn: null,
    creditId,
    description: SENTENCES.credit_expired(credit.creditType),
    lines: [line('credit', rest.negated(), creditId), line('lapsed', rest)],
  });
}

/** Returns the signed difference (owed - posted) of each posted day from `from`, without days that have not changed. */
export function differences(
  deployment: Pick<OpenMetered, 'allocations' | 'billableFrom' | 'billableTo' | 'rates'>,
  from: Day,
): { day: Day; difference: Money }[] {
  const interval: Interval = { from: deployment.billableFrom, to: deployment.billableTo };
  return [...deployment.allocations]
    .filter(([day]) => day >= from)
    .map(([day, lines]) => ({
      day,
      difference: owedForDay(day, interval, deployment.rates).amount.minus(Money.sum(lines.map((l) => l.amount))),
    }))
    .filter(({ difference }) => !difference.isZero);
}

/** Reasons for a correction with a description of their own. */
type Correction = 'rerate' | 'reopened' | 'restored' | 'resized';

/**
 * Posts owed - posted for each day from `from`. Refunds come first, latest day first, followed by charges. The caller
 * must have checked that the charges are covered.
 *
 * @returns the sum of the differences, negative for a refund
 */
export function correct(
  books: Books,
  correction: { deploymentId: number; from: Day; at: Instant; type: 'refund' | 'rerate'; why?: Correction },
): Money {
  const deployment = metered(books, correction.deploymentId);
  const wanted = differences(deployment, correction.from);
  for (const { day, difference } of wanted
    .filter((d) => d.difference.isNegative)
    .sort((a, b) => (a.day < b.day ? 1 : -1)))
    giveBack(books, deployment, { ...correction, day, amount: difference.negated() });
  for (const { day, difference } of wanted.filter((d) => d.difference.isPositive)) {
    const allocations = spend(books, difference, correction.at);
    pushAllocations(deployment, day, allocations);
    books.entries.push({
      type: 'rerate',
      dueAt: correction.at,
      deploymentId: deployment.id,
      chargedOn: day,
      creditId: null,
      description: SENTENCES[correction.why ?? 'rerate']({
        id: deployment.id,
        day,
      }),
      lines: [...allocationLines(allocations), line('revenue', difference)],
    });
  }
  return Money.sum(wanted.map(({ difference }) => difference));
}

/** Reverses allocations of a day, last applied first. Amounts that belong to an ended credit lapse. */
function giveBack(
  books: Books,
  deployment: OpenMetered,
  back: { day: Day; amount: Money; at: Instant; type: 'refund' | 'rerate'; why?: Correction },
): void {
  const stack = deployment.allocations.get(back.day) ?? [];
  const returned = new Map<number | null, Money>();
  const lapses = new Map<number, Lapse>();
  let rest = back.amount;
  while (rest.isPositive) {
    const last = stack.pop();
    if (last === undefined) throw new RangeError('refund exceeds the amount charged');
    const part = Money.min(last.amount, rest);
    if (part.isLessThan(last.amount)) stack.push({ ...last, amount: last.amount.minus(part) });
    rest = rest.minus(part);
    const credit = last.creditId === null ? undefined : books.credits.get(last.creditId);
    if (last.creditId === null) {
      books.regular = books.regular.plus(part);
      returned.set(null, (returned.get(null) ?? Money.ZERO).plus(part));
    } else if (credit === undefined) {
      throw new RangeError(`credit ${last.creditId} is not in this account`);
    } else if (hasEnded(credit, back.at)) {
      credit.lapsed = credit.lapsed.plus(part);
      lapses.set(credit.id, {
        amount: (lapses.get(credit.id)?.amount ?? Money.ZERO).plus(part),
        endedAt: credit.expiresAt,
      });
    } else {
      credit.remaining = credit.remaining.plus(part);
      returned.set(credit.id, (returned.get(credit.id) ?? Money.ZERO).plus(part));
    }
  }
  deployment.allocations.set(back.day, stack);
  const lapsed = Money.sum([...lapses.values()].map((lapse) => lapse.amount));
  const sentence = { id: deployment.id, day: back.day, lapses: [...lapses.values()] };
  books.entries.push({
    type: back.type,
    dueAt: back.at,
    deploymentId: deployment.id,
    chargedOn: back.day,
    creditId: null,
    description: SENTENCES[back.why ?? back.type](sentence),
    lines: [
      line('revenue', back.amount.negated()),
      ...[...returned].map(([creditId, amount]) => line(creditId === null ? 'regular' : 'credit', amount, creditId)),
      ...(lapsed.isZero ? [] : [line('lapsed', lapsed)]),
    ],
  });
}
