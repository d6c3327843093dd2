import { formatMessage } from '@moorage/domain';
import { dateParts, shownDay, shownDuration, shownInstant } from '@moorage/texts';
import { dateTexts } from '../texts/locale';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Formats an instant in UTC, because days are UTC days: `Tue 1 Dec, 00:00 UTC`. Includes the year if it differs from
 * now.
 */
export const shortInstant = (iso: string, now: number = Date.now()): string =>
  shownInstant(Date.parse(iso), { dates: dateTexts(), now });

/** Formats a day as `Tue 1 Dec`, with the year if it differs from now. */
export const dayFrom = (now: string, at: string): string =>
  shownDay(Date.parse(at), { dates: dateTexts(), now: Date.parse(now) });

/** Formats a day as `Tue 1 Dec`. */
export const dayName = (iso: string): string => dayFrom(iso, iso);

/** Formats a day as `1 Dec 2026`. */
export function dayWithYear(iso: string): string {
  const part = parts(iso, { day: 'numeric', month: 'short', year: 'numeric' });
  return `${part('day')}${dateTexts().day_mark} ${part('month')} ${part('year')}`;
}

/** Formats a day as `Tue 1 Dec 2026`. */
export function fullDay(iso: string): string {
  return `${dayName(iso)} ${parts(iso, { year: 'numeric' })('year')}`;
}

/** Formats a month (`YYYY-MM`) as `November 2026`. */
export function monthName(month: string): string {
  const part = parts(`${month}-01`, { month: 'long', year: 'numeric' });
  return `${part('month')} ${part('year')}`;
}

/** Formats an instant as `21 Nov 2026, 14:18:48 UTC`, for titles and facts. */
export function exactInstant(iso: string): string {
  return `${dayWithYear(iso)}, ${new Date(iso).toISOString().slice(11, 19)} UTC`;
}

/** Formats a time as `14:04`. */
export function clockTime(iso: string): string {
  return new Date(iso).toISOString().slice(11, 16);
}

/** Returns the number of whole UTC days until an instant. */
export function daysUntil(iso: string, now: number): number {
  return Math.max(0, Math.floor((Date.parse(iso) - now) / DAY_MS));
}

/** Formats a duration with at most two units, such as `8 s`, `1 min 12 s` or `9 days 9 hours`. */
export const duration = (ms: number): string => shownDuration(ms, { dates: dateTexts() });

/** Formats a duration after a preposition such as "since" or "in", which changes the word in some languages. */
export const durationAfterPreposition = (ms: number): string =>
  shownDuration(ms, { dates: dateTexts(), afterPreposition: true });

/** Formats a past instant as `2 min ago` below an hour, then as `today, 13:58`, `yesterday` or `8 Nov`. */
export function ago(iso: string, now: number): string {
  const texts = dateTexts();
  const at = Date.parse(iso);
  const minutes = Math.floor((now - at) / MINUTE_MS);
  if (minutes < 1) return texts.just_now;
  if (minutes < 60) return formatMessage(texts.ago, { time: `${minutes} min` });
  const days = Math.floor(now / DAY_MS) - Math.floor(at / DAY_MS);
  if (days === 0) return `${texts.today}, ${clockTime(iso)}`;
  if (days === 1) return texts.yesterday;
  const part = parts(iso, { day: 'numeric', month: 'short', year: 'numeric' });
  const sameYear = new Date(iso).getUTCFullYear() === new Date(now).getUTCFullYear();
  return `${part('day')}${dateTexts().day_mark} ${part('month')}${sameYear ? '' : ` ${part('year')}`}`;
}

/** Formats a past instant as `40 s ago` below one minute, then like `ago`. */
export function recently(iso: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1_000));
  if (seconds >= 60) return ago(iso, now);
  return formatMessage(dateTexts().ago, { time: `${seconds} s` });
}

/** Formats an instant by the clocks of a time zone, as `Tue 1 Dec` and `02:00`. */
export function timeIn(iso: string, timeZone: string): { day: string; time: string } {
  const part = parts(iso, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return {
    day: `${part('weekday')} ${part('day')}${dateTexts().day_mark} ${part('month')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** Returns the time zone of the reader's clock. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A Sunday. */
const SUNDAY_MS = Date.UTC(2026, 0, 4);

/** Returns the name of a day of the week, 0 for Sunday. */
export const weekdayName = (day: number, weekday: 'long' | 'short'): string =>
  parts(new Date(SUNDAY_MS + day * DAY_MS).toISOString(), { weekday })('weekday');

/**
 * Formats an instant as `today, 03:12`, `yesterday, 03:12`, `tomorrow, 14:05` or `26 Nov, 18:38`, in UTC as stated on
 * the screen.
 */
export function nearInstant(iso: string, now: number): string {
  const days = Math.floor(Date.parse(iso) / DAY_MS) - Math.floor(now / DAY_MS);
  const { yesterday, today, tomorrow } = dateTexts();
  const near = [yesterday, today, tomorrow][days + 1];
  if (near !== undefined) return `${near}, ${clockTime(iso)}`;
  const sameYear = new Date(iso).getUTCFullYear() === new Date(now).getUTCFullYear();
  const part = parts(iso, { day: 'numeric', month: 'short' });
  return `${sameYear ? `${part('day')}${dateTexts().day_mark} ${part('month')}` : dayWithYear(iso)}, ${clockTime(iso)}`;
}

const parts = (iso: string, options: Intl.DateTimeFormatOptions): ((type: string) => string) =>
  dateParts(Date.parse(iso), dateTexts(), options);
