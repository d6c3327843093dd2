import { Money } from '../money';

/** Tax rate in thousandths of a percent, so 19 % is 19 000. */
export type TaxRate = number;

const WHOLE: TaxRate = 100_000;

/**
 * Parses a percentage such as `19`, `7.7` or `8.375`.
 *
 * @returns thousandths of a percent, or null unless the text is 0 to 100 with at most three decimals
 */
export function parseTaxRate(text: string): TaxRate | null {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === '') return null;
  const rate = Number(whole) * 1_000 + Number(decimals.padEnd(3, '0'));
  return rate > WHOLE ? null : rate;
}

/**
 * Splits a gross amount into net and tax. The net amount is rounded half up to cents, and the tax is the rest.
 *
 * @throws RangeError if the gross amount is negative
 */
export function taxIncluded(gross: Money, rate: TaxRate): { readonly net: Money; readonly tax: Money } {
  if (gross.isNegative) throw new RangeError(`a negative gross amount: ${gross.toString()}`);
  // Cents = gross / 10 000 micros × 100 000 / (100 000 + rate), rounded half up
  const numerator = gross.micros * BigInt(WHOLE);
  const denominator = Money.ofCents(1).micros * BigInt(WHOLE + rate);
  const net = Money.ofCents(Number((numerator * 2n + denominator) / (denominator * 2n)));
  return { net, tax: gross.minus(net) };
}

/**
 * Splits an amount that reverses a document in the document's proportion. The net amount is rounded half up to cents,
 * and the tax is the rest. A full reversal has exactly the document's parts.
 *
 * @throws RangeError if the gross amount is negative
 */
export function taxReversed(
  gross: Money,
  of: { readonly net: Money; readonly tax: Money },
): { readonly net: Money; readonly tax: Money } {
  if (gross.isNegative) throw new RangeError(`a negative gross amount: ${gross.toString()}`);
  const whole = of.net.plus(of.tax).micros;
  if (whole <= 0n) throw new RangeError('a document without an amount');
  const denominator = Money.ofCents(1).micros * whole;
  const numerator = gross.micros * of.net.micros;
  const net = Money.ofCents(Number((numerator * 2n + denominator) / (denominator * 2n)));
  return { net, tax: gross.minus(net) };
}
