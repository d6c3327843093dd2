import type { SupportLevel } from '../deployment/support-level';
import { HOUR_MS, type Instant, MINUTE_MS } from '../time';

/**
 * Within how long the support answers, by level. `working_days`: hours of days on which nobody works do not count; `clock`:
 * every hour counts. null: nothing is promised.
 */
export const RESPONSE_TIMES = {
  1: null,
  2: { hours: 24, counted: 'working_days', warned_hours: 4 },
  3: { hours: 4, counted: 'clock', warned_hours: 1 },
} as const satisfies Readonly<Record<SupportLevel, ResponseTime | null>>;

export interface ResponseTime {
  readonly hours: number;
  readonly counted: 'working_days' | 'clock';
  /** How long before it ends somebody is warned. */
  readonly warned_hours: number;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Minutes since local midnight. */
interface Opening {
  readonly from: number;
  readonly to: number;
}

/** When somebody is there. */
export interface SupportHours {
  /** Monday first; null: nobody works on that day. */
  readonly days: readonly (Opening | null)[];
  /** As `Europe/Berlin`. */
  readonly zone: string;
}

const RULE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/;

/** `Mon-Thu 09:00-17:00, Fri 09:00-14:00`; null: it says something else, a day twice, or no day at all. */
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

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** By when somebody who has waited since then is answered; null: the level promises nothing. */
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

/** When somebody is warned of what is due: before it is, while somebody is there to read it. */
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

/** The instant itself while somebody is there; else an hour before they last went home. */
function staffedUntil(at: Instant, hours: SupportHours): Instant {
  let { minute, opening } = localTime(at, hours);
  if (opening !== null && minute >= opening.from && minute < opening.to) return at;
  let day = at;
  // closed for less than a week: some day has hours
  for (let days = 0; days <= WEEKDAYS.length; days++) {
    if (opening !== null && minute >= opening.to) {
      const wanted = Math.max(opening.from, opening.to - 60);
      return day - (minute - wanted) * MINUTE_MS;
    }
    // the last minute of the day before
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

/** The first instant of the next day there, whichever hours a change of clocks leaves out or repeats. */
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
