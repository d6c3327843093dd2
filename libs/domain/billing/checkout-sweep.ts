import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../time';

/**
 * Intervals for polling the payment provider about open checkouts that it has not reported on, at growing intervals.
 */
const STEPS = [
  { ageFrom: 30 * MINUTE_MS, ageTo: 3 * HOUR_MS, every: 30 * MINUTE_MS },
  { ageFrom: 3 * HOUR_MS, ageTo: 3 * DAY_MS, every: HOUR_MS },
  { ageFrom: 3 * DAY_MS, ageTo: null, every: DAY_MS },
] as const;

/** Selects open checkouts created from `from` (inclusive) to `to` (exclusive) and not queried since `createdBefore`. */
export interface CheckWindow {
  /** Null for no lower limit. */
  readonly from: Instant | null;
  readonly to: Instant;
  readonly createdBefore: Instant;
}

/** Returns which open checkouts to query at the payment provider now. */
export function checkWindows(now: Instant): readonly CheckWindow[] {
  return STEPS.map(({ ageFrom, ageTo, every }) => ({
    from: ageTo === null ? null : now - ageTo,
    to: now - ageFrom,
    createdBefore: now - every,
  }));
}
