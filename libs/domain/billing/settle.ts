import { Money } from '../money';
import { type Day, DAY_MS, dayOf, type Instant, startOfDay } from '../time';
import type { Account, GracePeriod } from './account';
import {
  available,
  type Books,
  chargeDay,
  closeBooks,
  correct,
  endCredit,
  type Entry,
  openBooks,
  type OpenMetered,
} from './books';
import { lockedMoney } from './credit';
import { dueInstant } from './hours';

/** A charge that the money did not cover, with its price, the available money and the locked credits. */
export interface Uncovered {
  readonly deploymentId: number;
  readonly day: Day;
  readonly dueAt: Instant;
  readonly amount: Money;
  readonly available: Money;
  readonly locked: Money;
}

export interface Settlement {
  readonly entries: readonly Entry[];
  /** Open intervals that end for good at `dueAt` because their charge was not covered. */
  readonly depletions: readonly Uncovered[];
  /** Grace periods opened by this settlement. */
  readonly gracePeriods: readonly (Uncovered & { readonly endsAt: Instant })[];
  /** Intervals closed by another cause before their last days were paid. They end at the due time. */
  readonly shortened: readonly { readonly deploymentId: number; readonly billableTo: Instant }[];
  /** The account after the settlement. */
  readonly after: Account;
}

/**
 * Settles everything that is due for an account by `t`, in order of time.
 *
 * At the same instant expiries come before charges. Charges are ordered by due time and then ID. A closed interval is
 * corrected at its end. A missed day is charged with the credits that were valid on that day and the money of now.
 *
 * @param options `gracePeriodMs` is the length of the grace period of an uncovered charge. With 0 the interval ends at once.
 */
export function settleAccount(account: Account, t: Instant, { gracePeriodMs }: { gracePeriodMs: number }): Settlement {
  if (isSettled(account, t)) return { entries: [], depletions: [], gracePeriods: [], shortened: [], after: account };
  const books = openBooks(account);
  const settling: Settling = {
    books,
    t,
    gracePeriodMs,
    position: -Infinity,
    evaluated: new Set(),
    depletions: [],
    uncovered: new Map(),
    shortened: [],
    daysAfter: new Map(),
  };
  const events = [...expiriesOf(settling), ...[...books.deployments.values()].flatMap((one) => nextOf(settling, one))];
  // The next event is the last. Each is the only one of its deployment, and changes only when it is played.
  events.sort((a, b) => inOrder(b, a));
  for (let next = events.pop(); next !== undefined; next = events.pop()) {
    settling.position = Math.max(settling.position, next.at);
    play(settling, next);
    if (next.kind !== 'expiry') for (const event of nextOf(settling, next.deployment)) insert(events, event);
  }
  const gracePeriodBefore = new Map(
    account.deployments.map((deployment) => [deployment.id, deployment.gracePeriod?.day]),
  );
  const gracePeriods = [...books.deployments.values()].flatMap(({ id, gracePeriod }) => {
    const uncovered = settling.uncovered.get(id);
    return gracePeriod === null || uncovered === undefined || gracePeriodBefore.get(id) === gracePeriod.day
      ? []
      : [{ ...uncovered, endsAt: gracePeriod.endsAt }];
  });
  return {
    entries: books.entries,
    depletions: settling.depletions,
    gracePeriods: gracePeriods.sort(byDue),
    shortened: settling.shortened,
    after: closeBooks(books),
  };
}

interface Settling {
  readonly books: Books;
  readonly t: Instant;
  readonly gracePeriodMs: number;
  /**
   * Time reached so far. A day that had to wait for a charge in a grace period is charged at this time, not in the
   * past.
   */
  position: Instant;
  /** Charges in a grace period already retried in this settlement, as `id day`. */
  readonly evaluated: Set<string>;
  readonly depletions: Uncovered[];
  readonly uncovered: Map<number, Uncovered>;
  readonly shortened: { deploymentId: number; billableTo: Instant }[];
  /** The day after each last posted day, because most deployments were charged through the same day. */
  readonly daysAfter: Map<Day, { readonly day: Day; readonly begins: Instant }>;
}

type Event = { readonly at: Instant; readonly dueAt: Instant; readonly id: number } & (
  | { readonly kind: 'expiry' }
  | { readonly kind: 'charge' | 'held'; readonly day: Day; readonly deployment: OpenMetered }
  | { readonly kind: 'correction'; readonly deployment: OpenMetered; readonly billableTo: Instant }
);

/**
 * Order of events at the same instant. Charges in a grace period come last, because a refund at the same instant may
 * cover them.
 */
const RANKS: Readonly<Record<Event['kind'], number>> = { expiry: 0, charge: 1, correction: 2, held: 3 };

const byDue = (a: { dueAt: Instant; deploymentId: number }, b: { dueAt: Instant; deploymentId: number }): number =>
  a.dueAt - b.dueAt || a.deploymentId - b.deploymentId;

function inOrder(a: Event, b: Event): number {
  return a.at - b.at || RANKS[a.kind] - RANKS[b.kind] || a.dueAt - b.dueAt || a.id - b.id;
}

/** Returns whether every deployment just runs and was charged, and no credit has expired. */
function isSettled({ credits, deployments }: Account, t: Instant): boolean {
  const daysAfter: Settling['daysAfter'] = new Map();
  return (
    credits.every(({ expired, expiresAt }) => expired || expiresAt > t) &&
    deployments.every(
      ({ billableTo, gracePeriod, chargedThrough }) =>
        billableTo === null &&
        gracePeriod === null &&
        chargedThrough !== null &&
        dayAfter({ daysAfter }, chargedThrough).begins > t,
    )
  );
}

