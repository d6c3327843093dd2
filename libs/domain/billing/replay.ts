import { DomainError } from '../errors';
import { Money } from '../money';
import { addDays, type Day, dayOf, type Instant, MINUTE_MS } from '../time';
import type { Account, AllocationsOfDay } from './account';
import {
  type Books,
  chargeDay,
  closeBooks,
  correct,
  endCredit,
  type Entry,
  openBooks,
  type OpenMetered,
} from './books';
import type { CreditType } from './credit';
import { dueInstant, firstDay, owedForDay, type Rate } from './hours';
import {
  postAdjustment,
  postCreditAdjustment,
  postReturn,
  postGrant,
  type Posting,
  postPayment,
  postWithdrawal,
} from './postings';
import { applyPosted } from './posted-lines';
import { planReopening } from './reopening';
import { settleAccount } from './settle';
import { faultsOfEntry } from './transaction-rules';

/** A transaction as stored in the ledger. */
export interface PostedTransaction extends Entry {
  readonly id: number;
  readonly amount: Money;
  readonly postedAt: Instant;
  readonly cause: string | null;
  readonly actorUserId: number | null;
}

/** Facts from which an account's ledger follows. Facts and transactions of an account are ordered by ID. */
export interface MoneyFacts {
  readonly credits: ReadonlyMap<number, readonly CreditTerms[]>;
  readonly deployments: ReadonlyMap<number, DeploymentFacts>;
  /** Amounts paid, keyed by the cause of their transaction. */
  readonly payments: ReadonlyMap<string, Money>;
}

export interface CreditTerms {
  readonly id: number;
  readonly creditType: CreditType;
  readonly amount: Money;
  readonly expiresAt: Instant;
}

export interface DeploymentFacts {
  /** Prices sorted by `from`. If two start at the same instant, the row written later comes last. */
  readonly rates: readonly (Rate & {
    readonly id: number;
    readonly writtenAt: Instant | null;
    readonly ofGap: boolean;
  })[];
  /** Every version of every interval, in the order written. */
  readonly intervals: readonly { readonly from: Instant; readonly to: Instant | null }[];
}

/** State of a replay after some of the transactions. */
export interface ReplayState {
  readonly regular: Money;
  readonly owed: Money;
  readonly firstPaidAt: Instant | null;
  readonly credits: Account['credits'];
  readonly deployments: readonly {
    readonly id: number;
    readonly chargedThrough: Day | null;
    readonly allocations: readonly AllocationsOfDay[];
  }[];
}

export const EMPTY_STATE: ReplayState = {
  regular: Money.ZERO,
  owed: Money.ZERO,
  firstPaidAt: null,
  credits: [],
  deployments: [],
};

export interface Replayed {
  /**
   * Reasons why the ledger does not follow from the facts, at most `FAULTS_MAX`. Consequences of earlier faults are
   * left out.
   */
  readonly faults: readonly string[];
  readonly state: ReplayState;
}

/** Limit of faults. The replay restarts after each fault. */
const FAULTS_MAX = 10;

/**
 * Replays an account's history from its facts in the order of posting, and compares every line.
 *
 * The posting time comes from the ledger. Whether a transaction was due then, and which amounts it moves, comes from
 * the rules. After a posting that does not follow from the facts, the replay continues with the posted amounts, as the
 * ledger did, unless the posting names a credit or deployment that the account does not have.
 *
 * @param postings each element holds the transactions written by one SQL statement
 */
export function replay(
  start: ReplayState,
  facts: MoneyFacts,
  postings: readonly (readonly PostedTransaction[])[],
): Replayed {
  const faults: string[] = [];
  const subjects = new Set<string>();
  const played: Played[] = [];
  const left = postings.toReversed();
  let player = new Player(start, facts);
  for (let posting = left.pop(); posting !== undefined && faults.length < FAULTS_MAX; posting = left.pop()) {
    const found = player.play(posting);
    if (found === null) {
      played.push({ posting, follows: true });
      continue;
    }
    const { fault, index } = found;
    const wrong = posting.slice(index, index + 1);
    // A fault of a deployment or credit that already had a fault may only be a consequence.
    const concerns = wrong.flatMap(subjectsOf);
    if (faults.length === 0 || !concerns.some((subject) => subjects.has(subject))) faults.push(fault);
    for (const subject of concerns) subjects.add(subject);
    played.push({ posting: posting.slice(0, index), follows: true }, { posting: wrong, follows: false });
    left.push(posting.slice(index + 1));
    // The failed attempt has changed the books.
    player = new Player(start, facts);
    if (!player.playAgain(played)) break;
  }
  return { faults, state: player.state() };
}

