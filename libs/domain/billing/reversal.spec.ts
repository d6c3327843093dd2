import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import {
  countedEarlier,
  type Movement,
  MOVEMENT_KINDS,
  refundable,
  refusalToRefund,
  shareOfMovement,
  takesMoney,
  owedByRefund,
} from './reversal';

const PAID = Money.of(20);
const of = (kind: Movement['kind'], units: number): Movement => ({ kind, amount: Money.of(units) });

/** Returns what the account bears after each movement, in currency units. */
function bornAfter(movements: readonly Movement[]): number[] {
  let borne = Money.ZERO;
  return movements.map((movement, index) => {
    const share = shareOfMovement(movement, { paid: PAID, before: movements.slice(0, index), borne });
    borne = takesMoney(movement.kind) ? borne.plus(share) : borne.minus(share);
    return borne.toWire();
  });
}

describe('amount an account bears of refunds and disputes', () => {
  it.each<[string, Movement[], number[]]>([
    ['two disputes on one payment', [of('dispute', 5), of('dispute', 5)], [5, 10]],
    ['a dispute won in part', [of('dispute', 20), of('dispute_won', 8)], [20, 12]],
    ['a refund that failed', [of('refund', 7), of('refund_failed', 7)], [7, 0]],
    ['a dispute of a refunded amount: not twice', [of('refund', 5), of('dispute', 20)], [5, 20]],
    [
      'a dispute of a refunded amount, won: only its own effect',
      [of('refund', 5), of('dispute', 20), of('dispute_won', 20)],
      [5, 20, 5],
    ],
    ['the end of a dispute reported before its start', [of('dispute_won', 20), of('dispute', 20)], [0, 0]],
  ])('%s', (_, movements, expected) => {
    expect(bornAfter(movements)).toEqual(expected);
  });

  it('is the same in any order of events, never above the payment and never negative', () => {
    const movement = fc.record({ kind: fc.constantFrom(...MOVEMENT_KINDS), amount: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (drawn, keys) => {
        const movements = drawn.map(({ kind, amount }) => of(kind, amount));
        const shuffled = movements
          .map((one) => ({ one, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        const borne = bornAfter(movements);
        expect(bornAfter(shuffled).at(-1)).toBe(borne.at(-1));
        for (const units of borne) expect(units >= 0 && units <= 20).toBe(true);
      }),
    );
  });
});

describe('movements of a payment counted by an earlier version', () => {
  it.each<[string, Movement[], number, number]>([
    ['nothing', [of('refund', 5)], 0, 0],
    ['a refund', [of('refund', 5)], 5, 1],
    ['a dispute that was won', [of('dispute', 20), of('dispute_won', 20)], 0, 2],
    [
      'a dispute that was won, and not the refund after it',
      [of('dispute', 20), of('dispute_won', 20), of('refund', 5)],
      0,
      2,
    ],
    ['a dispute that is won now', [of('dispute', 20), of('dispute_won', 20)], 20, 1],
    ['a dispute of an amount already refunded', [of('refund', 20), of('dispute', 20)], 20, 2],
    ['two refunds, and not the third', [of('refund', 5), of('refund', 5), of('refund', 5)], 10, 2],
    ['a total that no movement explains', [of('refund', 5), of('refund', 5)], 7, 0],
  ])('%s', (_, movements, borne, counted) => {
    expect(countedEarlier(movements, { paid: PAID, borne: Money.of(borne) })).toBe(counted);
  });
});

describe('refundable amount of a payment', () => {
  const facts = (borne: number, requested: number) => ({
    paid: PAID,
    borne: Money.of(borne),
    requested: Money.of(requested),
  });

  it.each<[string, number, number, number]>([
    ['is the full payment', 0, 0, 20],
    ['is reduced by refunds and disputes', 7, 0, 13],
    ['is reduced by requested refunds that have not moved yet', 7, 5, 8],
    ['is zero after a full refund', 20, 0, 0],
    ['is never negative', 18, 5, 0],
  ])('%s', (_, borne, requested, most) => {
    expect(refundable(facts(borne, requested)).toWire()).toBe(most);
    if (most > 0) expect(refusalToRefund(Money.of(most), facts(borne, requested))).toBeNull();
    expect(refusalToRefund(Money.of(most + 0.01), facts(borne, requested))).toMatchObject({
      code: 'REFUND_TOO_HIGH',
      fields: { refundable: most },
    });
  });
});

it.each([
  [5, 20, 0],
  [20, 19.5, 0.5],
  [20, 0, 20],
])('a refund of %d from a regular balance of %d leaves %d owed', (amount, regular, owed) => {
  expect(owedByRefund({ amount: Money.of(amount), regular: Money.of(regular) }).toWire()).toBe(owed);
});
