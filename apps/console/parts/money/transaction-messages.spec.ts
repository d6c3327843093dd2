import { describe, expect, it } from '@jest/globals';
import { hourlyOf, rowsOf, sumOf } from './transaction-messages';
import { transactionOf } from '../../pages/billing/testing';

describe('daily total', () => {
  it('is exact to the micro-unit', () => {
    expect(sumOf([0.1, 0.2, -0.3].map((amount) => ({ amount })))).toBe(0);
    expect(sumOf(Array.from({ length: 1_000 }, () => ({ amount: -0.000001 })))).toBe(-0.001);
  });
});

describe('price per hour', () => {
  it('is shown only if all hours cost the same', () => {
    expect(hourlyOf(transactionOf({ amount: -0.3916 }), 11)).toBe(0.0356);
    expect(hourlyOf(transactionOf({ amount: -0.391601 }), 11)).toBeNull();
  });
});

describe('charges of a midnight', () => {
  const midnight = [transactionOf({ id: 4 }), transactionOf({ id: 3 }), transactionOf({ id: 2 })];

  it('share a row', () => {
    expect(
      rowsOf([transactionOf({ id: 9, type: 'payment', amount: 30 }), ...midnight]).map(({ kind }) => kind),
    ).toEqual(['one', 'daily']);
  });

  it('stay separate if there is only one, or if a day began in between', () => {
    expect(rowsOf([transactionOf({})]).map(({ kind }) => kind)).toEqual(['one']);
    const started = transactionOf({ id: 5, created_at: '2026-11-21T14:04:00.000Z' });
    const again = transactionOf({ id: 6, created_at: '2026-11-21T14:04:00.000Z' });
    expect(rowsOf([again, started]).map(({ kind }) => kind)).toEqual(['one', 'one']);
  });

  it('share a row with other equal rows of a day only from three on', () => {
    const started = (id: number) => transactionOf({ id, created_at: `2026-11-21T14:0${id}:00.000Z` });
    const paid = transactionOf({ id: 9, type: 'payment', amount: 30 });
    expect(rowsOf([started(4), paid, started(3), started(2)]).map(({ kind }) => kind)).toEqual(['started', 'one']);
    expect(rowsOf([started(4), paid, started(3)]).map(({ kind }) => kind)).toEqual(['one', 'one', 'one']);
    expect(rowsOf([paid, paid, paid]).map(({ kind }) => kind)).toEqual(['one', 'one', 'one']);
  });
});
