import type { SupportLevel } from '../deployment/support-level';
import { HOUR_MS, type Instant, MINUTE_MS } from '../time';

/**
 * Response times of support by level. With `working_days` only hours of working days count, with `clock` every hour.
 * Null means that no response time is promised.
 */
export const RESPONSE_TIMES = {
  1: null,
  2: { hours: 24, counted: 'working_days', warned_hours: 4 },
  3: { hours: 4, counted: 'clock', warned_hours: 1 },
} as const satisfies Readonly<Record<SupportLevel, ResponseTime | null>>;

export interface ResponseTime {
  readonly hours: number;
  readonly counted: 'working_days' | 'clock';
  /** Hours before the deadline at which support is warned. */
  readonly warned_hours: number;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Minutes since local midnight. */
interface Opening {
  readonly from: number;
  readonly to: number;
}

/** Opening hours of support. */
export interface SupportHours {
  /** Opening hours from Monday to Sunday, null for days off. */
  readonly days: readonly (Opening | null)[];
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly zone: string;
}

const RULE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/;

/**
 * Parses opening hours such as `Mon-Thu 09:00-17:00, Fri 09:00-14:00`.
 *
 * @returns null if the text is invalid, repeats a day, or has no day
 */
export function parseSupportDays(text: string): SupportHours['days'] | null {
  const days: (Opening | null)[] = WEEKDAYS.map(() => null);
  for (const part of text.split(',')) {
    const found = RULE.exec(part.trim());
    if (found === null) return null;
    const [, first = '', last = first, fromHour, fromMinute, toHour, toMinute] = found;
    const opening = {
      from: Number(fromHour) * 60 + Number(fromMinute),
      to: Number(toHour) * 60 + Number(toMinute),
    };
    const [from, to] = [indexOf(first), indexOf(last)];
    if (opening.from >= opening.to || opening.to > 24 * 60 || from > to) return null;
    for (let day = from; day <= to; day++) {
      if (days[day] !== null) return null;
      days[day] = opening;
    }
  }
  return days;
}

const indexOf = (day: string): number => WEEKDAYS.findIndex((name) => name === day);

/** Returns whether a text is a valid IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the deadline for a reply to a customer waiting since `since`, or null if the level promises none. */
export function answerDueAt(level: SupportLevel, since: Instant, hours: SupportHours): Instant | null {
  const promise = RESPONSE_TIMES[level];
  if (promise === null) return null;
  if (promise.counted === 'clock') return since + promise.hours * HOUR_MS;
  let left = promise.hours * HOUR_MS;
  let at = since;
  for (;;) {
    const next = nextLocalDay(at, hours.zone);
    if (openingAt(at, hours) !== null) {
      if (left <= next - at) return at + left;
      left -= next - at;
    }
    at = next;
  }
}

/** Returns when support is warned of a deadline, during opening hours before it. */
export function answerWarnedAt(
  level: SupportLevel,
  { since, due }: { since: Instant; due: Instant },
  hours: SupportHours,
): Instant {
  const promise = RESPONSE_TIMES[level];
  if (promise === null) return due;
  const at = due - promise.warned_hours * HOUR_MS;
  return Math.max(since, promise.counted === 'clock' ? at : staffedUntil(at, hours));
}

/** Returns the instant itself during opening hours, and otherwise an hour before the last closing time. */
function staffedUntil(at: Instant, hours: SupportHours): Instant {
  let { minute, opening } = localTime(at, hours);
  if (opening !== null && minute >= opening.from && minute < opening.to) return at;
  let day = at;
  // Support is closed for less than a week, so some day has opening hours.
  for (let days = 0; days <= WEEKDAYS.length; days++) {
    if (opening !== null && minute >= opening.to) {
      const wanted = Math.max(opening.from, opening.to - 60);
      return day - (minute - wanted) * MINUTE_MS;
    }
    // Last minute of the previous day
    day -= (minute + 1) * MINUTE_MS;
    ({ minute, opening } = localTime(day, hours));
  }
  return at;
}

const openingAt = (at: Instant, hours: SupportHours): Opening | null => localTime(at, hours).opening;

function localTime(at: Instant, { days, zone }: SupportHours): { minute: number; opening: Opening | null } {
  const parts = new Map(
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    opening: days[indexOf(parts.get('weekday') ?? '')] ?? null,
  };
}

/** Returns the first instant of the next local day, also across changes to and from daylight saving time. */
function nextLocalDay(at: Instant, zone: string): Instant {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const today = format.format(at);
  let [same, later] = [at, at + 26 * HOUR_MS];
  while (later - same > 1) {
    const middle = Math.floor((same + later) / 2);
    if (format.format(middle) === today) same = middle;
    else later = middle;
  }
  return later;
}
