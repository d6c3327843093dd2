import { describe, expect, it } from '@jest/globals';
import { showLocale } from '../texts/locale';
import {
  ago,
  dayName,
  daysUntil,
  duration,
  durationAfterPreposition,
  exactInstant,
  nearInstant,
  recently,
  shortInstant,
  timeIn,
  weekdayName,
} from './dates';

const NOW = Date.parse('2026-11-21T14:20:00Z');

describe('date format', () => {
  it('shows the UTC day and hour of an end', () => {
    expect(shortInstant('2026-12-01T00:00:00.000Z', NOW)).toBe('Tue 1 Dec, 00:00 UTC');
    expect(shortInstant('2027-05-07T00:00:00.000Z', NOW)).toBe('Fri 7 May 2027, 00:00 UTC');
    expect(dayName('2026-12-01')).toBe('Tue 1 Dec');
    expect(exactInstant('2026-11-21T14:18:48.000Z')).toBe('21 Nov 2026, 14:18:48 UTC');
  });

  it('shows an instant by the clocks of a time zone, and days of the week by name', async () => {
    expect(timeIn('2026-11-22T02:00:00.000Z', 'Europe/Berlin')).toEqual({ day: 'Sun 22 Nov', time: '03:00' });
    expect(timeIn('2026-11-22T00:00:00.000Z', 'America/New_York')).toEqual({ day: 'Sat 21 Nov', time: '19:00' });
    expect(timeIn('2026-11-22T00:00:00.000Z', 'UTC').time).toBe('00:00');
    expect([weekdayName(0, 'long'), weekdayName(6, 'short')]).toEqual(['Sunday', 'Sat']);
    await showLocale('de', { persist: false });
    expect(timeIn('2026-11-22T02:00:00.000Z', 'Europe/Berlin')).toEqual({ day: 'So 22. Nov', time: '03:00' });
    expect(weekdayName(3, 'long')).toBe('Mittwoch');
    await showLocale('en', { persist: false });
  });

  it.each([
    ['2026-11-21T14:19:40Z', 'just now'],
    ['2026-11-21T14:18:00Z', '2 min ago'],
    ['2026-11-21T13:19:00Z', 'today, 13:19'],
    ['2026-11-20T23:59:00Z', 'yesterday'],
    ['2026-11-08T10:00:00Z', '8 Nov'],
    ['2025-11-08T10:00:00Z', '8 Nov 2025'],
  ])('shows %s at 14:20 as %s', (at, words) => {
    expect(ago(at, NOW)).toBe(words);
  });

  it.each([
    ['2026-11-21T14:20:05Z', '0 s ago'],
    ['2026-11-21T14:19:20Z', '40 s ago'],
    ['2026-11-21T14:19:00Z', '1 min ago'],
  ])('shows %s at 14:20 with its seconds as %s', (at, words) => {
    expect(recently(at, NOW)).toBe(words);
  });

  it.each([
    [8_000, '8 s'],
    [72_000, '1 min 12 s'],
    [60_000, '1 min'],
    [3_660_000, '1 h 1 min'],
    [9 * 86_400_000 + 9 * 3_600_000, '9 days 9 hours'],
    [86_400_000, '1 day'],
  ])('shows %d ms as %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it('shows a German duration in the dative after a preposition', async () => {
    const ms = 5 * 86_400_000 + 20 * 3_600_000;
    expect(durationAfterPreposition(ms)).toBe('5 days 20 hours');
    await showLocale('de', { persist: false });
    expect([duration(ms), durationAfterPreposition(ms)]).toEqual(['5 Tage 20 Stunden', '5 Tagen 20 Stunden']);
    expect(durationAfterPreposition(86_400_000)).toBe('1 Tag');
    await showLocale('en', { persist: false });
  });

  it.each([
    ['2026-11-21T03:12:00Z', 'today, 03:12'],
    ['2026-11-20T23:59:00Z', 'yesterday, 23:59'],
    ['2026-11-22T14:05:00Z', 'tomorrow, 14:05'],
    ['2026-11-19T18:38:00Z', '19 Nov, 18:38'],
    ['2025-11-19T18:38:00Z', '19 Nov 2025, 18:38'],
  ])('shows %s at 14:20 with its time as %s', (at, words) => {
    expect(nearInstant(at, NOW)).toBe(words);
  });

  it('counts whole days until an end', () => {
    expect(daysUntil('2026-12-01T00:00:00Z', NOW)).toBe(9);
    expect(daysUntil('2026-11-21T00:00:00Z', NOW)).toBe(0);
  });
});
