import { DomainError } from '../errors';
import { Money } from '../money';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/** Facts for the rules of creating a deployment (decisions 8 and 13). The account has been settled. */
export interface AccountFacts {
  readonly available: Money;
  /** Zero or more. */
  readonly owed: Money;
  /** Hourly price of everything the account runs or creates (CREATING, PROVISIONING or billable). */
  readonly runningHourly: Money;
  readonly runningCount: number;
  /** A deployment of the account was billable at some time. */
  readonly everBillable: boolean;
  /** A deployment is CREATING or PROVISIONING. */
  readonly creating: boolean;
  /** The regular balance has received money at some time. */
  readonly everPaid: boolean;
}

export type RefusalCode = 'BALANCE_OWED' | 'BALANCE_TOO_LOW' | 'CREDIT_ONLY_LIMIT';

export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: Message;
  readonly needed: Money;
  readonly available: Money;
  readonly owed: Money;
}

/**
 * Returns whether the next deployment is the account's first. No earlier deployment was billable and none is being
 * created.
 */
export function isFirstDeployment(facts: Pick<AccountFacts, 'everBillable' | 'creating'>): boolean {
  return !facts.everBillable && !facts.creating;
}

/**
 * Returns the money required for a new deployment. It is the higher of the minimum balance and the daily price of
 * everything the account runs or creates, including the new deployment.
 *
 * @param hourly price per hour of the new deployment
 */
export function neededToCreate(facts: AccountFacts, hourly: Money): Money {
  const minimum = isFirstDeployment(facts) ? PRICE_LIST.minBalanceFirstDeployment : PRICE_LIST.minBalanceToDeploy;
  return Money.max(minimum, dailyPrice(facts.runningHourly.plus(hourly)));
}

/** Returns why a deployment of this hourly price cannot be created, or null if it can. */
export function refusalToCreate(
  facts: AccountFacts,
  hourly: Money,
  { creditOnlyMaxHourly = PRICE_LIST.creditOnlyMaxHourly }: { creditOnlyMaxHourly?: Money } = {},
): Refusal | null {
  const money = { needed: neededToCreate(facts, hourly), available: facts.available, owed: facts.owed };
  if (facts.owed.isPositive) return refusal('BALANCE_OWED', money);
  if (facts.available.isLessThan(money.needed)) return refusal('BALANCE_TOO_LOW', money);
  if (!facts.everPaid && (facts.runningCount > 0 || creditOnlyMaxHourly.isLessThan(hourly)))
    return refusal('CREDIT_ONLY_LIMIT', money, creditOnlyMaxHourly);
  return null;
}

/** Creates a refusal with its message. */
export function refusal(
  code: RefusalCode,
  money: { needed: Money; available: Money; owed: Money },
  creditOnlyMaxHourly: Money = PRICE_LIST.creditOnlyMaxHourly,
): Refusal {
  return { code, ...money, reason: REASONS[code]({ ...money, creditOnlyMaxHourly }) };
}

const REASONS: Readonly<
  Record<RefusalCode, (facts: { needed: Money; available: Money; owed: Money; creditOnlyMaxHourly: Money }) => Message>
> = {
  BALANCE_OWED: ({ owed }) => ORDER_MESSAGES.balance_owed({ owed: owed.toDisplay('needed') }),
  BALANCE_TOO_LOW: ({ needed, available }) =>
    ORDER_MESSAGES.balance_too_low({ needed: needed.toDisplay('needed'), available: available.toDisplay('balance') }),
  CREDIT_ONLY_LIMIT: ({ creditOnlyMaxHourly }) =>
    ORDER_MESSAGES.credit_only({ hourly: creditOnlyMaxHourly.toDisplay('price') }),
};

/** Converts a refusal to the error of the API (402 with `needed`, `available` and `owed` in currency units). */
export function refuse({ code, reason, needed, available, owed }: Refusal): DomainError {
  return new DomainError(code, reason, {
    needed: needed.toWire(),
    available: available.toWire(),
    owed: owed.toWire(),
  });
}
