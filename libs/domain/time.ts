/** A point in time, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;
/** A UTC calendar day, `YYYY-MM-DD`, which sorts as text. */
export type Day = string;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/**
 * Parses an instant such as `2026-12-01T13:17:05Z`.
 *
 * @throws RangeError if the text is not a date
 */
export function instant(text: string): Instant {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${text}`);
  return ms;
}

/** Formats an instant as ISO 8601 with milliseconds and Z, for SQL parameters and HTTP. */
export function iso(at: Instant): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : iso(at);
}

/** Returns the UTC day that contains an instant. */
export function dayOf(at: Instant): Day {
  return iso(at).slice(0, 10);
}

/** Returns 00:00:00.000 UTC of a day. */
export function startOfDay(day: Day): Instant {
  return instant(`${day}T00:00:00.000Z`);
}

/** Returns the first instant of the UTC calendar month that contains an instant. */
export function startOfMonth(at: Instant): Instant {
  return startOfDay(`${iso(at).slice(0, 7)}-01`);
}

/** Returns the day that is `days` later, or earlier if `days` is negative. */
export function addDays(day: Day, days: number): Day {
  return dayOf(startOfDay(day) + days * DAY_MS);
}

/** Returns the number of whole days from `from` to `to`, negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (startOfDay(to) - startOfDay(from)) / DAY_MS;
}

/** Returns the first instant of the UTC clock hour that contains an instant. */
export function startOfHour(at: Instant): Instant {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}
