import { describe, expect, it } from '@jest/globals';
import { instant, iso } from '../time';
import {
  answerDueAt,
  answerWarnedAt,
  isTimeZone,
  parseSupportDays,
  RESPONSE_TIMES,
  type SupportHours,
} from './response-time';

const hours = (zone: string, days = 'Mon-Fri 09:00-17:00'): SupportHours => {
  const parsed = parseSupportDays(days);
  if (parsed === null) throw new Error(days);
  return { days: parsed, zone };
};
const UTC = hours('UTC');
const BERLIN = hours('Europe/Berlin');

describe('response deadline', () => {
  it.each<[string, 2 | 3, string, string, SupportHours]>([
    ['a day later in the week', 2, '2026-11-24T10:00:00Z', '2026-11-25T10:00:00.000Z', UTC],
    ['after a weekend that does not count', 2, '2026-11-27T16:00:00Z', '2026-11-30T16:00:00.000Z', UTC],
    ['a working day after a weekend on which it came', 2, '2026-11-28T12:00:00Z', '2026-12-01T00:00:00.000Z', UTC],
    ['at the end of a Sunday it came on', 2, '2026-11-29T23:59:00Z', '2026-12-01T00:00:00.000Z', UTC],
    ['by the days of the support, not of UTC', 2, '2026-11-27T23:30:00Z', '2026-11-30T23:00:00.000Z', BERLIN],
    ['the same clock time over the end of summer time', 2, '2026-10-23T14:00:00Z', '2026-10-26T15:00:00.000Z', BERLIN],
    [
      'the same clock time over the begin of summer time',
      2,
      '2026-03-27T15:00:00Z',
      '2026-03-30T14:00:00.000Z',
      BERLIN,
    ],
    [
      '24 hours later on a day of 25 hours that counts',
      2,
      '2026-10-24T20:00:00Z',
      '2026-10-25T20:00:00.000Z',
      hours('Europe/Berlin', 'Mon-Sun 09:00-17:00'),
    ],
    [
      '24 hours later on a day of 23 hours that counts',
      2,
      '2026-03-28T22:00:00Z',
      '2026-03-29T22:00:00.000Z',
      hours('Europe/Berlin', 'Mon-Sun 09:00-17:00'),
    ],
    [
      'where midnight is left out',
      2,
      '2026-09-05T20:00:00Z',
      '2026-09-08T03:00:00.000Z',
      hours('America/Santiago', 'Mon 09:00-17:00, Tue 09:00-12:00'),
    ],
    [
      'with one working day a week, in the next one',
      2,
      '2026-11-23T06:00:00Z',
      '2026-11-30T06:00:00.000Z',
      hours('UTC', 'Mon 09:00-17:00'),
    ],
    ['four hours later, at night', 3, '2026-11-24T23:00:00Z', '2026-11-25T03:00:00.000Z', UTC],
    ['four hours later, at a weekend', 3, '2026-11-28T12:00:00Z', '2026-11-28T16:00:00.000Z', UTC],
    ['four hours later while clocks change', 3, '2026-10-25T00:00:00Z', '2026-10-25T04:00:00.000Z', BERLIN],
  ])('%s', (_, level, since, due, when) => {
    expect(iso(answerDueAt(level, instant(since), when) ?? 0)).toBe(due);
  });

  it('does not exist at level 1', () => {
    expect(answerDueAt(1, instant('2026-11-24T10:00:00Z'), UTC)).toBeNull();
    expect(RESPONSE_TIMES[1]).toBeNull();
  });
});

describe('deadline warning', () => {
  it.each<[string, 2 | 3, string, string, SupportHours]>([
    ['four hours before, while somebody is there', 2, '2026-11-24T15:00:00Z', '2026-11-25T11:00:00.000Z', UTC],
    ['an hour before they go home the day before', 2, '2026-11-24T10:00:00Z', '2026-11-24T16:00:00.000Z', UTC],
    ['on Friday of what is due on Monday morning', 2, '2026-11-27T09:30:00Z', '2026-11-27T16:00:00.000Z', UTC],
    ['on Monday of what came at a weekend', 2, '2026-11-28T12:00:00Z', '2026-11-30T16:00:00.000Z', UTC],
    ['by local hours', 2, '2026-11-24T09:00:00Z', '2026-11-24T15:00:00.000Z', BERLIN],
    ['not before it came', 2, '2026-11-23T09:50:00Z', '2026-11-23T09:50:00.000Z', hours('UTC', 'Mon 09:00-10:00')],
    ['four hours before when it came after they went home', 2, '2026-11-24T17:30:00Z', '2026-11-25T13:30:00.000Z', UTC],
    ['an hour before at level 3, day or night', 3, '2026-11-28T22:00:00Z', '2026-11-29T01:00:00.000Z', UTC],
  ])('%s', (_, level, text, warned, when) => {
    const since = instant(text);
    const due = answerDueAt(level, since, when) ?? 0;
    const at = answerWarnedAt(level, { since, due }, when);
    expect(iso(at)).toBe(warned);
    expect(at).toBeLessThan(due);
    expect(at).toBeGreaterThanOrEqual(since);
  });
});

describe('support hours', () => {
  it('are days and hours', () => {
    const days = parseSupportDays('Mon-Thu 09:00-17:30, Fri 09:00-24:00');
    expect(days?.map((day) => (day === null ? null : `${day.from}-${day.to}`))).toEqual([
      ...Array<string>(4).fill('540-1050'),
      '540-1440',
      null,
      null,
    ]);
  });

  it.each([
    '',
    'always',
    'Mon-Fri',
    'Mon-Fri 9:00-17:00',
    'Mon-Fri 17:00-09:00',
    'Mon-Fri 09:00-09:00',
    'Mon-Fri 09:00-24:30',
    'Fri-Mon 09:00-17:00',
    'Mon-Fri 09:00-17:00, Wed 10:00-11:00',
    'Mo-Fr 09:00-17:00',
  ])('are not %j', (text) => {
    expect(parseSupportDays(text)).toBeNull();
  });

  it('support time zones', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Olympus')]).toEqual([true, true, false]);
  });
});