/** A posting, or a part of it, and whether it follows from the facts. */
interface Played {
  readonly posting: readonly PostedTransaction[];
  readonly follows: boolean;
}

function subjectsOf({ deploymentId, creditId, lines }: PostedTransaction): string[] {
  const credits = [creditId, ...lines.map((line) => line.creditId)].filter((id) => id !== null);
  return [...(deploymentId === null ? [] : [`deployment ${deploymentId}`]), ...credits.map((id) => `credit ${id}`)];
}

class Player {
  private books: Books;
  private firstPaidAt: Instant | null;

  constructor(
    start: ReplayState,
    private readonly facts: MoneyFacts,
  ) {
    this.firstPaidAt = start.firstPaidAt;
    const known = new Map(start.deployments.map((deployment) => [deployment.id, deployment]));
    const deployments = [...facts.deployments].map(([id, { intervals }]) => ({
      id,
      clientName: '',
      billableFrom: intervals[0]?.from ?? 0,
      billableTo: null,
      rates: [],
      chargedThrough: known.get(id)?.chargedThrough ?? null,
      gracePeriod: null,
      closedOut: false,
      allocations: known.get(id)?.allocations ?? [],
    }));
    this.books = openBooks({ regular: start.regular, owed: start.owed, credits: start.credits, deployments });
  }

  state(): ReplayState {
    const { regular, owed, credits, deployments } = closeBooks(this.books);
    return {
      regular,
      owed,
      firstPaidAt: this.firstPaidAt,
      credits,
      deployments: deployments.map(({ id, chargedThrough, allocations }) => ({ id, chargedThrough, allocations })),
    };
  }

  /** Returns false if a posting with a fault names a credit or deployment that the account does not have. */
  playAgain(played: readonly Played[]): boolean {
    return played.every(({ posting, follows }) =>
      follows ? this.play(posting) === null : posting.every((transaction) => this.accept(transaction)),
    );
  }

