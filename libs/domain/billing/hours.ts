import { Money } from '../money';
import { type Day, DAY_MS, dayOf, HOUR_MS, type Instant, startOfDay, startOfHour } from '../time';

/** Hourly price in effect from an instant. The rates of a deployment are sorted by `from`. */
export interface Rate {
  readonly from: Instant;
  readonly hourly: Money;
}

/** A half-open billable interval. `to` is null while the interval is open. */
export interface Interval {
  readonly from: Instant;
  readonly to: Instant | null;
}

/** Returns when the charge of a day is due, which is 00:00 UTC or the start of the interval on its first day. */
export function dueInstant(day: Day, billableFrom: Instant): Instant {
  return Math.max(startOfDay(day), billableFrom);
}

/** Returns the first day of an interval. */
export function firstDay(billableFrom: Instant): Day {
  return dayOf(billableFrom);
}

/**
 * Returns the hourly price in effect at an instant. The first rate also applies before its start.
 *
 * @param rates sorted by `from`
 * @throws RangeError if there are no rates
 */
export function rateAt(rates: readonly Rate[], at: Instant): Money {
  let hourly = rates[0]?.hourly;
  for (const rate of rates) if (rate.from <= at) hourly = rate.hourly;
  if (hourly === undefined) throw new RangeError('a deployment without a price');
  return hourly;
}

export interface OwedForDay {
  /** Number of hours with a price above zero. Hours between the loss and the return of a server cost nothing. */
  readonly hours: number;
  readonly amount: Money;
}

/**
 * Returns what a deployment owes for a UTC day. Every clock hour that the interval touches is charged, at the price in
 * effect at the hour's first billable instant. At exactly hh:00:00.000, an end touches no further hour and a new rate
 * applies to the hour.
 */
export function owedForDay(day: Day, interval: Interval, rates: readonly Rate[]): OwedForDay {
  const begin = startOfDay(day);
  const from = Math.max(begin, interval.from);
  const to = Math.min(begin + DAY_MS, interval.to ?? Infinity);
  let hours = 0;
  let amount = Money.ZERO;
  if (from >= to) return { hours, amount };
  if (rates.length === 1) {
    const hourly = rateAt(rates, from);
    const touched = Math.ceil((to - startOfHour(from)) / HOUR_MS);
    return { hours: hourly.isZero ? 0 : touched, amount: hourly.times(touched) };
  }
  for (let hour = startOfHour(from); hour < to; hour += HOUR_MS) {
    const hourly = rateAt(rates, Math.max(hour, from));
    if (!hourly.isZero) hours += 1;
    amount = amount.plus(hourly);
  }
  return { hours, amount };
}
