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
    ['is a day later in the week', 2, '2026-11-24T10:00:00Z', '2026-11-25T10:00:00.000Z', UTC],
    ['is after a weekend that does not count', 2, '2026-11-27T16:00:00Z', '2026-11-30T16:00:00.000Z', UTC],
    ['is a working day after a weekend with the message', 2, '2026-11-28T12:00:00Z', '2026-12-01T00:00:00.000Z', UTC],
    ['is at the end of a Monday for a message on Sunday', 2, '2026-11-29T23:59:00Z', '2026-12-01T00:00:00.000Z', UTC],
    ['follows the days of support, not of UTC', 2, '2026-11-27T23:30:00Z', '2026-11-30T23:00:00.000Z', BERLIN],
    [
      'is at the same clock time across the end of daylight saving',
      2,
      '2026-10-23T14:00:00Z',
      '2026-10-26T15:00:00.000Z',
      BERLIN,
    ],
    [
      'is at the same clock time across the start of daylight saving',
      2,
      '2026-03-27T15:00:00Z',
      '2026-03-30T14:00:00.000Z',
      BERLIN,
    ],
    [
      'is 24 hours later on a counted day of 25 hours',
      2,
      '2026-10-24T20:00:00Z',
      '2026-10-25T20:00:00.000Z',
      hours('Europe/Berlin', 'Mon-Sun 09:00-17:00'),
    ],
    [
      'is 24 hours later on a counted day of 23 hours',
      2,
      '2026-03-28T22:00:00Z',
      '2026-03-29T22:00:00.000Z',
      hours('Europe/Berlin', 'Mon-Sun 09:00-17:00'),
    ],
    [
      'is correct on a day without midnight',
      2,
      '2026-09-05T20:00:00Z',
      '2026-09-08T03:00:00.000Z',
      hours('America/Santiago', 'Mon 09:00-17:00, Tue 09:00-12:00'),
    ],
    [
      'is on the next working day if there is one a week',
      2,
      '2026-11-23T06:00:00Z',
      '2026-11-30T06:00:00.000Z',
      hours('UTC', 'Mon 09:00-17:00'),
    ],
    ['is four hours later at night', 3, '2026-11-24T23:00:00Z', '2026-11-25T03:00:00.000Z', UTC],
    ['is four hours later at a weekend', 3, '2026-11-28T12:00:00Z', '2026-11-28T16:00:00.000Z', UTC],
    ['is four hours later during a clock change', 3, '2026-10-25T00:00:00Z', '2026-10-25T04:00:00.000Z', BERLIN],
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
    ['is sent four hours before during support hours', 2, '2026-11-24T15:00:00Z', '2026-11-25T11:00:00.000Z', UTC],
    [
      'is sent an hour before support closes the day before',
      2,
      '2026-11-24T10:00:00Z',
      '2026-11-24T16:00:00.000Z',
      UTC,
    ],
    ['is sent on Friday for a deadline on Monday morning', 2, '2026-11-27T09:30:00Z', '2026-11-27T16:00:00.000Z', UTC],
    ['is sent on Monday for a message at a weekend', 2, '2026-11-28T12:00:00Z', '2026-11-30T16:00:00.000Z', UTC],
    ['follows local hours', 2, '2026-11-24T09:00:00Z', '2026-11-24T15:00:00.000Z', BERLIN],
    [
      'is never sent before the message',
      2,
      '2026-11-23T09:50:00Z',
      '2026-11-23T09:50:00.000Z',
      hours('UTC', 'Mon 09:00-10:00'),
    ],
    [
      'is sent four hours before for a message after closing time',
      2,
      '2026-11-24T17:30:00Z',
      '2026-11-25T13:30:00.000Z',
      UTC,
    ],
    ['is sent an hour before at level 3, day or night', 3, '2026-11-28T22:00:00Z', '2026-11-29T01:00:00.000Z', UTC],
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
