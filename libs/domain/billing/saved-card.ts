import type { Instant } from '../time';

/** A card can be charged until the end (UTC) of the month that is printed on it. */
export interface CardExpiry {
  readonly expMonth: number;
  readonly expYear: number;
}

export function hasExpired({ expMonth, expYear }: CardExpiry, at: Instant): boolean {
  return at >= Date.UTC(expYear, expMonth, 1);
}

/** Brands as the payment provider writes them. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** `Visa 4242`, in every language. */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${BRANDS[brand] ?? brand} ${last4}`;
