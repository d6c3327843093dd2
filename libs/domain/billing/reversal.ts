import { DomainError } from '../errors';
import { ORDER_MESSAGES } from '../messages/order';
import { Money } from '../money';

/**
 * Kinds of balance transactions by which a payment provider changes an earlier payment. `refund` and `dispute` take
 * money back. `refund_failed` (the card did not accept it) and `dispute_won` (all or part of a dispute's money) return
 * it.
 */
export const MOVEMENT_KINDS = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** An amount above zero. Its direction follows from the kind. */
export interface Movement {
  readonly kind: MovementKind;
  readonly amount: Money;
}

export const takesMoney = (kind: MovementKind): boolean => kind === 'refund' || kind === 'dispute';

/**
 * Returns how much of a movement the account bears (`refund`, `dispute`) or gets back (the other two).
 *
 * The account bears refunds and disputes of a payment up to the amount of the payment. The platform bears anything
 * beyond. The final result therefore does not depend on the order in which movements arrive.
 *
 * @param facts `before` holds the movements known already, and `borne` the amount that the account bears of them
 */
export function shareOfMovement(
  movement: Movement,
  { paid, before, borne }: { paid: Money; before: readonly Movement[]; borne: Money },
): Money {
  const bears = borneAfter([...before, movement], paid);
  return Money.max(Money.ZERO, takesMoney(movement.kind) ? bears.minus(borne) : borne.minus(bears));
}

/**
 * Returns how many of a payment's movements, oldest first, an earlier version has counted. That version stored only the
 * amount that the account bears (`borne`), so the result is the largest number of movements that adds up to exactly
 * this amount.
 */
export function countedEarlier(movements: readonly Movement[], { paid, borne }: { paid: Money; borne: Money }): number {
  let counted = 0;
  for (let count = 1; count <= movements.length; count++)
    if (borneAfter(movements.slice(0, count), paid).equals(borne)) counted = count;
  return counted;
}

function borneAfter(movements: readonly Movement[], paid: Money): Money {
  const net = Money.sum(movements.map(({ kind, amount }) => (takesMoney(kind) ? amount : amount.negated())));
  return Money.max(Money.ZERO, Money.min(net, paid));
}

export interface RefundFacts {
  readonly paid: Money;
  /** Amount of refunds and disputes that the account bears so far. */
  readonly borne: Money;
  /** Refunds requested that have not moved money yet. */
  readonly requested: Money;
}

/** Returns the amount that can still be refunded to the card of a payment. */
export function refundable({ paid, borne, requested }: RefundFacts): Money {
  return Money.max(Money.ZERO, paid.minus(borne).minus(requested));
}

/** Returns why this amount of a payment cannot be refunded to its card, or null if it can. */
export function refusalToRefund(amount: Money, facts: RefundFacts): DomainError | null {
  const most = refundable(facts);
  if (!most.isLessThan(amount)) return null;
  return new DomainError('REFUND_TOO_HIGH', ORDER_MESSAGES.refund_too_high({ most: `$${most.toDisplay('price')}` }), {
    refundable: most.toWire(),
  });
}

/** Returns the amount that becomes owed after a refund, which is the part not covered by the regular balance. */
export const owedByRefund = ({ amount, regular }: { amount: Money; regular: Money }): Money =>
  Money.max(Money.ZERO, amount.minus(regular));
