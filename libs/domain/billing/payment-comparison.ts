import type { Money } from '../money';
import type { Instant } from '../time';

export type DifferenceKind = 'missing_here' | 'missing_there' | 'amount';

/** A payment, or a movement of a refund or dispute, in the provider's records or in the ledger. */
export interface BookEntry {
  /** Identifier of a difference. */
  readonly id: string;
  /** Key shared by both sides, which is the payment intent for a payment and the balance transaction for a movement. */
  readonly key: string;
  readonly paymentIntent: string;
  readonly amount: Money;
  readonly isOurCurrency: boolean;
  readonly at: Instant;
}

export interface PaymentDifference {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly paymentIntent: string;
  readonly theirs: Money | null;
  readonly ours: Money | null;
  readonly at: Instant;
}

/**
 * Returns the differences between the provider's records and the ledger.
 *
 * An entry without a counterpart counts if it lies within the span (`from` inclusive). Entries outside the span serve
 * only as counterparts, because each side dates entries in its own way.
 */
export function comparePaymentBooks({
  theirs,
  ours,
  span,
}: {
  theirs: readonly BookEntry[];
  ours: readonly BookEntry[];
  span: { readonly from: Instant; readonly to: Instant };
}): PaymentDifference[] {
  const isOfSpan = ({ at }: BookEntry): boolean => at >= span.from && at < span.to;
  const here = new Map(ours.map((entry) => [entry.key, entry]));
  const there = new Set(theirs.map(({ key }) => key));
  const differences: PaymentDifference[] = [];
  for (const their of theirs) {
    const { id, key, paymentIntent, at } = their;
    const our = here.get(key);
    if (our === undefined) {
      if (isOfSpan(their))
        differences.push({ id, kind: 'missing_here', paymentIntent, theirs: their.amount, ours: null, at });
    } else if (!their.isOurCurrency || !their.amount.equals(our.amount)) {
      differences.push({ id, kind: 'amount', paymentIntent, theirs: their.amount, ours: our.amount, at });
    }
  }
  for (const our of ours) {
    if (there.has(our.key) || !isOfSpan(our)) continue;
    const { id, paymentIntent, at } = our;
    differences.push({ id, kind: 'missing_there', paymentIntent, theirs: null, ours: our.amount, at });
  }
  return differences;
}
