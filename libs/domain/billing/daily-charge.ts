import { Money } from '../money';
import { addDays, dayOf, type Instant } from '../time';
import { type Account, currentHourly } from './account';
import { type Credit, isReferral, usableCredits } from './credit';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';

export interface DailyCharge {
  readonly after: Account;
  readonly charged: Money;
}

/**
 * Computes a daily charge run in one step, with the result of `settleAccount`, for forecasts over hundreds of days.
 *
 * @returns null if the order of the charges matters or the money may run out, so that `settleAccount` has to decide
 */
export function chargeDayAtOnce(account: Account, midnight: Instant): DailyCharge | null {
  const day = dayOf(midnight);
  const before = addDays(day, -1);
  const open = account.deployments.filter(({ closedOut }) => !closedOut);
  const isPlain = open.every(
    ({ billableTo, gracePeriod, chargedThrough }) =>
      billableTo === null && gracePeriod === null && chargedThrough === before,
  );
  if (!isPlain) return null;
  const charged = dailyPrice(Money.sum(open.map(currentHourly)));
  const credits = account.credits.map((credit) => endedBy(credit, midnight));
  const usable = usableCredits(credits, { regular: account.regular, at: midnight });
  const rest = Money.max(Money.ZERO, charged.minus(Money.sum(usable.map(({ remaining }) => remaining))));
  const regular = account.regular.minus(rest);
  // A regular balance below 5.00 locks referral credits between two charges of the run.
  const locks = regular.isLessThan(PRICE_LIST.creditUnlockBalance) && usable.some(isReferral);
  if (regular.isNegative || locks) return null;
  const left = spent(usable, charged);
  return {
    charged,
    after: {
      ...account,
      regular,
      credits: credits.map((credit) => left.get(credit.id) ?? credit),
      deployments: account.deployments.map((one) => (one.closedOut ? one : { ...one, chargedThrough: day })),
    },
  };
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