function expiriesOf({ books, t }: Settling): Event[] {
  return [...books.credits.values()]
    .filter(({ expired, expiresAt }) => !expired && expiresAt <= t)
    .map(({ id, expiresAt }) => ({ kind: 'expiry', id, dueAt: expiresAt, at: expiresAt }));
}

/** Inserts an event into a list that is sorted from the last to the next. */
function insert(events: Event[], event: Event): void {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const there = events[middle];
    if (there !== undefined && inOrder(there, event) > 0) from = middle + 1;
    else to = middle;
  }
  events.splice(from, 0, event);
}

/** Returns the next event of a deployment, if there is one. */
function nextOf(settling: Settling, deployment: OpenMetered): Event[] {
  const event = nextOfDeployment(settling, deployment);
  return event === undefined ? [] : [event];
}

function nextOfDeployment(settling: Settling, deployment: OpenMetered): Event | undefined {
  const { id, billableFrom, billableTo, chargedThrough, gracePeriod, closedOut } = deployment;
  if (closedOut) return undefined;
  const { day, begins } = chargedThrough === null ? dayAt(billableFrom) : dayAfter(settling, chargedThrough);
  const dueAt = Math.max(begins, billableFrom);
  const isClosed = billableTo !== null && billableTo <= settling.t;
  // An end during a grace period takes effect at the start of the grace period, so nothing is owed from the due time.
  const isOwed = billableTo === null || (dueAt < billableTo && gracePeriod === null);
  if (gracePeriod !== null && !isClosed) {
    // A due time later than `t` occurs if the caller read the clock before another session held the lock over midnight.
    if (dueAt > settling.t || settling.evaluated.has(`${id} ${gracePeriod.day}`)) return undefined;
    const at = Math.max(Math.min(settling.t, gracePeriod.endsAt), settling.position);
    return { kind: 'held', id, day, dueAt, deployment, at };
  }
  if (isOwed && dueAt <= settling.t)
    return { kind: 'charge', id, day, dueAt, deployment, at: Math.max(dueAt, settling.position) };
  if (isClosed)
    return {
      kind: 'correction',
      id,
      dueAt: billableTo,
      deployment,
      billableTo,
      at: Math.max(billableTo, settling.position),
    };
  return undefined;
}

function dayAt(at: Instant): { day: Day; begins: Instant } {
  const day = dayOf(at);
  return { day, begins: startOfDay(day) };
}

function dayAfter({ daysAfter }: Pick<Settling, 'daysAfter'>, last: Day): { day: Day; begins: Instant } {
  const known = daysAfter.get(last);
  if (known !== undefined) return known;
  const next = dayAt(startOfDay(last) + DAY_MS);
  daysAfter.set(last, next);
  return next;
}

function play(settling: Settling, event: Event): void {
  switch (event.kind) {
    case 'expiry':
      return endCredit(settling.books, event.id);
    case 'charge':
    case 'held':
      return charge(settling, event);
    case 'correction':
      return closeOut(settling, event);
  }
}

function charge(settling: Settling, { deployment, day, dueAt, at }: Event & { kind: 'charge' | 'held' }): void {
  const { books, t, gracePeriodMs } = settling;
  const { id, gracePeriod } = deployment;
  const money = {
    available: available(books, dueAt),
    locked: lockedMoney([...books.credits.values()], { regular: books.regular, at: dueAt }),
  };
  // Usable credits are determined at the due time. Credits that ended before `at` are already empty.
  const { covered, amount } = chargeDay(books, { deploymentId: id, day, dueAt, evaluatedAt: dueAt });
  if (covered) {
    deployment.gracePeriod = null;
    return;
  }
  const uncovered = { deploymentId: id, day, dueAt, amount, ...money };
  const isOver = deployment.billableTo !== null;
  if (isOver || (gracePeriod === null ? gracePeriodMs <= 0 : at >= gracePeriod.endsAt))
    return end(settling, deployment, uncovered, isOver);
  const opened: GracePeriod = gracePeriod ?? { day, openedAt: t, endsAt: t + gracePeriodMs };
  deployment.gracePeriod = opened;
  settling.uncovered.set(id, uncovered);
  // A grace period opened now is retried after everything else is posted, because a refund may come in between.
  if (gracePeriod !== null) settling.evaluated.add(`${id} ${day}`);
}

/** Ends a deployment because its charge is not covered. Nothing is owed from the due time. */
function end(settling: Settling, deployment: OpenMetered, uncovered: Uncovered, isOver: boolean): void {
  deployment.billableTo = uncovered.dueAt;
  deployment.gracePeriod = null;
  deployment.closedOut = true;
  if (isOver) settling.shortened.push({ deploymentId: deployment.id, billableTo: uncovered.dueAt });
  else settling.depletions.push(uncovered);
}

/** Closes out an interval. Days are posted up to its end, and charges for later hours are refunded. */
function closeOut(settling: Settling, { deployment, billableTo }: Event & { kind: 'correction' }): void {
  const { gracePeriod, id } = deployment;
  if (gracePeriod !== null) {
    const dueAt = dueInstant(gracePeriod.day, deployment.billableFrom);
    if (dueAt < billableTo) settling.shortened.push({ deploymentId: id, billableTo: dueAt });
    deployment.billableTo = Math.min(dueAt, billableTo);
    deployment.gracePeriod = null;
  }
  correct(settling.books, { deploymentId: id, from: dayOf(billableTo), at: billableTo, type: 'refund' });
  deployment.closedOut = true;
}
