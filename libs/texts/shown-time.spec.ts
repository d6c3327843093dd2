import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '@moorage/domain';
import { dates as german } from './de/dates';
import { dates as english } from './en/dates';
import { shownDay, shownDuration, shownInstant } from './shown-time';

const now = instant('2026-11-28T01:37:00Z');

describe('shown time', () => {
  it.each([
    [english, '2026-12-02T00:00:00Z', 'Wed 2 Dec', 'Wed 2 Dec, 00:00 UTC'],
    [english, '2027-03-01T00:00:00Z', 'Mon 1 Mar 2027', 'Mon 1 Mar 2027, 00:00 UTC'],
    [german, '2026-12-02T00:00:00Z', 'Mi 2. Dez', 'Mi 2. Dez, 00:00 UTC'],
  ] as const)('is $2 for $1 in $0.tag', (dates, at, day, whole) => {
    expect(shownDay(instant(at), { dates, now })).toBe(day);
    expect(shownInstant(instant(at), { dates, now })).toBe(whole);
  });

  it.each([
    [-5, '< 1 s', '< 1 s'],
    [999, '< 1 s', '< 1 s'],
    [1_000, '1 s', '1 s'],
    [59_999, '59 s', '59 s'],
    [MINUTE_MS, '1 min', '1 min'],
    [72_000, '1 min 12 s', '1 min 12 s'],
    [HOUR_MS - 1, '59 min 59 s', '59 min 59 s'],
    [HOUR_MS + MINUTE_MS, '1 h 1 min', '1 h 1 min'],
    [DAY_MS - 1, '23 h 59 min', '23 h 59 min'],
    [DAY_MS, '1 day', '1 Tag'],
    [3 * DAY_MS + 22 * HOUR_MS + 23 * MINUTE_MS, '3 days 22 hours', '3 Tage 22 Stunden'],
  ])('states a duration of %d ms as %s', (ms, inEnglish, inGerman) => {
    expect(shownDuration(ms, { dates: english })).toBe(inEnglish);
    expect(shownDuration(ms, { dates: german })).toBe(inGerman);
  });

  it('states German days in the dative after a preposition', () => {
    const ms = 5 * DAY_MS + HOUR_MS;
    expect(shownDuration(ms, { dates: german, afterPreposition: true })).toBe('5 Tagen 1 Stunde');
    expect(shownDuration(DAY_MS, { dates: german, afterPreposition: true })).toBe('1 Tag');
    expect(shownDuration(ms, { dates: english, afterPreposition: true })).toBe('5 days 1 hour');
  });
});
