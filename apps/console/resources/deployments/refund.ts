import { dailyPrice, dayOf, type Instant, Money, owedForDay, startOfDay } from '@moorage/domain';
import type { Deployment } from '../../data/deployments';

export interface Refund {
  readonly hours: number;
  /** Currency units. */
  readonly amount: number;
}

/** Returns today's refund if a deployment stopped now, for clock hours paid but not begun (decision 4). */
export function refundOfToday({ hourly_cost }: Pick<Deployment, 'hourly_cost'>, now: Instant): Refund {
  const today = dayOf(now);
  const rates = [{ from: startOfDay(today), hourly: Money.of(hourly_cost) }];
  const interval = { from: startOfDay(today), to: null };
  const whole = owedForDay(today, interval, rates);
  const used = owedForDay(today, { ...interval, to: now }, rates);
  return { hours: whole.hours - used.hours, amount: whole.amount.minus(used.amount).toWire() };
}

/** Converts an hourly price to a day and a month of 30 days, in currency units. */
export function perDayAndMonth(hourly: number): { daily: number; monthly: number } {
  const daily = dailyPrice(Money.of(hourly));
  return { daily: daily.toWire(), monthly: daily.times(30).toWire() };
}
