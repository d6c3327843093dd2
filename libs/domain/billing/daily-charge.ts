import { Money } from '../money';
import { addDays, type Day, dayOf, type Instant } from '../time';
import { type Account, currentHourly, type Metered } from './account';
import { type Credit, isReferral, usableCredits } from './credit';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';

type AccountMoney = Pick<Account, 'regular' | 'owed' | 'credits'>;

/**
 * Charges an account at one midnight after the other, each in one step with the result of `settleAccount`, for forecasts
 * over hundreds of days. The deployments are visited only at the beginning and when the account is read.
 */
export class Midnights {
  money: AccountMoney;
  private price: Money | undefined;
  private chargedThrough: Day | undefined;

  constructor(private readonly before: Account) {
    this.money = before;
  }

  /** The account after the charges so far. */
  get account(): Account {
    const { before, chargedThrough } = this;
    if (chargedThrough === undefined) return before;
    const deployments = before.deployments.map((one) => (one.closedOut ? one : { ...one, chargedThrough }));
    return { ...before, ...this.money, deployments };
  }

  /**
   * Charges the day that begins, which is the one after the last charged day.
   *
   * @returns the charge, or null if the order of the charges matters or the money may run out, so that `settleAccount`
   * has to decide
   */
  charge(midnight: Instant): Money | null {
    const day = dayOf(midnight);
    const previous = addDays(day, -1);
    if (this.chargedThrough === undefined ? !isPlain(this.before, previous) : this.chargedThrough !== previous)
      return null;
    this.price ??= dailyPrice(Money.sum(openOnes(this.before).map(currentHourly)));
    const money = charged(this.money, this.price, midnight);
    if (money === null) return null;
    this.money = money;
    this.chargedThrough = day;
    return this.price;
  }
}

const openOnes = ({ deployments }: Account): Metered[] => deployments.filter(({ closedOut }) => !closedOut);

/** Returns whether every deployment just runs, and was charged through this day. */
function isPlain(account: Account, day: Day): boolean {
  return openOnes(account).every(
    ({ billableTo, gracePeriod, chargedThrough }) =>
      billableTo === null && gracePeriod === null && chargedThrough === day,
  );
}

function charged(money: AccountMoney, price: Money, midnight: Instant): AccountMoney | null {
  const credits = money.credits.map((credit) => endedBy(credit, midnight));
  const usable = usableCredits(credits, { regular: money.regular, at: midnight });
  const rest = Money.max(Money.ZERO, price.minus(Money.sum(usable.map(({ remaining }) => remaining))));
  const regular = money.regular.minus(rest);
  // A regular balance below 5.00 locks referral credits between two charges of the run.
  const locks = regular.isLessThan(PRICE_LIST.creditUnlockBalance) && usable.some(isReferral);
  if (regular.isNegative || locks) return null;
  const left = spent(usable, price);
  return { regular, owed: money.owed, credits: credits.map((credit) => left.get(credit.id) ?? credit) };
}

function endedBy(credit: Credit, midnight: Instant): Credit {
  if (credit.expired || credit.expiresAt > midnight) return credit;
  return { ...credit, expired: true, remaining: Money.ZERO, lapsed: credit.lapsed.plus(credit.remaining) };
}

/** Returns the credits after a charge. `usable` is in spending order. */
function spent(usable: readonly Credit[], amount: Money): ReadonlyMap<number, Credit> {
  const left = new Map<number, Credit>();
  let rest = amount;
  for (const credit of usable) {
    if (rest.isZero) break;
    const part = Money.min(credit.remaining, rest);
    rest = rest.minus(part);
    left.set(credit.id, { ...credit, remaining: credit.remaining.minus(part) });
  }
  return left;
}
