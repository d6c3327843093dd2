import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant } from '../time';
import { cpuPercent, diskFullInDays, reachablePercent, spanOf } from './metrics';

const AT = instant('2026-12-01T00:00:00Z');

describe('CPU load', () => {
  it.each([
    [{ total: 1_000, idle: 900 }, { total: 2_000, idle: 1_650 }, 25],
    [{ total: 1_000, idle: 900 }, { total: 1_003, idle: 900 }, 100],
    [{ total: 1_000, idle: 900 }, { total: 500, idle: 400 }, null],
    [{ total: 1_000, idle: 900 }, { total: 1_000, idle: 900 }, null],
    [null, { total: 1_000, idle: 900 }, null],
  ])('from %j to %j is %s', (before, now, expected) => {
    expect(cpuPercent(before, now)).toBe(expected);
  });
});

describe('reachability', () => {
  it.each([
    [{ checks: 0, failed: 0 }, null],
    [{ checks: 100, failed: 0 }, 100],
    [{ checks: 43_200, failed: 1 }, 99.99],
    [{ checks: 3, failed: 1 }, 66.66],
    [{ checks: 2, failed: 2 }, 0],
  ])('of %j is %s percent', (checks, expected) => {
    expect(reachablePercent(checks)).toBe(expected);
  });
});

describe('disk', () => {
  const points = (hours: number, used: (hour: number) => number | null) =>
    Array.from({ length: hours }, (_, hour) => ({ at: AT + hour * HOUR_MS, disk_used_mb: used(hour) }));

  it('that grows by 1 GB a day is full when the rest is used', () => {
    expect(
      diskFullInDays(
        points(73, (hour) => 10_000 + (1_000 * hour) / 24),
        80_000,
      ),
    ).toBe(67);
  });

  it.each([
    ['does not grow', points(73, () => 10_000)],
    ['shrinks', points(73, (hour) => 10_000 - hour)],
    ['grows too slowly to matter', points(73, (hour) => 10_000 + hour / 24)],
    ['is known for less than a day', points(23, (hour) => 10_000 + 100 * hour)],
    ['is unknown', points(73, () => null)],
  ])('that %s has no date', (_, known) => {
    expect(diskFullInDays(known, 80_000)).toBeNull();
  });

  it('that is full has no days left', () => {
    expect(
      diskFullInDays(
        points(73, (hour) => 70_000 + 200 * hour),
        80_000,
      ),
    ).toBe(0);
  });
});

describe('span', () => {
  it('begins at whole five minutes and days', () => {
    expect(spanOf(AT + 299_999)).toBe(AT);
    expect(spanOf(AT + 300_000)).toBe(AT + 300_000);
    expect(spanOf(AT + HOUR_MS, DAY_MS)).toBe(AT);
  });
});
