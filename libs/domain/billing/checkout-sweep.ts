import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../time';

/** The provider tells of a checkout by itself; it is asked when it has not, less and less often. */
const STEPS = [
  { ageFrom: 30 * MINUTE_MS, ageTo: 3 * HOUR_MS, every: 30 * MINUTE_MS },
  { ageFrom: 3 * HOUR_MS, ageTo: 3 * DAY_MS, every: HOUR_MS },
  { ageFrom: 3 * DAY_MS, ageTo: null, every: DAY_MS },
] as const;

/** Open checkouts that were begun at `from` or later and before `to` are asked about if they were not since `askedBefore`. */
export interface AskWindow {
  /** null: however long ago. */
  readonly from: Instant | null;
  readonly to: Instant;
  readonly askedBefore: Instant;
}

/** Which open checkouts the payment provider is asked about now. */
export function askWindows(now: Instant): readonly AskWindow[] {
  return STEPS.map(({ ageFrom, ageTo, every }) => ({
    from: ageTo === null ? null : now - ageTo,
    to: now - ageFrom,
    askedBefore: now - every,
  }));
}
