import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AmountUse, shownCents } from './shown-cents';

describe('shown cents', () => {
  it.each([
    ['balance', 4_996_000n, 499n],
    ['balance', 5_000_000n, 500n],
    ['balance', -3_970_001n, -398n],
    ['needed', 4_990_001n, 500n],
    ['needed', 4_990_000n, 499n],
    ['needed', -4_999n, 0n],
    ['price', 854_400n, 85n],
    ['price', 1_764_000n, 176n],
    ['price', 5_000n, 1n],
    ['price', -854_400n, -85n],
    ['movement', 198_766_000n, 19_876n],
    ['movement', -854_400n, -85n],
  ] as const)('rounds a %s of %s micro-units to %s cents', (use, micros, cents) => {
    expect(shownCents(micros, use)).toBe(cents);
  });

  it('never shows a due amount as covered by a balance that does not cover it', () => {
    const amount = fc.bigInt({ min: 0n, max: 2_000_000n });
    fc.assert(
      fc.property(amount, amount, (due, balance) => {
        const [isCovered, looksCovered] = [balance >= due, shownCents(balance, 'balance') >= shownCents(due, 'needed')];
        return isCovered || !looksCovered;
      }),
    );
  });

  it('changes an amount by less than a cent', () => {
    const uses: AmountUse[] = ['balance', 'price', 'needed', 'movement'];
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.constantFrom(...uses), (micros, use) => {
        const moved = shownCents(micros, use) * 10_000n - micros;
        return moved > -10_000n && moved < 10_000n;
      }),
    );
  });
});
