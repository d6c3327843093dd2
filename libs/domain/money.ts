import { type AmountUse, shownCents } from './shown-cents';

const MICROS_PER_UNIT = 1_000_000n;
const MICROS_PER_CENT = 10_000n;

/**
 * Largest amount for which neighbouring JSON numbers are less than a micro-unit apart, so that the conversion is exact
 * in both directions.
 */
const UNITS_MAX = 8_000_000_000;

/**
 * An immutable amount of the wallet currency in whole micro-units (1.00 = 1 000 000).
 *
 * There is intentionally no toJSON. JSON.stringify throws on the bigint, so each mapper must choose the format
 * (`toWire()` for HTTP, `micros.toString()` for `*_micros` fields of events and stored JSON).
 */
export class Money {
  static readonly ZERO = new Money(0n);

  private constructor(readonly micros: bigint) {}

  static micros(micros: bigint): Money {
    return new Money(micros);
  }

  /**
   * Creates an amount from a price constant or a JSON number in currency units.
   *
   * @throws RangeError if the number has more than six decimals or is out of range
   */
  static of(units: number): Money {
    if (!(Math.abs(units) <= UNITS_MAX)) throw new RangeError(`not an amount: ${units}`);
    const text = units.toFixed(6);
    if (Number(text) !== units) throw new RangeError(`more than six decimals: ${units}`);
    return new Money(BigInt(text.replace('.', '')));
  }

  /** Creates an amount from whole cents, the unit of payment providers. */
  static ofCents(cents: number): Money {
    return new Money(BigInt(cents) * MICROS_PER_CENT);
  }

  /**
   * Parses a decimal string of micro-units from a `*_micros` field.
   *
   * @throws RangeError if the text is not an integer
   */
  static fromMicrosText(text: string): Money {
    if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`not micro-units: ${text}`);
    return new Money(BigInt(text));
  }

  static sum(amounts: Iterable<Money>): Money {
    let micros = 0n;
    for (const amount of amounts) micros += amount.micros;
    return new Money(micros);
  }

  static min(a: Money, b: Money): Money {
    return a.micros <= b.micros ? a : b;
  }

  static max(a: Money, b: Money): Money {
    return a.micros >= b.micros ? a : b;
  }

  plus(other: Money): Money {
    return new Money(this.micros + other.micros);
  }

  minus(other: Money): Money {
    return new Money(this.micros - other.micros);
  }

  /**
   * Multiplies by a whole number, such as hours, days or cents.
   *
   * @throws RangeError if `factor` is not a whole number
   */
  times(factor: number): Money {
    return new Money(this.micros * BigInt(factor));
  }

  negated(): Money {
    return new Money(-this.micros);
  }

  get isZero(): boolean {
    return this.micros === 0n;
  }

  get isNegative(): boolean {
    return this.micros < 0n;
  }

  get isPositive(): boolean {
    return this.micros > 0n;
  }

  equals(other: Money): boolean {
    return this.micros === other.micros;
  }

  isLessThan(other: Money): boolean {
    return this.micros < other.micros;
  }

  isAtLeast(other: Money): boolean {
    return this.micros >= other.micros;
  }

  /**
   * Returns a JSON number in currency units with at most six decimals.
   *
   * @throws RangeError if the number would not convert back to the same micro-units
   */
  toWire(): number {
    const text = this.toDecimal();
    const units = Number(text);
    if (Number(units.toFixed(6)) !== units || units.toFixed(6) !== text)
      throw new RangeError(`not exact on the wire: ${text}`);
    return units;
  }

  /** Returns six decimals for exports and explanations, such as `0.391600`. */
  toDecimal(): string {
    const absolute = this.micros < 0n ? -this.micros : this.micros;
    const fraction = (absolute % MICROS_PER_UNIT).toString().padStart(6, '0');
    return `${this.micros < 0n ? '-' : ''}${absolute / MICROS_PER_UNIT}.${fraction}`;
  }

  /** Returns two decimals for screens and messages, rounded by the rule of `shownCents`. */
  toDisplay(use: AmountUse): string {
    const cents = shownCents(this.micros, use);
    const absolute = cents < 0n ? -cents : cents;
    const text = `${absolute / 100n}.${(absolute % 100n).toString().padStart(2, '0')}`;
    return cents < 0n ? `-${text}` : text;
  }

  toString(): string {
    return this.toDecimal();
  }
}
