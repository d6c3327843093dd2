import { describe, expect, it } from '@jest/globals';
import { shownDay, shownDuration, shownInstant } from './shown-time';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from './time';

const now = instant('2026-11-28T01:37:00Z');

describe('shown time', () => {
  it.each([
    ['en', '2026-12-02T00:00:00Z', 'Wed 2 Dec', 'Wed 2 Dec, 00:00 UTC'],
    ['en', '2027-03-01T00:00:00Z', 'Mon 1 Mar 2027', 'Mon 1 Mar 2027, 00:00 UTC'],
    ['de', '2026-12-02T00:00:00Z', 'Mi 2. Dez', 'Mi 2. Dez, 00:00 UTC'],
  ] as const)('is %s for %s: %s', (language, at, day, whole) => {
    expect(shownDay(instant(at), { language, now })).toBe(day);
    expect(shownInstant(instant(at), { language, now })).toBe(whole);
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
  ])('states a duration of %d ms as %s', (ms, english, german) => {
    expect(shownDuration(ms, { language: 'en' })).toBe(english);
    expect(shownDuration(ms, { language: 'de' })).toBe(german);
  });

  it('states German days in the dative after a preposition', () => {
    const ms = 5 * DAY_MS + HOUR_MS;
    expect(shownDuration(ms, { language: 'de', afterPreposition: true })).toBe('5 Tagen 1 Stunde');
    expect(shownDuration(DAY_MS, { language: 'de', afterPreposition: true })).toBe('1 Tag');
    expect(shownDuration(ms, { language: 'en', afterPreposition: true })).toBe('5 days 1 hour');
  });
});
