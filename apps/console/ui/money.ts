/**
 * Rounding by use. `cut` for balances, which never round up (4.996 must not display as 5.00 next to a refusal),
 * `half_up` for prices, `up` for amounts needed.
 */
type Rounding = 'cut' | 'half_up' | 'up';

const MICROS = 1_000_000;
const MICROS_PER_CENT = 10_000;

/**
 * Formats an amount as `$4.15` or `−$3.97`, with `sign` also `+$30.00`, and thousands separators. The API's amounts are
 * exact to six decimals.
 */
export function money(amount: number, { rounding, sign = false }: { rounding: Rounding; sign?: boolean }): string {
  const micros = Math.round(Math.abs(amount) * MICROS);
  const cents = ROUND[rounding](micros / MICROS_PER_CENT);
  const units = Math.floor(cents / 100);
  const text = `$${units.toLocaleString('en-US')}.${String(cents % 100).padStart(2, '0')}`;
  if (amount < 0 && cents > 0) return `\u2212${text}`;
  return sign && amount > 0 ? `+${text}` : text;
}

const ROUND: Readonly<Record<Rounding, (cents: number) => number>> = {
  cut: Math.floor,
  half_up: (cents) => Math.floor(cents + 0.5),
  up: Math.ceil,
};

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
