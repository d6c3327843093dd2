import { DomainError } from '../errors';
import { ORDER_MESSAGES } from '../messages/order';
import { Money } from '../money';
import { addDays, type Day, dayOf, type Instant, startOfDay } from '../time';
import { type Account, availableMoney, currentHourly, type Metered } from './account';
import { closeBooks, correct, differences, type Entry, openBooks } from './books';
import { refusal, type Refusal } from './deploy-minimum';
import type { Rate } from './hours';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';

/** Change of a running deployment's hourly price, by another support level or another size of its server. */
export interface RateChangeQuestion {
  readonly deploymentId: number;
  /** The new price per hour of all components. */
  readonly hourly: Money;
  readonly at: Instant;
  /** Hourly price of the account's deployments that are being created and have no charge yet. */
  readonly creatingHourly: Money;
}

export interface RateChangePlan {
  readonly rate: Rate;
  /** Amount charged (positive) or credited (negative) immediately. */
  readonly today: Money;
  /**
   * Money required for a raise. It covers the re-rating and the daily price of everything the account runs or creates,
   * at the new price.
   */
  readonly needed: Money;
  readonly available: Money;
}

const ratesOf = (account: Account, deploymentId: number): readonly Rate[] =>
  account.deployments.find(({ id }) => id === deploymentId)?.rates ?? [];

/**
 * Returns when a new price takes effect. It is the time of the request, or the start of the newest price if that is
 * later because the request waited while another price was written.
 */
export function rateChangeInstant(
  account: Account,
  { deploymentId, at }: Pick<RateChangeQuestion, 'deploymentId' | 'at'>,
): Instant {
  return Math.max(at, ...ratesOf(account, deploymentId).map(({ from }) => from));
}

/**
 * Returns the later midnight at which a price that is already written takes effect (`deferredTo`), or null. Until then,
 * no other price can be written.
 */
export function deferredRate(
  account: Account,
  { deploymentId, at }: Pick<RateChangeQuestion, 'deploymentId' | 'at'>,
): Instant | null {
  const from = rateChangeInstant(account, { deploymentId, at });
  return from > at && from === startOfDay(dayOf(from)) ? from : null;
}

/**
 * Computes the effect of another price on a settled account without modifying it.
 *
 * @throws DomainError `DEPLOYMENT_STATE` if the deployment is not billable
 */
export function planRateChange(account: Account, question: RateChangeQuestion): RateChangePlan {
  const deployment = account.deployments.find(({ id }) => id === question.deploymentId);
  if (deployment === undefined || deployment.billableTo !== null)
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.price_while_running);
  const rate = { from: rateChangeInstant(account, question), hourly: question.hourly };
  const today = reratingOf(deployment, rate);
  const others = account.deployments.filter(({ id, billableTo }) => id !== deployment.id && billableTo === null);
  const hourlyOfAll = Money.sum([rate.hourly, question.creatingHourly, ...others.map(currentHourly)]);
  return {
    rate,
    today,
    needed: today.plus(dailyPrice(hourlyOfAll)),
    available: availableMoney(account, rate.from),
  };
}

/** Returns what re-rating the posted days with another price would charge (positive) or credit (negative). */
function reratingOf(deployment: Metered, rate: Rate): Money {
  const rerated = {
    ...deployment,
    rates: [...deployment.rates, rate],
    allocations: new Map(deployment.allocations.map((d) => [d.day, [...d.lines]])),
  };
  return Money.sum(differences(rerated, dayOf(rate.from)).map(({ difference }) => difference));
}

/** Returns why a raise is rejected, or null if it is accepted. Lowering is never rejected for lack of money. */
export function refusalToRaise(
  plan: RateChangePlan,
  account: Pick<Account, 'owed'> & { readonly everPaid: boolean },
  { isRaise }: { isRaise: boolean },
  { creditOnlyMaxHourly = PRICE_LIST.creditOnlyMaxHourly }: { creditOnlyMaxHourly?: Money } = {},
): Refusal | null {
  if (!isRaise) return null;
  const facts = { needed: plan.needed, available: plan.available, owed: account.owed.negated() };
  if (facts.owed.isPositive) return refusal('BALANCE_OWED', facts);
  if (plan.available.isLessThan(plan.needed)) return refusal('BALANCE_TOO_LOW', facts);
  // Free credits cannot pay for a price that they could not have started with.
  if (!account.everPaid && creditOnlyMaxHourly.isLessThan(plan.rate.hourly))
    return refusal('CREDIT_ONLY_LIMIT', facts, creditOnlyMaxHourly);
  return null;
}

/**
 * Returns the price of a size that the provider has confirmed at `confirmedAt`, for an account settled at `at`. Returns
 * null if the deployment's interval has ended.
 *
 * The size cannot be refused any more. If the balance does not cover the re-rating, because another order was placed
 * since the request, the price begins with the first day that is not posted yet. The platform bears the hours until
 * then, and from then on the ordinary rules apply, including the grace period.
 */
export function confirmedRate(
  account: Account,
  { deploymentId, hourly, confirmedAt, at }: { deploymentId: number; hourly: Money; confirmedAt: Instant; at: Instant },
): Rate | null {
  const deployment = account.deployments.find(({ id }) => id === deploymentId);
  if (deployment === undefined || deployment.billableTo !== null) return null;
  const rate = { from: rateChangeInstant(account, { deploymentId, at: confirmedAt }), hourly };
  const today = reratingOf(deployment, rate);
  if (!today.isPositive || !availableMoney(account, rate.from).isLessThan(today)) return rate;
  return { from: deferredTo(deployment.chargedThrough, at), hourly };
}

/** Returns the first midnight after `at` whose day is not posted. */
function deferredTo(chargedThrough: Day | null, at: Instant): Instant {
  const today = dayOf(at);
  return startOfDay(addDays(chargedThrough !== null && chargedThrough > today ? chargedThrough : today, 1));
}

/** Re-rates every posted day from the day of `rate`. Hours already begun keep the old price. */
export function rerateAccount(
  account: Account,
  { deploymentId, rate, resized = false }: { deploymentId: number; rate: Rate; resized?: boolean },
): { entries: readonly Entry[]; after: Account } {
  const books = openBooks(account);
  const deployment = books.deployments.get(deploymentId);
  if (deployment === undefined) throw new RangeError(`deployment ${deploymentId} is not in this account`);
  deployment.rates = [...deployment.rates, rate];
  const at = rate.from;
  const why = resized ? 'resized' : 'rerate';
  correct(books, { deploymentId, from: dayOf(at), at, type: 'rerate', why });
  return { entries: books.entries, after: closeBooks(books) };
}
