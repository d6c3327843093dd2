import { DomainError } from '../errors';
import { Money } from '../money';
import { addDays, type Day, dayOf, HOUR_MS, type Instant, startOfHour } from '../time';
import { ORDER_MESSAGES } from '../messages/order';
import { type Account, availableMoney, type Metered } from './account';
import { chargeDay, closeBooks, correct, differences, openBooks } from './books';
import { refusal, type Refusal } from './deploy-minimum';
import { dueInstant, firstDay, owedForDay, type Rate, rateAt } from './hours';
import type { Posting } from './postings';

export interface Reopening {
  /** Prices to add to the deployment. If two start at the same instant, the later row applies. */
  readonly rates: readonly Rate[];
  /** Amount charged immediately, for the hours of today from the current hour and for days not posted yet. */
  readonly needed: Money;
  readonly available: Money;
  readonly posting: Posting;
}

/**
 * Returns the prices for an interval that closed at `closedAt` and continues at `at`.
 *
 * The result costs exactly the clock hours that either part touches. The whole hours in between cost nothing, and the
 * last known price applies again from the hour of `at`. The interval remains a single interval, so code that reads
 * intervals and prices need not know about the gap. The hour of `at` is owed even if the server is lost again within
 * the same millisecond.
 */
export function ratesAcrossGap(
  { billableFrom, rates }: Pick<Metered, 'billableFrom' | 'rates'>,
  { closedAt, at }: { closedAt: Instant; at: Instant },
): Rate[] {
  const isEmpty = closedAt <= billableFrom;
  // An empty interval has not touched the hour in which it began.
  const firstFree = isEmpty ? startOfHour(billableFrom) : hourFrom(closedAt);
  const reopened = startOfHour(at);
  if (reopened < firstFree) return [];
  const price = { from: Math.max(reopened, billableFrom), hourly: rateAt(rates, at) };
  if (reopened === firstFree) return rateAt(rates, price.from).equals(price.hourly) ? [] : [price];
  const free = Math.max(firstFree, billableFrom);
  // The level may have been changed between the end and its discovery.
  const between = new Set(rates.map(({ from }) => from).filter((from) => from > free && from < reopened));
  return [...[free, ...between].map((from) => ({ from, hourly: Money.ZERO })), price];
}

/** Merges prices, sorted by `from`. If two start at the same instant, the added price comes last and applies. */
export function withRates(rates: readonly Rate[], added: readonly Rate[]): Rate[] {
  return [...rates, ...added].sort((a, b) => a.from - b.from);
}

/**
 * Plans the reopening of a deployment after its lost server was found again, or after its delete was undone.
 *
 * The deployment is charged from `at` as if its interval had never ended, except for the gap. `account` must be settled
 * and include the allocations since the day of the end. The amount due immediately must be covered. A refusal changes
 * nothing, because an administrator can wait, while an uncovered charge would end the deployment within the hour.
 */
export function planReopening(
  account: Account,
  { deploymentId, at: requested, undoesDelete = false }: { deploymentId: number; at: Instant; undoesDelete?: boolean },
): Reopening | Refusal {
  const closed = account.deployments.find(({ id }) => id === deploymentId);
  if (closed === undefined || closed.billableTo === null || !closed.closedOut)
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_lost);
  const closedAt = closed.billableTo;
  const at = Math.max(requested, closedAt);
  const rates = ratesAcrossGap(closed, { closedAt, at });
  const books = openBooks(account);
  const deployment = books.deployments.get(deploymentId);
  if (deployment === undefined) throw new RangeError(`deployment ${deploymentId} is not in this account`);
  Object.assign(deployment, { billableTo: null, closedOut: false, rates: withRates(closed.rates, rates) });

  const days = daysToPost(deployment.chargedThrough, closed.billableFrom, at);
  const open = { from: closed.billableFrom, to: null };
  const needed = Money.sum([
    ...differences(deployment, dayOf(closedAt)).map(({ difference }) => difference),
    ...days.map((day) => owedForDay(day, open, deployment.rates).amount),
  ]);
  const available = availableMoney(account, at);
  const owed = account.owed.negated();
  if (available.isLessThan(needed)) return refusal('BALANCE_TOO_LOW', { needed, available, owed });

  const why = undoesDelete ? 'restored' : 'reopened';
  correct(books, { deploymentId, from: dayOf(closedAt), at, type: 'rerate', why });
  for (const day of days) {
    // Every expiry before `at` is posted, so the money present now either existed at the due time or arrived later.
    chargeDay(books, { deploymentId, day, dueAt: dueInstant(day, closed.billableFrom), evaluatedAt: at });
  }
  return { rates, needed, available, posting: { entries: books.entries, after: closeBooks(books) } };
}

/** Returns the first full hour at or after the instant. */
const hourFrom = (at: Instant): Instant => startOfHour(at + HOUR_MS - 1);

function daysToPost(chargedThrough: Day | null, billableFrom: Instant, at: Instant): Day[] {
  const days: Day[] = [];
  const first = chargedThrough === null ? firstDay(billableFrom) : addDays(chargedThrough, 1);
  for (let day = first; day <= dayOf(at); day = addDays(day, 1)) days.push(day);
  return days;
}
