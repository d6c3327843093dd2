import { type AmountUse, shownCents } from '@moorage/domain';

const MICROS = 1_000_000;

/**
 * Formats an amount as `$4.15` or `−$3.97`, with `sign` also `+$30.00`, and thousands separators. The API's amounts are
 * exact to six decimals.
 */
export function money(amount: number, { rounding, sign = false }: { rounding: AmountUse; sign?: boolean }): string {
  // An amount that is still being typed is not a number.
  const micros = Number.isFinite(amount) ? Math.round(amount * MICROS) : 0;
  const cents = Number(shownCents(BigInt(micros), rounding));
  const absolute = Math.abs(cents);
  const text = `$${Math.floor(absolute / 100).toLocaleString('en-US')}.${String(absolute % 100).padStart(2, '0')}`;
  if (cents < 0) return `\u2212${text}`;
  return sign && amount > 0 ? `+${text}` : text;
}

/** Formats an hourly price with four decimals, such as `$0.0685`. */
export function hourlyPrice(amount: number): string {
  return `$${(Math.round(amount * 10_000) / 10_000).toFixed(4)}`;
}

/** Formats a credit in its original currency, such as `€4.99`. The wallet counts it one to one. */
export function offeredMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount);
}

/** Formats an amount with all decimals, for titles and exports. */
export function exactMoney(amount: number): string {
  return `${amount < 0 ? '\u2212' : ''}$${Math.abs(amount).toFixed(6)}`;
}
