/**
 * Use of a shown amount, which decides how it is rounded to cents:
 * - `balance` is rounded down, so that 4.996 is not shown as 5.00 next to a refusal,
 * - `needed` (an amount that is due or missing) is rounded up, so that paying the shown amount suffices,
 * - `price` is rounded half up,
 * - `movement` of a balance is rounded like a balance if it adds money, and like a price if it takes money.
 */
export type AmountUse = 'balance' | 'price' | 'needed' | 'movement';

const MICROS_PER_CENT = 10_000n;

/** Rounds an amount in micro-units to the whole cents that are shown. */
export function shownCents(micros: bigint, use: AmountUse): bigint {
  if (use === 'movement') return shownCents(micros, micros > 0n ? 'balance' : 'price');
  const isNegative = micros < 0n;
  const absolute = isNegative ? -micros : micros;
  const rest = absolute % MICROS_PER_CENT;
  const isUp =
    use === 'price'
      ? rest * 2n >= MICROS_PER_CENT
      : // Balances round towards minus infinity, needed amounts towards plus infinity.
        rest > 0n && (use === 'needed') !== isNegative;
  const cents = absolute / MICROS_PER_CENT + (isUp ? 1n : 0n);
  return isNegative ? -cents : cents;
}
