import { Money } from '../money';
import type { Instant } from '../time';
import { PRICE_LIST } from './price-list';

export type CreditType = 'signup' | 'referrer' | 'referred';

export interface Credit {
  readonly id: number;
  readonly creditType: CreditType;
  readonly amount: Money;
  readonly remaining: Money;
  /** Amount lost at the credit's end. The amount used is amount - remaining - lapsed. */
  readonly lapsed: Money;
  readonly expiresAt: Instant;
  /** The expiry is posted, so nothing is returned to the credit any more. */
  readonly expired: boolean;
}

/**
 * Returns whether a credit has ended. From `expires_at` its remainder counts as 0, whether or not the expiry is posted.
 */
export function hasEnded(credit: Credit, at: Instant): boolean {
  return credit.expired || credit.expiresAt <= at;
}

/** Returns whether a credit was granted for a referral. */
export function isReferral(credit: Credit): boolean {
  return credit.creditType !== 'signup';
}

/**
 * Returns whether a credit is unlocked. Referral credits require a *regular* balance of at least 5.00, so credits never
 * unlock credits.
 */
export function isUnlocked(credit: Credit, regular: Money): boolean {
  return !isReferral(credit) || regular.isAtLeast(PRICE_LIST.creditUnlockBalance);
}

/** Returns whether a charge at `at` may use a credit. It must have a remainder, not have ended, and be unlocked. */
export function isUsable(credit: Credit, { regular, at }: { regular: Money; at: Instant }): boolean {
  return credit.remaining.isPositive && !hasEnded(credit, at) && isUnlocked(credit, regular);
}

/** Compares credits by spending order, which is the earliest expiry and then the lowest ID. */
export function bySpendingOrder(a: Credit, b: Credit): number {
  return a.expiresAt - b.expiresAt || a.id - b.id;
}

/** Returns the credits that a charge at this instant may use, in spending order. */
export function usableCredits<C extends Credit>(credits: readonly C[], now: { regular: Money; at: Instant }): C[] {
  return credits.filter((credit) => isUsable(credit, now)).sort(bySpendingOrder);
}

/** Returns the sum of unexpired credits that are locked at `at`. */
export function lockedMoney(credits: readonly Credit[], { regular, at }: { regular: Money; at: Instant }): Money {
  return Money.sum(
    credits.filter((credit) => !hasEnded(credit, at) && !isUnlocked(credit, regular)).map((credit) => credit.remaining),
  );
}

/** A credit as responses show it. */
export interface CreditView {
  readonly id: number;
  readonly creditType: CreditType;
  readonly amount: Money;
  readonly used: Money;
  readonly remaining: Money;
  readonly grantedAt: Instant;
  readonly expiresAt: Instant;
  readonly isUsable: boolean;
  /** Currency in which the credit was offered, such as `EUR`. It counts 1:1 in the wallet (decision 2). */
  readonly displayCurrency: string;
  readonly isExpired: boolean;
}

/** Returns the amount of a credit that paid for charges. The lapsed amount is neither used nor remaining. */
export function usedOfCredit(credit: Credit): Money {
  return credit.amount.minus(credit.remaining).minus(credit.lapsed);
}

/** Converts a credit to the form shown in responses. */
export function viewCredit(
  credit: Credit & Pick<CreditView, 'grantedAt' | 'displayCurrency'>,
  now: { regular: Money; at: Instant },
): CreditView {
  const isExpired = hasEnded(credit, now.at);
  return {
    id: credit.id,
    creditType: credit.creditType,
    amount: credit.amount,
    used: usedOfCredit(credit),
    remaining: isExpired ? Money.ZERO : credit.remaining,
    grantedAt: credit.grantedAt,
    expiresAt: credit.expiresAt,
    isUsable: isUsable(credit, now),
    displayCurrency: credit.displayCurrency,
    isExpired,
  };
}