  private accept(transaction: PostedTransaction): boolean {
    try {
      if (transaction.type === 'credit_granted') {
        const granted = this.granted(transaction);
        this.books.credits.set(granted.id, { ...granted, remaining: Money.ZERO });
      }
      applyPosted(this.books, transaction);
      if (isFirstMoney(transaction)) this.firstPaidAt ??= transaction.dueAt;
      return true;
    } catch (error) {
      if (error instanceof Mismatch || error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Returns the first fault and its index in the posting, or null. */
  play(posting: readonly PostedTransaction[]): { fault: string; index: number } | null {
    for (const [index, transaction] of posting.entries()) {
      const [wrong] = faultsOfEntry(transaction, transaction);
      if (wrong !== undefined) return { index, fault: `${nameOf(transaction)} ${wrong}` };
      if (transaction.dueAt > transaction.postedAt)
        return { index, fault: `${nameOf(transaction)} was posted before it was due` };
    }
    for (let next = 0; next < posting.length;) {
      const transaction = posting[next];
      if (transaction === undefined) break;
      try {
        next += this.reopening(posting, next) ?? this.step(posting, next);
      } catch (error) {
        if (error instanceof Mismatch) return { index: next, fault: `${nameOf(transaction)} ${error.message}` };
        // The rules reject it, for example a charge that is not covered or a credit that has ended.
        if (error instanceof RangeError || error instanceof DomainError)
          return { index: next, fault: `${nameOf(transaction)} is rejected: ${error.message}` };
        throw error;
      }
    }
    return null;
  }

  /** Returns how many transactions of the posting this step explains. */
  private step(posting: readonly PostedTransaction[], index: number): number {
    const transaction = posting[index];
    if (transaction === undefined) throw new RangeError('no such transaction');
    switch (transaction.type) {
      case 'charge':
        this.charge(transaction);
        return this.compare(posting, index);
      case 'credit_expired':
        this.expire(transaction);
        return this.compare(posting, index);
      case 'refund':
      case 'rerate':
        return this.correction(posting, index);
      case 'payment':
      case 'payment_refund':
      case 'refund_failed':
      case 'dispute':
      case 'dispute_won':
      case 'adjustment':
      case 'credit_granted':
      case 'credit_adjusted':
      case 'owed_paid':
        this.post(this.posted(transaction));
        if (isFirstMoney(transaction)) this.firstPaidAt ??= transaction.dueAt;
        return this.compare(posting, index);
    }
  }

  /**
   * Explains a whole posting that continues an interval after a gap.
   *
   * @returns the number of transactions explained, or null if the posting is not a reopening
   */
  private reopening(posting: readonly PostedTransaction[], index: number): number | null {
    const transaction = posting[index];
    if (index > 0 || transaction === undefined) return null;
    const known = this.facts.deployments.get(transaction.deploymentId ?? 0);
    const { id, deploymentId, postedAt } = transaction;
    if (deploymentId === null || known === undefined) return null;
    const before = this.books;
    for (const [no, { from, to }] of known.intervals.entries()) {
      const next = known.intervals[no + 1];
      if (to === null || next?.to !== null || next.from !== from) continue;
      this.books = copy(before);
      const deployment = this.books.deployments.get(deploymentId);
      if (deployment === undefined) continue;
      deployment.billableFrom = from;
      deployment.billableTo = to;
      deployment.closedOut = true;
      deployment.rates = known.rates.filter((rate) => rate.id < id && !(rate.ofGap && rate.writtenAt === postedAt));
      try {
        const plan = planReopening(closeBooks(this.books), { deploymentId, at: postedAt });
        if ('code' in plan) continue;
        this.post(plan.posting);
        const explained = this.compare(posting, index);
        if (explained === posting.length) return explained;
      } catch (error) {
        if (!(error instanceof Mismatch || error instanceof RangeError)) throw error;
      }
    }
    this.books = before;
    return null;
  }

  private compare(posting: readonly PostedTransaction[], index: number): number {
    const expected = this.books.entries.splice(0);
    if (expected.length === 0) throw new Mismatch('does not follow from the rules');
    for (const [offset, entry] of expected.entries()) {
      const found = posting[index + offset];
      if (found === undefined || !same(entry, found))
        throw new Mismatch(`does not follow from the rules, which post: ${report(entry)}`);
    }
    return expected.length;
  }

  private deployment(transaction: PostedTransaction): { open: OpenMetered; known: DeploymentFacts } {
    const open = this.books.deployments.get(transaction.deploymentId ?? 0);
    const known = this.facts.deployments.get(transaction.deploymentId ?? 0);
    if (open === undefined || known === undefined)
      throw new Mismatch('names a deployment that is unknown or belongs to another account');
    open.rates = known.rates.filter(({ id }) => id < transaction.id);
    if (open.rates.length === 0) throw new Mismatch('has no price');
    return { open, known };
  }

  private charge(transaction: PostedTransaction): void {
    const { open, known } = this.deployment(transaction);
    const { chargedOn, dueAt } = transaction;
    if (chargedOn === null) throw new Mismatch('names no day');
    const begins = known.intervals.filter(({ from }) => from <= dueAt).map(({ from }) => from);
    if (begins.length === 0) throw new Mismatch('does not belong to a billable interval');
    open.billableFrom = Math.max(...begins);
    open.billableTo = null;
    open.closedOut = false;
    const next = open.chargedThrough === null ? null : addDays(open.chargedThrough, 1);
    const first = firstDay(open.billableFrom);
    const day = next === null || next < first ? first : next;
    if (chargedOn !== day) throw new Mismatch(`is not for the next day, ${day}`);
    if (dueAt !== dueInstant(day, open.billableFrom)) throw new Mismatch('is not due on its day');
    const { covered } = chargeDay(this.books, { deploymentId: open.id, day, dueAt, evaluatedAt: dueAt });
    if (!covered) throw new Mismatch('was not covered');
  }

  private expire({ creditId, dueAt }: PostedTransaction): void {
    const credit = this.books.credits.get(creditId ?? 0);
    if (credit === undefined) throw new Mismatch('names a credit that is unknown or belongs to another account');
    if (credit.expiresAt !== dueAt) throw new Mismatch('is not at the end of its credit');
    endCredit(this.books, credit.id);
  }

  /** Explains all days corrected by a closed interval or a new price. */
  private correction(posting: readonly PostedTransaction[], index: number): number {
    const transaction = posting[index];
    if (transaction === undefined) throw new RangeError('no such transaction');
    const { open, known } = this.deployment(transaction);
    const { dueAt: at, postedAt } = transaction;
    const end = known.intervals.find(({ to }) => to === at);
    const attempts: ((deployment: OpenMetered, books: Books) => void)[] = [];
    if (end !== undefined)
      attempts.push((deployment, books) => {
        deployment.billableFrom = end.from;
        deployment.billableTo = at;
        correct(books, { deploymentId: open.id, from: dayOf(at), at, type: 'refund' });
      });
    if (open.rates.length > 1 && open.rates.at(-1)?.from === at)
      attempts.push((deployment, books) => {
        deployment.billableTo = null;
        correct(books, { deploymentId: open.id, from: dayOf(at), at, type: 'rerate' });
      });
    open.closedOut = false;
    let reason = 'corrects without an end or a new price';
    const before = this.books;
    for (const attempt of attempts) {
      for (const ended of endsWithoutTrace(before, postedAt)) {
        this.books = copy(before);
        for (const credit of this.books.credits.values()) if (credit.expiresAt <= ended) credit.expired = true;
        try {
          const deployment = this.books.deployments.get(open.id);
          if (deployment !== undefined) attempt(deployment, this.books);
          return this.compare(posting, index);
        } catch (error) {
          if (!(error instanceof Mismatch || error instanceof RangeError)) throw error;
          reason = error.message;
        }
      }
    }
    this.books = before;
    throw new Mismatch(reason);
  }

  /** Computes a posting with an external cause. */
  private posted(transaction: PostedTransaction): Posting {
    const account = closeBooks(this.books);
    const { dueAt: at, lines } = transaction;
    const moved = (bucket: string): Money => Money.sum(lines.filter((l) => l.bucket === bucket).map((l) => l.amount));
    switch (transaction.type) {
      case 'payment': {
        const amount = this.facts.payments.get(transaction.cause ?? '');
        if (amount === undefined) throw new Mismatch('has no paid checkout session of the account');
        return postPayment(account, { amount, at });
      }
      case 'payment_refund':
        return postWithdrawal(account, { kind: 'refund', amount: moved('payments'), at });
      case 'dispute':
        return postWithdrawal(account, { kind: 'dispute', amount: moved('payments'), at });
      case 'refund_failed':
      case 'dispute_won':
        return postReturn(account, { kind: transaction.type, amount: moved('payments').negated(), at });
      case 'adjustment':
        return postAdjustment(account, { amount: moved('regular'), at, description: transaction.description });
      case 'credit_granted':
        return postGrant(account, { credit: this.granted(transaction), at });
      case 'credit_adjusted': {
        const terms = this.terms(transaction).at(-1);
        if (terms === undefined) throw new Mismatch('names a credit without terms');
        return postCreditAdjustment(account, { creditId: transaction.creditId ?? 0, amount: terms.amount, at });
      }
      case 'owed_paid':
      case 'charge':
      case 'rerate':
      case 'refund':
      case 'credit_expired':
        throw new Mismatch('has no cause');
    }
  }

  private terms({ id, creditId }: PostedTransaction): readonly CreditTerms[] {
    return (this.facts.credits.get(creditId ?? 0) ?? []).filter((terms) => terms.id < id);
  }

  private granted(transaction: PostedTransaction): Account['credits'][number] {
    const [terms] = this.terms(transaction);
    if (terms === undefined || transaction.creditId === null) throw new Mismatch('names a credit without terms');
    if (this.books.credits.has(transaction.creditId)) throw new Mismatch('grants a credit twice');
    const { creditType, amount, expiresAt } = terms;
    return {
      id: transaction.creditId,
      creditType,
      amount,
      remaining: amount,
      lapsed: Money.ZERO,
      expiresAt,
      expired: false,
    };
  }

  private post({ entries, after }: Posting): void {
    this.books = openBooks(after);
    this.books.entries.push(...entries);
  }
}

class Mismatch extends Error {}

const nameOf = ({ id, type }: PostedTransaction): string => `transaction ${id} (${type})`;

/**
 * Maximum delay between a request and its posting. It covers the wait for the lock on the wallet and other settlements
 * in the meantime.
 */
const POSTED_LATE_MS_MAX = MINUTE_MS;

/**
 * Returns the instants up to which credits may have ended, earliest first.
 *
 * A credit that is empty at its end leaves no transaction, so only the lines of a later correction show whether it had
 * ended by then. Credits end in order of time. The result starts with "none", followed by the end of each empty credit
 * before the end of the first credit that still has a remainder.
 */
function endsWithoutTrace({ credits }: Books, postedAt: Instant): Instant[] {
  const open = [...credits.values()].filter(({ expired }) => !expired);
  const held = open.filter(({ remaining }) => !remaining.isZero).map(({ expiresAt }) => expiresAt);
  const first = Math.min(...held);
  const ends = open
    .map(({ expiresAt }) => expiresAt)
    .filter((end) => end < first && end <= postedAt + POSTED_LATE_MS_MAX);
  return [-Infinity, ...[...new Set(ends)].sort((a, b) => a - b)];
}

const copy = (books: Books): Books => openBooks(closeBooks(books));

function isFirstMoney({ type, amount }: PostedTransaction): boolean {
  return type === 'payment' || (type === 'adjustment' && amount.isPositive);
}

/** Compares an expected entry with a transaction line by line. The description is covered by the hash instead. */
function same(expected: Entry, found: PostedTransaction): boolean {
  return (
    expected.type === found.type &&
    expected.dueAt === found.dueAt &&
    expected.deploymentId === found.deploymentId &&
    expected.chargedOn === found.chargedOn &&
    expected.creditId === found.creditId &&
    expected.lines.length === found.lines.length &&
    [...expected.lines].sort(byBucket).every((line, index) => {
      const other = [...found.lines].sort(byBucket)[index];
      return other?.bucket === line.bucket && other.creditId === line.creditId && other.amount.equals(line.amount);
    })
  );
}

const byBucket = (a: Entry['lines'][number], b: Entry['lines'][number]): number =>
  a.bucket.localeCompare(b.bucket) || (a.creditId ?? 0) - (b.creditId ?? 0);

const report = ({ type, lines }: Entry): string =>
  `${type} ${lines.map(({ bucket, creditId, amount }) => `${bucket}${creditId === null ? '' : `#${creditId}`} ${amount.toString()}`).join(', ')}`;

/** Denormalised values that hot paths read. They must agree with the facts. */
export interface AccountCopies {
  readonly regular: Money;
  readonly owed: Money;
  readonly firstPaidAt: Instant | null;
  readonly credits: Account['credits'];
  readonly deployments: Account['deployments'];
}

/**
 * Returns where the stored copies differ from a finished replay, and what was due by `at` but is not posted.
 *
 * @param options `exempt` means that the account is known to lag behind. `notYet` holds deployments without a posting
 * to expect, because their grace period is open or their interval was closed so recently that billing may not have
 * settled it. The end may lie before `at`.
 */
export function faultsOfCopies(
  { regular, owed, firstPaidAt, credits, deployments }: ReplayState,
  facts: MoneyFacts,
  copies: AccountCopies,
  { at, exempt, notYet = new Set() }: { at: Instant | null; exempt: boolean; notYet?: ReadonlySet<number> },
): string[] {
  const metered = deployments.map((deployment) => ({
    ...deployment,
    copied: copies.deployments.find(({ id }) => id === deployment.id),
    facts: facts.deployments.get(deployment.id),
  }));
  const faults = [
    ...difference('the regular balance', regular, copies.regular),
    ...difference('the debt', owed, copies.owed),
    ...difference('the time of the first payment', firstPaidAt, copies.firstPaidAt),
    ...creditFaults(credits, facts, copies),
    ...metered.flatMap(meterFaults),
  ];
  if (at === null || exempt || faults.length > 0) return faults;
  const due = settleAccount(
    {
      regular,
      owed,
      credits,
      deployments: metered.flatMap(({ id, allocations, copied, facts: of }) =>
        copied === undefined || of === undefined || of.intervals.length === 0 || notYet.has(id)
          ? []
          : [{ ...copied, id, rates: of.rates, allocations }],
      ),
    },
    at,
    { gracePeriodMs: Number.MAX_SAFE_INTEGER / 4 },
  );
  return [
    ...due.entries.map((entry) => `was due but is not posted: ${report(entry)}`),
    ...due.gracePeriods.map(({ deploymentId, day }) => `deployment ${deploymentId} has not been charged since ${day}`),
  ];
}

/** Returns the fault if a copy differs from the facts. */
function difference(what: string, expected: unknown, found: unknown): string[] {
  return String(expected) === String(found)
    ? []
    : [`${what} is ${String(found)}, but ${String(expected)} by the facts`];
}

function creditFaults(credits: Account['credits'], facts: MoneyFacts, copies: AccountCopies): string[] {
  const known = new Map(credits.map((credit) => [credit.id, credit]));
  const faults = copies.credits.flatMap((copied) => {
    const credit = known.get(copied.id);
    const terms = facts.credits.get(copied.id)?.at(-1);
    if (credit === undefined || terms === undefined) return [`credit ${copied.id} was never granted`];
    known.delete(copied.id);
    return [
      ...difference(`the amount of credit ${copied.id}`, terms.amount, copied.amount),
      ...difference(`the remainder of credit ${copied.id}`, credit.remaining, copied.remaining),
      ...difference(`the lapsed amount of credit ${copied.id}`, credit.lapsed, copied.lapsed),
      // Terms only change the amount.
      ...difference(`the end of credit ${copied.id}`, credit.expiresAt, terms.expiresAt),
      ...difference(`the end of credit ${copied.id}`, credit.expiresAt, copied.expiresAt),
      ...difference(`the type of credit ${copied.id}`, credit.creditType, copied.creditType),
      ...(credit.expired && !copied.expired ? [`credit ${copied.id} has ended only in the ledger`] : []),
    ];
  });
  return [...faults, ...[...known.keys()].map((id) => `credit ${id} is missing`)];
}

function meterFaults({
  id,
  chargedThrough,
  allocations,
  copied,
  facts,
}: ReplayState['deployments'][number] & {
  copied: AccountCopies['deployments'][number] | undefined;
  facts: DeploymentFacts | undefined;
}): string[] {
  const interval = facts?.intervals.at(-1);
  if (interval === undefined || facts === undefined)
    return allocations.length > 0 ? [`deployment ${id} was charged but never billable`] : [];
  if (copied === undefined) return [`deployment ${id} has no meter`];
  const faults = [
    ...difference(`the last day of deployment ${id}`, chargedThrough, copied.chargedThrough),
    ...difference(`the start of deployment ${id}`, interval.from, copied.billableFrom),
    ...difference(`the end of deployment ${id}`, interval.to, copied.billableTo),
  ];
  if (copied.closedOut && (interval.to === null || copied.gracePeriod !== null))
    faults.push(`deployment ${id} is closed out but running`);
  // An end that billing has not closed out yet is checked against what is due.
  if (interval.to !== null && !copied.closedOut) return faults;
  for (const { day, lines } of allocations) {
    const owedOf = owedOn(day, facts);
    const posted = Money.sum(lines.map((line) => line.amount));
    if (!owedOf.equals(posted))
      faults.push(`deployment ${id} paid ${posted.toString()} for ${day}, but owes ${owedOf.toString()}`);
  }
  return faults;
}

/** Returns the price of a day over all final intervals of a deployment. */
function owedOn(day: Day, { intervals, rates }: DeploymentFacts): Money {
  const last = new Map<Instant, Instant | null>();
  for (const { from, to } of intervals) last.set(from, to);
  return Money.sum([...last].map(([from, to]) => owedForDay(day, { from, to }, rates).amount));
}
