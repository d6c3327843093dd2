import type { Language } from './language';
import { DAY_MS, HOUR_MS, type Instant, iso, MINUTE_MS, SECOND_MS } from './time';

/** Tags for dates, lists and numbers. English dates are written day first. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** Formats a day as `Wed 2 Dec`, with the year if it differs from that of `now`. */
export function shownDay(at: Instant, { language, now }: { language: Language; now: Instant }): string {
  const part = dateParts(at, language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const day = `${part('weekday')} ${part('day')}${language === 'de' ? '.' : ''} ${part('month')}`;
  return iso(at).slice(0, 4) === iso(now).slice(0, 4) ? day : `${day} ${part('year')}`;
}

/** Formats an instant as `Wed 2 Dec, 00:00 UTC`, because days are UTC days. */
export function shownInstant(at: Instant, reader: { language: Language; now: Instant }): string {
  return `${shownDay(at, reader)}, ${iso(at).slice(11, 16)} UTC`;
}

const DURATION_UNITS: Readonly<
  Record<Language, Readonly<Record<'day' | 'hour', readonly [one: string, many: string]>>>
> = {
  en: { day: ['day', 'days'], hour: ['hour', 'hours'] },
  de: { day: ['Tag', 'Tage'], hour: ['Stunde', 'Stunden'] },
};

/**
 * Formats a duration with at most two units, rounded down: `< 1 s`, `8 s`, `1 min 12 s`, `5 h 3 min` or
 * `3 days 22 hours`. With `afterPreposition`, German days are in the dative, which `seit` and `in` require.
 */
export function shownDuration(
  ms: number,
  { language, afterPreposition = false }: { language: Language; afterPreposition?: boolean },
): string {
  if (ms < SECOND_MS) return '< 1 s';
  const [days, hours, minutes, seconds] = [
    Math.floor(ms / DAY_MS),
    Math.floor((ms % DAY_MS) / HOUR_MS),
    Math.floor((ms % HOUR_MS) / MINUTE_MS),
    Math.floor((ms % MINUTE_MS) / SECOND_MS),
  ];
  const named = (count: number, unit: 'day' | 'hour'): string => {
    const text = `${count} ${DURATION_UNITS[language][unit][count === 1 ? 0 : 1]}`;
    return afterPreposition ? text.replace(/Tage$/, 'Tagen') : text;
  };
  const joined = (whole: string, rest: number, text: string): string => (rest === 0 ? whole : `${whole} ${text}`);
  if (days > 0) return joined(named(days, 'day'), hours, named(hours, 'hour'));
  if (hours > 0) return joined(`${hours} h`, minutes, `${minutes} min`);
  return minutes > 0 ? joined(`${minutes} min`, seconds, `${seconds} s`) : `${seconds} s`;
}

/** Returns a function that reads one part of a formatted date, without a trailing full stop. UTC unless stated. */
export function dateParts(
  at: Instant,
  language: Language,
  options: Intl.DateTimeFormatOptions,
): (type: string) => string {
  const found = formatOf(language, options).formatToParts(at);
  return (type) => (found.find((part) => part.type === type)?.value ?? '').replace(/\.$/, '');
}

/**
 * Cache of formatters, because creating one costs more than a hundred uses. Bounded by the number of date formats,
 * languages and time zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], { timeZone: 'UTC', ...options });
  formats.set(key, format);
  return format;
}
