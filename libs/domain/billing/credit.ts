import { Money } from '../money';
import type { Instant } from '../time';
import { PRICE_LIST } from './price-list';

export type CreditType = 'signup' | 'referrer' | 'referred';

export interface Credit {
  readonly id: number;
  readonly creditType: CreditType;
  readonly amount: Money;
  readonly remaining: Money;
  /** What was lost to its end; amount - remaining - lapsed is what it paid. */
  readonly lapsed: Money;
  readonly expiresAt: Instant;
  /** The expiry is in the books: nothing returns to it any more. */
  readonly expired: boolean;
}

/** The remainder reads 0 from `expires_at` on, posted or not. */
export function hasEnded(credit: Credit, at: Instant): boolean {
  return credit.expired || credit.expiresAt <= at;
}

export function isReferral(credit: Credit): boolean {
  return credit.creditType !== 'signup';
}

/** Referral credits are usable while the *regular* balance is at least 5.00: credits never unlock credits. */
export function isUnlocked(credit: Credit, regular: Money): boolean {
  return !isReferral(credit) || regular.isAtLeast(PRICE_LIST.creditUnlockBalance);
}

export function isUsable(credit: Credit, { regular, at }: { regular: Money; at: Instant }): boolean {
  return credit.remaining.isPositive && !hasEnded(credit, at) && isUnlocked(credit, regular);
}

/** Spending order: earliest expiry, then lowest id. */
export function bySpendingOrder(a: Credit, b: Credit): number {
  return a.expiresAt - b.expiresAt || a.id - b.id;
}

/** The credits a charge of this instant may take, in the order in which it takes them. */
export function usableCredits<C extends Credit>(credits: readonly C[], now: { regular: Money; at: Instant }): C[] {
  return credits.filter((credit) => isUsable(credit, now)).sort(bySpendingOrder);
}

/** What is there but locked: it would not help at `at`. */
export function lockedMoney(credits: readonly Credit[], { regular, at }: { regular: Money; at: Instant }): Money {
  return Money.sum(
    credits.filter((credit) => !hasEnded(credit, at) && !isUnlocked(credit, regular)).map((credit) => credit.remaining),
  );
}

/** A credit as answers show it. */
export interface CreditView {
  readonly id: number;
  readonly creditType: CreditType;
  readonly amount: Money;
  readonly used: Money;
  readonly remaining: Money;
  readonly grantedAt: Instant;
  readonly expiresAt: Instant;
  readonly isUsable: boolean;
  /** In which it was offered, as `EUR`; it counts 1:1 in the wallet (decisions 2). */
  readonly displayCurrency: string;
  readonly isExpired: boolean;
}

/** What it paid for: what lapsed at its end is neither used nor remaining. */
export function usedOfCredit(credit: Credit): Money {
  return credit.amount.minus(credit.remaining).minus(credit.lapsed);
}

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
