import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from './money';

const micros = fc.bigInt({ min: -8_000_000_000_000_000n, max: 8_000_000_000_000_000n });

describe('JSON amount', () => {
  it('is a plain decimal number', () => {
    expect(Money.micros(391_600n).toWire()).toBe(0.3916);
    expect(Money.of(5.1).micros).toBe(5_100_000n);
    expect(JSON.stringify({ amount: Money.micros(5_100_000n).toWire() })).toBe('{"amount":5.1}');
  });

  it('is parsed back unchanged for every amount that fits a JSON number', () => {
    fc.assert(
      fc.property(
        micros,
        (value) => Money.of(JSON.parse(JSON.stringify(Money.micros(value).toWire())) as number).micros === value,
      ),
    );
  });

  it.each([0.0000001, 1.2345678, Number.NaN, Number.POSITIVE_INFINITY, 1e300])('refuses %p', (value) => {
    expect(() => Money.of(value)).toThrow(RangeError);
  });

  it('cannot enter JSON by accident', () => {
    expect(() => JSON.stringify({ amount: Money.of(1) })).toThrow(TypeError);
  });

  it.each(['', '1.5', '1e6', ' 1', '0x10', '99999999999999999999'])('refuses the micro-units text "%s"', (text) => {
    expect(() => Money.fromMicrosText(text)).toThrow(RangeError);
  });
});

describe('displayed amount', () => {
  it.each([
    [4_996_000n, 'balance', '4.99'],
    [4_996_000n, 'price', '5.00'],
    [4_990_001n, 'needed', '5.00'],
    [4_990_000n, 'needed', '4.99'],
    [1_764_000n, 'price', '1.76'],
    [6_696_000n, 'price', '6.70'],
    [5_000n, 'price', '0.01'],
    [4_999n, 'price', '0.00'],
    [-1n, 'balance', '-0.01'],
    [-391_600n, 'price', '-0.39'],
    [0n, 'balance', '0.00'],
  ] as const)('%p as %s reads %s', (value, kind, text) => {
    expect(Money.micros(value).toDisplay(kind)).toBe(text);
  });

  it('never overstates a balance and never understates a required amount', () => {
    fc.assert(
      fc.property(micros, (value) => {
        const amount = Money.micros(value);
        const cents = (text: string): bigint => BigInt(text.replace('.', '')) * 10_000n;
        return cents(amount.toDisplay('balance')) <= value && cents(amount.toDisplay('needed')) >= value;
      }),
    );
  });

  it('has six decimals in exports', () => {
    expect(Money.micros(-391_600n).toDecimal()).toBe('-0.391600');
    expect(Money.micros(12n).toDecimal()).toBe('0.000012');
  });
});

describe('money arithmetic', () => {
  it('accepts whole cents of a payment provider, but no fraction', () => {
    expect(Money.ofCents(1_999).toWire()).toBe(19.99);
    expect(Money.ofCents(-5).micros).toBe(-50_000n);
    expect(() => Money.ofCents(0.5)).toThrow(RangeError);
  });

  it('is exact', () => {
    fc.assert(
      fc.property(micros, micros, fc.integer({ min: 0, max: 1_000_000 }), (a, b, n) => {
        const [x, y] = [Money.micros(a), Money.micros(b)];
        return (
          x.plus(y).minus(y).equals(x) && x.times(n).micros === a * BigInt(n) && Money.sum([x, y]).equals(x.plus(y))
        );
      }),
    );
  });

  it('does not multiply by half an hour', () => {
    expect(() => Money.of(1).times(0.5)).toThrow(RangeError);
  });
});
