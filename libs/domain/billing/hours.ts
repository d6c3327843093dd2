import { Money } from '../money';
import { type Day, DAY_MS, dayOf, HOUR_MS, type Instant, startOfDay, startOfHour } from '../time';

/** The hourly price in force from an instant on; a deployment's rates are in order of `from`. */
export interface Rate {
  readonly from: Instant;
  readonly hourly: Money;
}

/** A half-open billable interval; `to` null: still open. */
export interface Interval {
  readonly from: Instant;
  readonly to: Instant | null;
}

/** When the charge of a day is due: at 00:00, on the first day when the interval opens. */
export function dueInstant(day: Day, billableFrom: Instant): Instant {
  return Math.max(startOfDay(day), billableFrom);
}

/** The first day of an interval. */
export function firstDay(billableFrom: Instant): Day {
  return dayOf(billableFrom);
}

export function rateAt(rates: readonly Rate[], at: Instant): Money {
  let hourly = rates[0]?.hourly;
  for (const rate of rates) if (rate.from <= at) hourly = rate.hourly;
  if (hourly === undefined) throw new RangeError('a deployment without a price');
  return hourly;
}

export interface OwedForDay {
  /** Those that cost something: between the loss and the return of a server they do not. */
  readonly hours: number;
  readonly amount: Money;
}

/**
 * What a deployment owes for a UTC day: every clock hour that its interval touches, at the price in force at the
 * hour's first billable instant. At exactly hh:00:00.000 an end touches nothing more and a new rate prices the hour.
 */
export function owedForDay(day: Day, interval: Interval, rates: readonly Rate[]): OwedForDay {
  const begin = startOfDay(day);
  const from = Math.max(begin, interval.from);
  const to = Math.min(begin + DAY_MS, interval.to ?? Infinity);
  let hours = 0;
  let amount = Money.ZERO;
  if (from >= to) return { hours, amount };
  for (let hour = startOfHour(from); hour < to; hour += HOUR_MS) {
    const hourly = rateAt(rates, Math.max(hour, from));
    if (!hourly.isZero) hours += 1;
    amount = amount.plus(hourly);
  }
  return { hours, amount };
}
