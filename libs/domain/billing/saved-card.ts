import type { Instant } from '../time';

/** Expiry of a card, which can be charged until the end (UTC) of the printed month. */
export interface CardExpiry {
  readonly expMonth: number;
  readonly expYear: number;
}

/**
 * Returns whether a card has expired.
 *
 * @param card `expMonth` is 1 to 12, and `expYear` has four digits
 */
export function hasExpired({ expMonth, expYear }: CardExpiry, at: Instant): boolean {
  return at >= Date.UTC(expYear, expMonth, 1);
}

/** Display names of card brands, by the payment provider's spelling. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** Returns the display name of a card, such as `Visa 4242`, which is the same in every language. */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${BRANDS[brand] ?? brand} ${last4}`;
