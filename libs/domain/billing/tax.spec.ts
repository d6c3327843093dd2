import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { parseTaxRate, taxIncluded, taxReversed } from './tax';

describe('tax rate', () => {
  it.each([
    ['0', 0],
    ['19', 19_000],
    ['7.7', 7_700],
    ['8.375', 8_375],
    ['100', 100_000],
    ['100.001', null],
    ['8.3751', null],
    ['-1', null],
    ['19 %', null],
    ['', null],
  ])('%s', (text, rate) => {
    expect(parseTaxRate(text)).toBe(rate);
  });
});

describe('tax of a gross amount', () => {
  it.each([
    [11_900, 19_000, 10_000, 1_900],
    [10_000, 19_000, 8_403, 1_597], // 84.0336 net
    [100, 19_000, 84, 16],
    [1, 100_000, 1, 0], // half a cent rounds up
    [3, 100_000, 2, 1],
    [2_500, 7_700, 2_321, 179],
    [2_500, 0, 2_500, 0],
  ])('of %d cents at %d thousandths of a percent', (gross, rate, net, tax) => {
    expect(taxIncluded(Money.ofCents(gross), rate)).toEqual({ net: Money.ofCents(net), tax: Money.ofCents(tax) });
  });

  it('adds up to the gross amount, within half a cent of the exact net', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 100_000 }), (cents, rate) => {
        const gross = Money.ofCents(cents);
        const { net, tax } = taxIncluded(gross, rate);
        expect(net.plus(tax)).toEqual(gross);
        expect(tax.isNegative).toBe(false);
        expect(Math.abs(Number(net.micros) / 10_000 - (cents * 100_000) / (100_000 + rate))).toBeLessThan(0.500001);
      }),
    );
  });
});

describe('tax of a reversed document', () => {
  const of = (net: number, tax: number) => ({ net: Money.ofCents(net), tax: Money.ofCents(tax) });
  it.each([
    [11_900, of(10_000, 1_900), of(10_000, 1_900)],
    [5_950, of(10_000, 1_900), of(5_000, 950)],
    [100, of(10_000, 1_900), of(84, 16)],
    [100, of(100, 0), of(100, 0)],
  ])('of %d cents', (gross, document, parts) => {
    expect(taxReversed(Money.ofCents(gross), document)).toEqual(parts);
  });
});
