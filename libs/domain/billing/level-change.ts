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
  /** Instance or management fee per hour, as the deployment was created with; only the level's price is exchanged. */
  readonly baseHourly: Money;
  readonly at: Instant;
  /** Per hour, of whatever of the account is being created and so has no charge yet. */
  readonly creatingHourly: Money;
}

export interface LevelChangePlan {
  readonly rate: Rate;
  /** What is charged (positive) or credited (negative) at once. */
  readonly today: Money;
  /** What a raise asks for: the re-rating and one day, at the new price, of everything the account runs or creates. */
  readonly needed: Money;
  readonly available: Money;
}

/**
 * When the price of a level change begins: at the instant of the request, or with the newest price if that is later,
 * because the request waited while another price was written.
 */
export function levelChangeInstant(
  account: Account,
  { deploymentId, at }: Pick<LevelChangeQuestion, 'deploymentId' | 'at'>,
): Instant {
  const rates = account.deployments.find(({ id }) => id === deploymentId)?.rates ?? [];
  return Math.max(at, ...rates.map(({ from }) => from));
}

/** The effect of a level change on a settled account; nothing is changed. */
export function planLevelChange(account: Account, question: LevelChangeQuestion): LevelChangePlan {
  const deployment = account.deployments.find(({ id }) => id === question.deploymentId);
  if (deployment === undefined || deployment.billableTo !== null)
    throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.level_while_running);
  const hourly = hourlyPrice({ baseHourly: question.baseHourly, supportLevel: question.to });
  const rate = { from: levelChangeInstant(account, question), hourly };
  const rerated = {
    ...deployment,
    rates: [...deployment.rates, rate],
    taken: new Map(deployment.taken.map((d) => [d.day, [...d.lines]])),
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

/** Why a raise is refused, or null. Lowering is never refused for money. */
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
  // what free credits may not start they may not become either
  if (!account.everPaid && creditOnlyMaxHourly.isLessThan(plan.rate.hourly))
    return refusal('CREDIT_ONLY_LIMIT', facts, creditOnlyMaxHourly);
  return null;
}

/** Re-rates every posted day from the instant's day on: begun hours keep the old price, the rest gets the new. */
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
