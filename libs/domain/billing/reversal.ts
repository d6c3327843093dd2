import { DomainError } from '../errors';
import { ORDER_MESSAGES } from '../messages/order';
import { Money } from '../money';

/**
 * What a payment provider does to a payment afterwards, one kind a balance transaction. `refund` and `dispute` take money
 * back; `refund_failed` (the card did not take it) and `dispute_won` (all or part of a dispute's money) bring it back in.
 */
export const MOVEMENT_KINDS = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** An amount above zero; the kind says in which direction it went. */
export interface Movement {
  readonly kind: MovementKind;
  readonly amount: Money;
}

export const takesMoney = (kind: MovementKind): boolean => kind === 'refund' || kind === 'dispute';

/**
 * How much of a movement the account bears (`refund`, `dispute`) or gets back (the other two). What refunds and disputes of
 * a payment take together is borne up to the payment itself and never below nothing; what the provider moves beyond is
 * ours. So the order in which movements are heard of does not matter in the end. `before`: the movements known already,
 * `borne`: what the account bears of them.
 */
export function shareOfMovement(
  movement: Movement,
  { paid, before, borne }: { paid: Money; before: readonly Movement[]; borne: Money },
): Money {
  const bears = borneAfter([...before, movement], paid);
  return Money.max(Money.ZERO, takesMoney(movement.kind) ? bears.minus(borne) : borne.minus(bears));
}

/**
 * How many of a payment's movements, oldest first, an earlier version has counted. That version kept only what the account
 * bears (`borne`), so these are the most movements after which exactly that is borne.
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
  /** What the account bears of refunds and disputes so far. */
  readonly borne: Money;
  /** Refunds that were asked for and whose money has not moved yet. */
  readonly asked: Money;
}

/** What can still be given back to the card of a payment. */
export function refundable({ paid, borne, asked }: RefundFacts): Money {
  return Money.max(Money.ZERO, paid.minus(borne).minus(asked));
}

/** Why this much of a payment cannot be given back to its card, or null. */
export function refusalToRefund(amount: Money, facts: RefundFacts): DomainError | null {
  const most = refundable(facts);
  if (!most.isLessThan(amount)) return null;
  return new DomainError('REFUND_TOO_HIGH', ORDER_MESSAGES.refund_too_high({ most: `$${most.toDisplay('price')}` }), {
    refundable: most.toWire(),
  });
}

/** What a refund leaves as owed: what the regular balance does not hold of it. */
export const owedByRefund = ({ amount, regular }: { amount: Money; regular: Money }): Money =>
  Money.max(Money.ZERO, amount.minus(regular));
