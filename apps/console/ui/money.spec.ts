import { describe, expect, it } from '@jest/globals';
import { exactMoney, hourlyPrice, money } from './money';

describe('amount format', () => {
  it.each([
    [4.996, 'balance', '$4.99'],
    [5, 'balance', '$5.00'],
    [0.29, 'balance', '$0.29'],
    [1.764, 'price', '$1.76'],
    [6.696, 'price', '$6.70'],
    [0.005, 'price', '$0.01'],
    [4.990001, 'needed', '$5.00'],
    [1_204_188.4, 'balance', '$1,204,188.40'],
    [-3.97, 'price', '\u2212$3.97'],
    [198.766, 'movement', '$198.76'],
    [-0.000001, 'price', '$0.00'],
  ] as const)('shows %d, %s, as %s', (amount, rounding, text) => {
    expect(money(amount, { rounding })).toBe(text);
  });

  it('includes the sign in rows that add up', () => {
    expect(money(30, { rounding: 'balance', sign: true })).toBe('+$30.00');
    expect(money(0, { rounding: 'balance', sign: true })).toBe('$0.00');
  });

  it('has four decimals per hour, or six if exact', () => {
    expect(hourlyPrice(0.0685)).toBe('$0.0685');
    expect(exactMoney(-0.1764)).toBe('\u2212$0.176400');
  });
});
