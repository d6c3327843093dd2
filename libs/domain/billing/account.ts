import { Money } from '../money';
import type { Day, Instant } from '../time';
import { type Credit, hasEnded, isReferral, lockedMoney, usableCredits } from './credit';
import { type Rate, rateAt } from './hours';

/** Ledger state of an account, with everything the billing rules need. */
export interface Account {
  readonly regular: Money;
  /** Amount owed, never below zero. It is the part of refunds and disputes that the balance did not cover. */
  readonly owed: Money;
  /** Credits without a posted expiry, and ended credits that a correction may affect. */
  readonly credits: readonly Credit[];
  /** Deployments that were billable at some time and are not closed out. */
  readonly deployments: readonly Metered[];
}

/** A deployment as billing sees it, with its interval, its prices and the last posted day. */
export interface Metered {
  readonly id: number;
  readonly clientName: string;
  readonly billableFrom: Instant;
  readonly billableTo: Instant | null;
  /** Prices sorted by `from`. The first is not later than `billableFrom`. */
  readonly rates: readonly Rate[];
  /** Last posted day. */
  readonly chargedThrough: Day | null;
  readonly gracePeriod: GracePeriod | null;
  /** The closed interval is posted to its end. Nothing more will be posted. */
  readonly closedOut: boolean;
  /** Allocations by day. Needed wherever a correction is possible, from the day of an end or level change. */
  readonly allocations: readonly AllocationsOfDay[];
}

/** A grace period of a charge that the balance did not cover. */
export interface GracePeriod {
  readonly day: Day;
  readonly openedAt: Instant;
  readonly endsAt: Instant;
}

/** Allocations of a deployment's day that are still in effect, in the order in which they were applied. */
export interface AllocationsOfDay {
  readonly day: Day;
  readonly lines: readonly Allocation[];
}

export interface Allocation {
  readonly creditId: number | null;
  readonly amount: Money;
}

/** Returns the regular balance plus all usable credits. */
export function availableMoney(account: Pick<Account, 'regular' | 'credits'>, at: Instant): Money {
  const now = { regular: account.regular, at };
  return account.regular.plus(Money.sum(usableCredits(account.credits, now).map((credit) => credit.remaining)));
}

export interface BalanceInfo {
  /** Regular balance plus all unexpired credits, including locked credits. */
  readonly total: Money;
  readonly regular: Money;
  readonly referralCredits: Money;
  readonly signupCredits: Money;
  /** Regular balance plus usable credits. */
  readonly available: Money;
  /** Amount the account owes, zero or more. */
  readonly owed: Money;
  /** Credits that cannot be spent until the regular balance reaches 5.00 again. */
  readonly locked: Money;
}

export function balanceInfo(account: Pick<Account, 'regular' | 'owed' | 'credits'>, at: Instant): BalanceInfo {
  const alive = account.credits.filter((credit) => !hasEnded(credit, at));
  const sum = (credits: readonly Credit[]): Money => Money.sum(credits.map((credit) => credit.remaining));
  return {
    total: account.regular.plus(sum(alive)),
    regular: account.regular,
    referralCredits: sum(alive.filter(isReferral)),
    signupCredits: sum(alive.filter((credit) => !isReferral(credit))),
    available: availableMoney(account, at),
    owed: account.owed.negated(),
    locked: lockedMoney(account.credits, { regular: account.regular, at }),
  };
}

/** Returns the newest price per hour. */
export function currentHourly(deployment: Pick<Metered, 'rates'>): Money {
  return rateAt(deployment.rates, Infinity);
}
