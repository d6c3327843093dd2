import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, iso } from '@moorage/domain';
import { isTimeZone, updateWindow } from './update-window';

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const berlin = (over: Partial<Parameters<typeof updateWindow>[0]> = {}) => ({
  days: EVERY_DAY,
  hour: 2,
  hours: 2,
  time_zone: 'Europe/Berlin',
  ...over,
});
const windowAt = (at: string, over: Partial<Parameters<typeof updateWindow>[0]> = {}): string[] => {
  const { from, to } = updateWindow(berlin(over), Date.parse(at));
  return [iso(from), iso(to)].map((instant) => instant.slice(0, 16));
};

describe('window for updates', () => {
  it('is the next one, by the clocks of its time zone', () => {
    expect(windowAt('2026-11-30T12:00:00Z')).toEqual(['2026-12-01T01:00', '2026-12-01T03:00']);
    expect(windowAt('2026-07-30T12:00:00Z')).toEqual(['2026-07-31T00:00', '2026-07-31T02:00']);
    expect(windowAt('2026-11-30T12:00:00Z', { time_zone: 'Asia/Kolkata' })).toEqual([
      '2026-11-30T20:30',
      '2026-11-30T22:30',
    ]);
  });

  it('is the one that is open, until its last moment', () => {
    expect(windowAt('2026-12-01T01:00:00Z')).toEqual(['2026-12-01T01:00', '2026-12-01T03:00']);
    expect(windowAt('2026-12-01T02:59:59Z')).toEqual(['2026-12-01T01:00', '2026-12-01T03:00']);
    expect(windowAt('2026-12-01T03:00:00Z')).toEqual(['2026-12-02T01:00', '2026-12-02T03:00']);
  });

  it('begins only on its days', () => {
    // A Monday.
    expect(windowAt('2026-11-30T12:00:00Z', { days: [0] })[0]).toBe('2026-12-06T01:00');
    expect(windowAt('2026-11-30T12:00:00Z', { days: [3, 5] })[0]).toBe('2026-12-02T01:00');
  });

  it('goes over midnight', () => {
    expect(windowAt('2026-12-01T00:30:00Z', { hour: 23, hours: 4 })).toEqual(['2026-11-30T22:00', '2026-12-01T02:00']);
  });

  it('begins with the next hour when clocks skip its hour', () => {
    // On 28 March 2027, clocks in Berlin go from 02:00 to 03:00, which is 01:00 UTC.
    expect(windowAt('2027-03-27T12:00:00Z')).toEqual(['2027-03-28T01:00', '2027-03-28T03:00']);
    expect(windowAt('2027-03-28T03:00:00Z')[0]).toBe('2027-03-29T00:00');
  });

  it('begins once when its hour happens twice', () => {
    // On 31 October 2027, clocks in Berlin go from 03:00 back to 02:00, which is 01:00 UTC.
    const [first = ''] = windowAt('2027-10-30T12:00:00Z');
    expect(['2027-10-31T00:00', '2027-10-31T01:00']).toContain(first);
    const end = Date.parse(`${first}:00Z`) + 2 * HOUR_MS;
    expect(windowAt(iso(end))[0]).toBe('2027-11-01T01:00');
  });

  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Mars/Olympus', false],
    ['', false],
  ])('knows the time zone "%s": %s', (name, expected) => {
    expect(isTimeZone(name)).toBe(expected);
  });
});
