import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '../time';
import { checkWindows } from './checkout-sweep';

const NOW = instant('2026-12-02T12:00:00Z');

/** Returns whether a checkout of this age, last queried this long ago, is queried now. */
function isRequested(age: number, sinceRequested: number | null): boolean {
  const created = NOW - age;
  return checkWindows(NOW).some(
    ({ from, to, createdBefore }) =>
      (from === null || created >= from) &&
      created < to &&
      (sinceRequested === null || NOW - sinceRequested <= createdBefore),
  );
}

describe('open checkouts to query at the payment provider', () => {
  it.each<[string, number, number | null, boolean]>([
    ['half an hour old: wait for the webhook', 30 * MINUTE_MS, null, false],
    ['a moment older', 30 * MINUTE_MS + 1, null, true],
    ['checked 29 minutes ago', 2 * HOUR_MS, 29 * MINUTE_MS, false],
    ['checked 30 minutes ago', 2 * HOUR_MS, 30 * MINUTE_MS, true],
    ['three hours old: half an hour apart', 3 * HOUR_MS, 30 * MINUTE_MS, true],
    ['older: an hour apart', 3 * HOUR_MS + 1, 59 * MINUTE_MS, false],
    ['older, and an hour has passed', 3 * HOUR_MS + 1, HOUR_MS, true],
    ['three days old: an hour apart', 3 * DAY_MS, HOUR_MS, true],
    ['older than three days: a day apart', 3 * DAY_MS + 1, 23 * HOUR_MS, false],
    ['older than three days, and a day has passed', 3 * DAY_MS + 1, DAY_MS, true],
    ['two months old and never checked', 60 * DAY_MS, null, true],
  ])('%s', (_, age, sinceRequested, expected) => {
    expect(isRequested(age, sinceRequested)).toBe(expected);
  });
});
