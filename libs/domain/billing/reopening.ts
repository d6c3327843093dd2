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
  /** Rows for the price list of the deployment; of two of one instant the later one holds. */
  readonly rates: readonly Rate[];
  /** What is charged at once: the hours of the present day from the one that has begun, and days not posted yet. */
  readonly needed: Money;
  readonly available: Money;
  readonly posting: Posting;
}

/**
 * The prices by which an interval that closed at `closedAt` and goes on at `at` costs exactly the clock hours that either
 * part touches: nothing for the whole hours in between, the last known price again from the hour of `at` on. The interval
 * itself stays one, so everything that reads intervals and prices needs to know nothing of the gap. The hour of `at` is
 * owed from then on, also when the server is lost again within the same millisecond.
 */
export function ratesAcrossGap(
  { billableFrom, rates }: Pick<Metered, 'billableFrom' | 'rates'>,
  { closedAt, at }: { closedAt: Instant; at: Instant },
): Rate[] {
  const isEmpty = closedAt <= billableFrom;
  // an interval of no length has not touched the hour in which it began
  const firstFree = isEmpty ? startOfHour(billableFrom) : hourFrom(closedAt);
  const reopened = startOfHour(at);
  if (reopened < firstFree) return [];
  const price = { from: Math.max(reopened, billableFrom), hourly: rateAt(rates, at) };
  if (reopened === firstFree) return rateAt(rates, price.from).equals(price.hourly) ? [] : [price];
  const free = Math.max(firstFree, billableFrom);
  // a level may have been changed after an end that was found out later
  const between = new Set(rates.map(({ from }) => from).filter((from) => from > free && from < reopened));
  return [...[free, ...between].map((from) => ({ from, hourly: Money.ZERO })), price];
}

/** In order of `from`; of two of one instant the added one comes last and so holds. */
export function withRates(rates: readonly Rate[], added: readonly Rate[]): Rate[] {
  return [...rates, ...added].sort((a, b) => a.from - b.from);
}

/**
 * A lost server was found again: the deployment costs from `at` on, as if its interval had never ended but for the gap.
 * Of a settled account, with what was taken since the day of the end. What is due at once must be covered: a refusal
 * leaves everything as it is, for an administrator can wait, and a charge that cannot be paid would end it within the hour.
 */
export function planReopening(
  account: Account,
  { deploymentId, at: asked }: { deploymentId: number; at: Instant },
): Reopening | Refusal {
  const closed = account.deployments.find(({ id }) => id === deploymentId);
  if (closed === undefined || closed.billableTo === null || !closed.reckoned)
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_lost);
  const closedAt = closed.billableTo;
  const at = Math.max(asked, closedAt);
  const rates = ratesAcrossGap(closed, { closedAt, at });
  const books = openBooks(account);
  const deployment = books.deployments.get(deploymentId);
  if (deployment === undefined) throw new RangeError(`deployment ${deploymentId} is not in these books`);
  Object.assign(deployment, { billableTo: null, reckoned: false, rates: withRates(closed.rates, rates) });

  const days = daysToPost(deployment.chargedThrough, closed.billableFrom, at);
  const open = { from: closed.billableFrom, to: null };
  const needed = Money.sum([
    ...differences(deployment, dayOf(closedAt)).map(({ difference }) => difference),
    ...days.map((day) => owedForDay(day, open, deployment.rates).amount),
  ]);
  const available = availableMoney(account, at);
  const owed = account.owed.negated();
  if (available.isLessThan(needed)) return refusal('BALANCE_TOO_LOW', { needed, available, owed });

  correct(books, { deploymentId, from: dayOf(closedAt), at, type: 'rerate', reopened: true });
  for (const day of days) {
    // every end of a credit before `at` is posted, so what is there now was there at the due instant or came later
    chargeDay(books, { deploymentId, day, dueAt: dueInstant(day, closed.billableFrom), judgedAt: at });
  }
  return { rates, needed, available, posting: { entries: books.entries, after: closeBooks(books) } };
}

/** The first whole hour that begins at or after the instant. */
const hourFrom = (at: Instant): Instant => startOfHour(at + HOUR_MS - 1);

function daysToPost(chargedThrough: Day | null, billableFrom: Instant, at: Instant): Day[] {
  const days: Day[] = [];
  const first = chargedThrough === null ? firstDay(billableFrom) : addDays(chargedThrough, 1);
  for (let day = first; day <= dayOf(at); day = addDays(day, 1)) days.push(day);
  return days;
}
