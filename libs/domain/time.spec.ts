import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, DAY_MS, dayOf, daysBetween, HOUR_MS, instant, iso, startOfDay, startOfHour } from './time';

const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) });

describe('days and hours', () => {
  it('are UTC in any time zone of the machine', () => {
    expect(dayOf(instant('2026-11-30T23:59:59.999Z'))).toBe('2026-11-30');
    expect(dayOf(instant('2026-12-01T00:00:00.000Z'))).toBe('2026-12-01');
    expect(iso(startOfHour(instant('2026-12-01T13:17:05Z')))).toBe('2026-12-01T13:00:00.000Z');
  });

  it('have 24 hours through daylight saving and 366 days in a leap year', () => {
    expect(startOfDay('2026-03-30') - startOfDay('2026-03-29')).toBe(24 * HOUR_MS);
    expect(daysBetween('2028-01-01', '2029-01-01')).toBe(366);
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });

  it('contain exactly their own instants', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const start = startOfDay(dayOf(at));
        return (
          start <= at &&
          at < start + DAY_MS &&
          startOfHour(at) <= at &&
          at < startOfHour(at) + HOUR_MS &&
          instant(iso(at)) === at
        );
      }),
    );
  });

  it('reject a value that is not an instant', () => {
    expect(() => instant('yesterday')).toThrow(RangeError);
  });
});
