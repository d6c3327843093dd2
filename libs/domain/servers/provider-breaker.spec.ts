import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { breakerReason } from './provider-breaker';

describe('breaker of the server comparison', () => {
  it.each([
    ['no server is running there', { running: 0, listed: 0, missing: 0 }, null],
    ['all are listed', { running: 5, listed: 5, missing: 0 }, null],
    ['two of five are missing', { running: 5, listed: 3, missing: 2 }, null],
    ['three of five are missing', { running: 5, listed: 2, missing: 3 }, 'many_missing'],
    ['the only one is missing', { running: 1, listed: 0, missing: 1 }, 'none_listed'],
    ['none is listed, but all are found by id', { running: 40, listed: 0, missing: 0 }, 'none_listed'],
    ['5 % of a hundred', { running: 100, listed: 95, missing: 5 }, null],
    ['just more than 5 % of a hundred', { running: 100, listed: 94, missing: 6 }, 'many_missing'],
    ['three of sixty are exactly 5 %', { running: 60, listed: 57, missing: 3 }, null],
    ['three of fifty-nine are more than 5 %', { running: 59, listed: 56, missing: 3 }, 'many_missing'],
  ] as const)('%s', (_situation, comparison, reason) => {
    expect(breakerReason(comparison)).toBe(reason);
  });

  const fleet = fc
    .record({
      running: fc.integer({ min: 0, max: 100_000 }),
      listed: fc.double({ min: 0, max: 1, noNaN: true }),
      missing: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ running, listed, missing }) => {
      const shown = Math.floor(running * listed);
      return { running, listed: shown, missing: Math.floor((running - shown) * missing) };
    });

  it('stays closed only while at most max(2, 5 %) are missing and something is listed, for any fleet', () => {
    fc.assert(
      fc.property(fleet, ({ running, listed, missing }) => {
        const tooMany = missing > Math.max(2, running * 0.05);
        const none = running > 0 && listed === 0;
        expect(breakerReason({ running, listed, missing }) === null).toBe(!tooMany && !none);
      }),
    );
  });

  it('never closes because another server is missing', () => {
    fc.assert(
      fc.property(fleet, (comparison) => {
        if (breakerReason(comparison) === null) return;
        expect(breakerReason({ ...comparison, missing: comparison.missing + 1 })).not.toBeNull();
      }),
    );
  });
});
