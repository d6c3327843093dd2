import { DAY_MS, HOUR_MS, type Instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';

type OneAndMany = readonly [one: string, many: string];

/** Words and forms of dates and durations in a language. */
export interface DateTexts {
  /** Tag for dates, lists and numbers. */
  readonly tag: string;
  /** Follows the number of a day. */
  readonly day_mark: string;
  readonly day: OneAndMany;
  /** Form of `day` that prepositions such as "since" require. */
  readonly day_after_preposition: OneAndMany;
  readonly hour: OneAndMany;
  readonly just_now: string;
  /** A duration before now. */
  readonly ago: string;
  readonly yesterday: string;
  readonly today: string;
  readonly tomorrow: string;
}

/** Formats a day as `Wed 2 Dec`, with the year if it differs from that of `now`. */
export function shownDay(at: Instant, { dates, now }: { dates: DateTexts; now: Instant }): string {
  const part = dateParts(at, dates, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const day = `${part('weekday')} ${part('day')}${dates.day_mark} ${part('month')}`;
  return iso(at).slice(0, 4) === iso(now).slice(0, 4) ? day : `${day} ${part('year')}`;
}

/** Formats an instant as `Wed 2 Dec, 00:00 UTC`, because days are UTC days. */
export function shownInstant(at: Instant, reader: { dates: DateTexts; now: Instant }): string {
  return `${shownDay(at, reader)}, ${iso(at).slice(11, 16)} UTC`;
}

/**
 * Formats a duration with at most two units, rounded down: `< 1 s`, `8 s`, `1 min 12 s`, `5 h 3 min` or
 * `3 days 22 hours`.
 */
export function shownDuration(
  ms: number,
  { dates, afterPreposition = false }: { dates: DateTexts; afterPreposition?: boolean },
): string {
  if (ms < SECOND_MS) return '< 1 s';
  const [days, hours, minutes, seconds] = [
    Math.floor(ms / DAY_MS),
    Math.floor((ms % DAY_MS) / HOUR_MS),
    Math.floor((ms % HOUR_MS) / MINUTE_MS),
    Math.floor((ms % MINUTE_MS) / SECOND_MS),
  ];
  const named = (count: number, [one, many]: OneAndMany): string => `${count} ${count === 1 ? one : many}`;
  const joined = (whole: string, rest: number, text: string): string => (rest === 0 ? whole : `${whole} ${text}`);
  const day = afterPreposition ? dates.day_after_preposition : dates.day;
  if (days > 0) return joined(named(days, day), hours, named(hours, dates.hour));
  if (hours > 0) return joined(`${hours} h`, minutes, `${minutes} min`);
  return minutes > 0 ? joined(`${minutes} min`, seconds, `${seconds} s`) : `${seconds} s`;
}

/** Returns a function that reads one part of a formatted date, without a trailing full stop. UTC unless stated. */
export function dateParts(
  at: Instant,
  { tag }: DateTexts,
  options: Intl.DateTimeFormatOptions,
): (type: string) => string {
  const found = formatOf(tag, options).formatToParts(at);
  return (type) => (found.find((part) => part.type === type)?.value ?? '').replace(/\.$/, '');
}

/**
 * Cache of formatters, because creating one costs more than a hundred uses. Bounded by the number of date formats,
 * languages and time zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options });
  formats.set(key, format);
  return format;
}
