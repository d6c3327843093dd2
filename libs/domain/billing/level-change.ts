import { DomainError } from '../errors';
import { Money } from '../money';
import { dayOf, type Instant } from '../time';
import { type Account, availableMoney, currentHourly } from './account';
import { closeBooks, correct, differences, type Entry, openBooks } from './books';
import { refusal, type Refusal } from './deploy-minimum';
import type { Rate } from './hours';
import type { SupportLevel } from '../deployment/support-level';
import { PRICE_LIST } from './price-list';
import { dailyPrice, hourlyPrice } from './pricing';
import { ORDER_MESSAGES } from '../messages/order';

export interface LevelChangeQuestion {
  readonly deploymentId: number;
  readonly to: SupportLevel;
  /**
   * Instance price or management fee per hour, as of the deployment's creation. A change replaces only the price of the
   * level.
   */
  readonly baseHourly: Money;
  readonly at: Instant;
  /** Hourly price of the account's deployments that are being created and have no charge yet. */
  readonly creatingHourly: Money;
}

export interface LevelChangePlan {
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

/**
 * Returns when the price of a level change takes effect. It is the time of the request, or the start of the newest
 * price if that is later because the request waited while another price was written.
 */
export function levelChangeInstant(
  account: Account,
  { deploymentId, at }: Pick<LevelChangeQuestion, 'deploymentId' | 'at'>,
): Instant {
  const rates = account.deployments.find(({ id }) => id === deploymentId)?.rates ?? [];
  return Math.max(at, ...rates.map(({ from }) => from));
}

/**
 * Computes the effect of a level change on a settled account without modifying it.
 *
 * @throws DomainError `DEPLOYMENT_STATE` if the deployment is not billable
 */
export function planLevelChange(account: Account, question: LevelChangeQuestion): LevelChangePlan {
  const deployment = account.deployments.find(({ id }) => id === question.deploymentId);
  if (deployment === undefined || deployment.billableTo !== null)
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.level_while_running);
  const hourly = hourlyPrice({ baseHourly: question.baseHourly, supportLevel: question.to });
  const rate = { from: levelChangeInstant(account, question), hourly };
  const rerated = {
    ...deployment,
    rates: [...deployment.rates, rate],
    allocations: new Map(deployment.allocations.map((d) => [d.day, [...d.lines]])),
  };
  const today = Money.sum(differences(rerated, dayOf(rate.from)).map(({ difference }) => difference));
  const others = account.deployments.filter(({ id, billableTo }) => id !== deployment.id && billableTo === null);
  const hourlyOfAll = Money.sum([hourly, question.creatingHourly, ...others.map(currentHourly)]);
  return {
    rate,
    today,
    needed: today.plus(dailyPrice(hourlyOfAll)),
    available: availableMoney(account, rate.from),
  };
}

/** Returns why a raise is rejected, or null if it is accepted. Lowering is never rejected for lack of money. */
export function refusalToRaise(
  plan: LevelChangePlan,
  account: Pick<Account, 'owed'> & { readonly everPaid: boolean },
  change: { from: SupportLevel; to: SupportLevel },
  { creditOnlyMaxHourly = PRICE_LIST.creditOnlyMaxHourly }: { creditOnlyMaxHourly?: Money } = {},
): Refusal | null {
  if (change.to <= change.from) return null;
  const facts = { needed: plan.needed, available: plan.available, owed: account.owed.negated() };
  if (facts.owed.isPositive) return refusal('BALANCE_OWED', facts);
  if (plan.available.isLessThan(plan.needed)) return refusal('BALANCE_TOO_LOW', facts);
  // Free credits cannot pay for a level that they could not have started with.
  if (!account.everPaid && creditOnlyMaxHourly.isLessThan(plan.rate.hourly))
    return refusal('CREDIT_ONLY_LIMIT', facts, creditOnlyMaxHourly);
  return null;
}

/** Re-rates every posted day from the day of `rate`. Hours already begun keep the old price. */
export function rerateAccount(
  account: Account,
  { deploymentId, rate }: { deploymentId: number; rate: Rate },
): { entries: readonly Entry[]; after: Account } {
  const books = openBooks(account);
  const deployment = books.deployments.get(deploymentId);
  if (deployment === undefined) throw new RangeError(`deployment ${deploymentId} is not in this account`);
  deployment.rates = [...deployment.rates, rate];
  const at = rate.from;
  correct(books, { deploymentId, from: dayOf(at), at, type: 'rerate' });
  return { entries: books.entries, after: closeBooks(books) };
}
