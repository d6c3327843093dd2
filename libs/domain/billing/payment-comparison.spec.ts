import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { HOUR_MS, instant } from '../time';
import { type BookEntry, comparePaymentBooks } from './payment-comparison';

const FROM = instant('2026-12-02T00:00:00Z');
const TO = instant('2026-12-03T00:00:00Z');
const MIDDAY = FROM + 12 * HOUR_MS;

const entry = (key: string, more: Partial<BookEntry> = {}): BookEntry => ({
  id: `id of ${key}`,
  key,
  paymentIntent: 'pi_1',
  amount: Money.of(20),
  isOurCurrency: true,
  at: MIDDAY,
  ...more,
});
const found = (theirs: BookEntry[], ours: BookEntry[]) =>
  comparePaymentBooks({ theirs, ours, span: { from: FROM, to: TO } }).map(({ id, kind }) => `${kind} ${id}`);

describe('comparison of our payments with the payment provider', () => {
  it.each<[string, BookEntry[], BookEntry[], string[]]>([
    ['equal payments', [entry('a'), entry('b')], [entry('b'), entry('a')], []],
    ['a movement only at the provider', [entry('a')], [], ['missing_here id of a']],
    ['a movement only in our ledger', [], [entry('a')], ['missing_there id of a']],
    ['another amount', [entry('a', { amount: Money.of(19.99) })], [entry('a')], ['amount id of a']],
    ['another currency', [entry('a', { isOurCurrency: false })], [entry('a')], ['amount id of a']],
    ['theirs from before the period, without ours', [entry('a', { at: FROM - 1 })], [], []],
    ['theirs from the first instant, without ours', [entry('a', { at: FROM })], [], ['missing_here id of a']],
    ['theirs from the last instant, without ours, which may be in transit', [entry('a', { at: TO })], [], []],
    ['ours from the last instant, without theirs', [], [entry('a', { at: TO })], []],
    ['a movement dated on different sides of the boundary', [entry('a', { at: FROM - HOUR_MS })], [entry('a')], []],
  ])('%s', (_, theirs, ours, expected) => {
    expect(found(theirs, ours)).toEqual(expected);
  });
});
