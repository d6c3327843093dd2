import { Money } from '../money';
import { type Entry, entryAmount, type Line, type Bucket } from './books';
import type { TransactionType } from './transaction-type';

/** Cause that a type of transaction requires. */
export type RequiredCause =
  /** Time alone, without an external cause. */
  | 'none'
  /** A request may be the cause and is then recorded. */
  | 'optional'
  /** A checkout session or an event of the payment provider. */
  | 'outside'
  /** A user, who is recorded. */
  | 'actor';

export interface TransactionRule {
  /** Allowed direction of each ledger account. Accounts not listed must not move. */
  readonly buckets: Readonly<Partial<Record<Bucket, 'in' | 'out' | 'both'>>>;
  readonly cause: RequiredCause;
  /** Subject of the transaction, which is a deployment and day, a credit, or neither. */
  readonly about: 'day' | 'credit' | 'balance';
}

const CORRECTION = { revenue: 'both', regular: 'both', credit: 'both', lapsed: 'in' } as const;

/**
 * Ledger accounts that each type of transaction may move, and what it requires. Checked before each write and by the
 * ledger verification.
 */
export const TRANSACTION_RULES: Readonly<Record<TransactionType, TransactionRule>> = {
  payment: { buckets: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  charge: { buckets: { credit: 'out', regular: 'out', revenue: 'in' }, cause: 'none', about: 'day' },
  rerate: { buckets: CORRECTION, cause: 'optional', about: 'day' },
  refund: { buckets: { revenue: 'out', regular: 'in', credit: 'in', lapsed: 'in' }, cause: 'optional', about: 'day' },
  credit_granted: { buckets: { adjustments: 'out', credit: 'in' }, cause: 'optional', about: 'credit' },
  credit_expired: { buckets: { credit: 'out', lapsed: 'in' }, cause: 'none', about: 'credit' },
  credit_adjusted: { buckets: { adjustments: 'both', credit: 'both' }, cause: 'actor', about: 'credit' },
  adjustment: { buckets: { adjustments: 'both', regular: 'both' }, cause: 'actor', about: 'balance' },
  payment_refund: { buckets: { payments: 'in', regular: 'out', owed: 'out' }, cause: 'outside', about: 'balance' },
  refund_failed: { buckets: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  dispute: { buckets: { payments: 'in', regular: 'out', owed: 'out' }, cause: 'outside', about: 'balance' },
  dispute_won: { buckets: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  owed_paid: { buckets: { regular: 'out', owed: 'in' }, cause: 'none', about: 'balance' },
};

type EvaluatedEntry = Pick<Entry, 'type' | 'deploymentId' | 'chargedOn' | 'creditId' | 'lines'>;

/** Returns why a transaction must not be posted. The list is empty if it may. */
export function faultsOfEntry(
  entry: EvaluatedEntry & { readonly amount?: Money },
  by: { readonly cause: string | null; readonly actorUserId: number | null },
): string[] {
  const rule = TRANSACTION_RULES[entry.type];
  const faults = [...faultsOfLines(entry, rule), ...faultsOfSubject(entry, rule)];
  if (rule.cause === 'outside' && by.cause === null) faults.push('has no cause');
  // A user may also name the request, so that it is not carried out twice.
  if (rule.cause === 'none' && by.cause !== null) faults.push('has a cause');
  if (rule.cause === 'actor' && by.actorUserId === null) faults.push('has no actor');
  if (entry.amount !== undefined && !entry.amount.equals(entryAmount({ lines: entry.lines })))
    faults.push('shows an amount other than the one it moved');
  return faults;
}

function faultsOfLines({ lines }: EvaluatedEntry, { buckets }: TransactionRule): string[] {
  const faults = lines.flatMap(({ bucket, amount }) => {
    const direction = buckets[bucket];
    const wrong =
      direction === undefined ||
      (direction === 'in' && amount.isNegative) ||
      (direction === 'out' && amount.isPositive);
    return wrong ? [`moves ${bucket} by ${amount.toString()}`] : [];
  });
  if (!Money.sum(lines.map(({ amount }) => amount)).isZero) faults.push('does not sum to zero');
  return faults;
}

function faultsOfSubject(
  { deploymentId, chargedOn, creditId, lines }: EvaluatedEntry,
  { about }: TransactionRule,
): string[] {
  const faults: string[] = [];
  if ((about === 'day') !== (deploymentId !== null && chargedOn !== null))
    faults.push('names no day, or names one without need');
  if ((about === 'credit') !== (creditId !== null)) faults.push('names no credit, or names one without need');
  const strange = (line: Line): boolean => line.bucket === 'credit' && line.creditId !== creditId;
  if (about === 'credit' && lines.some(strange)) faults.push('moves a credit other than the one it names');
  return faults;
}

/**
 * Checks a transaction before it is written.
 *
 * @throws RangeError if `faultsOfEntry` finds a fault
 */
export function assertEntry(
  entry: EvaluatedEntry,
  by: { readonly cause: string | null; readonly actorUserId: number | null },
): void {
  const faults = faultsOfEntry(entry, by);
  if (faults.length > 0) throw new RangeError(`a ${entry.type} that ${faults.join(', ')}`);
}
