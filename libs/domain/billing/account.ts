import { Money } from '../money';
import type { Day, Instant } from '../time';
import { type Credit, hasEnded, isReferral, lockedMoney, usableCredits } from './credit';
import { type Rate, rateAt } from './hours';

/** What the ledger knows of one account: everything that decides about its money. */
export interface Account {
  readonly regular: Money;
  /** Never above zero: what a refund or dispute took and the balance did not hold. */
  readonly owed: Money;
  /** Those whose expiry is not in the books, and the ended ones that a correction may touch. */
  readonly credits: readonly Credit[];
  /** Those that were ever billable and are not reckoned up. */
  readonly deployments: readonly Metered[];
}

/** A deployment as money sees it: an interval, prices, and how far it is posted. */
export interface Metered {
  readonly id: number;
  readonly clientName: string;
  readonly billableFrom: Instant;
  readonly billableTo: Instant | null;
  /** In order of `from`; the first is not later than `billableFrom`. */
  readonly rates: readonly Rate[];
  /** The last posted day. */
  readonly chargedThrough: Day | null;
  readonly hold: Hold | null;
  /** The closed interval is posted to the end; nothing more will ever be. */
  readonly reckoned: boolean;
  /** What days were paid with; needed where a correction may come: from the day of an end or a level change on. */
  readonly taken: readonly TakenDay[];
}

/** A charge that was not covered and waits for money. */
export interface Hold {
  readonly day: Day;
  readonly openedAt: Instant;
  readonly endsAt: Instant;
}

/** The lines that still stand for a (deployment, day), in the order taken. */
export interface TakenDay {
  readonly day: Day;
  readonly lines: readonly Taken[];
}

export interface Taken {
  readonly creditId: number | null;
  readonly amount: Money;
}

/** regular + usable credits. */
export function availableMoney(account: Pick<Account, 'regular' | 'credits'>, at: Instant): Money {
  const now = { regular: account.regular, at };
  return account.regular.plus(Money.sum(usableCredits(account.credits, now).map((credit) => credit.remaining)));
}

export interface BalanceInfo {
  /** regular + all unexpired credits, locked ones included. */
  readonly total: Money;
  readonly regular: Money;
  readonly referralCredits: Money;
  readonly signupCredits: Money;
  /** regular + usable credits. */
  readonly available: Money;
  /** Zero or more: what the account owes us. */
  readonly owed: Money;
  /** Credits that do not count until the regular balance is 5.00 again. */
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

/** The price per hour now and from now on. */
export function currentHourly(deployment: Pick<Metered, 'rates'>): Money {
  return rateAt(deployment.rates, Infinity);
}
