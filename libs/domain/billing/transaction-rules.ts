import { Money } from '../money';
import { type Entry, entryAmount, type Line, type Pot } from './books';
import type { TransactionType } from './transaction-type';

/** Who or what a transaction needs to be caused by. */
export type RequiredCause =
  /** The clock: nothing outside. */
  | 'none'
  /** A request may have asked for it, and is named then. */
  | 'optional'
  /** A checkout session, an event of the payment provider. */
  | 'outside'
  /** A person, who is on record. */
  | 'actor';

export interface TransactionRule {
  /** In which direction each account may move; what is not named does not move. */
  readonly pots: Readonly<Partial<Record<Pot, 'in' | 'out' | 'both'>>>;
  readonly cause: RequiredCause;
  /** What it names: a deployment and a day, a credit, or neither. */
  readonly about: 'day' | 'credit' | 'balance';
}

const CORRECTION = { revenue: 'both', regular: 'both', credit: 'both', lapsed: 'in' } as const;

/** What each type of ledger transaction may move, and what it needs. Asked before one is written, and by the proof. */
export const TRANSACTION_RULES: Readonly<Record<TransactionType, TransactionRule>> = {
  payment: { pots: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  charge: { pots: { credit: 'out', regular: 'out', revenue: 'in' }, cause: 'none', about: 'day' },
  rerate: { pots: CORRECTION, cause: 'optional', about: 'day' },
  refund: { pots: { revenue: 'out', regular: 'in', credit: 'in', lapsed: 'in' }, cause: 'optional', about: 'day' },
  credit_granted: { pots: { adjustments: 'out', credit: 'in' }, cause: 'optional', about: 'credit' },
  credit_expired: { pots: { credit: 'out', lapsed: 'in' }, cause: 'none', about: 'credit' },
  credit_adjusted: { pots: { adjustments: 'both', credit: 'both' }, cause: 'actor', about: 'credit' },
  adjustment: { pots: { adjustments: 'both', regular: 'both' }, cause: 'actor', about: 'balance' },
  payment_refund: { pots: { payments: 'in', regular: 'out', owed: 'out' }, cause: 'outside', about: 'balance' },
  refund_failed: { pots: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  dispute: { pots: { payments: 'in', regular: 'out', owed: 'out' }, cause: 'outside', about: 'balance' },
  dispute_won: { pots: { payments: 'out', regular: 'in' }, cause: 'outside', about: 'balance' },
  owed_paid: { pots: { regular: 'out', owed: 'in' }, cause: 'none', about: 'balance' },
};

type Judged = Pick<Entry, 'type' | 'deploymentId' | 'chargedOn' | 'creditId' | 'lines'>;

/** Why a transaction must not be in the books; empty: it may. */
export function faultsOfEntry(
  entry: Judged & { readonly amount?: Money },
  by: { readonly cause: string | null; readonly actorUserId: number | null },
): string[] {
  const rule = TRANSACTION_RULES[entry.type];
  const faults = [...faultsOfLines(entry, rule), ...faultsOfSubject(entry, rule)];
  if (rule.cause === 'outside' && by.cause === null) faults.push('has no cause');
  // a person may name the request too, so that it is not carried out twice
  if (rule.cause === 'none' && by.cause !== null) faults.push('has a cause');
  if (rule.cause === 'actor' && by.actorUserId === null) faults.push('has no actor');
  if (entry.amount !== undefined && !entry.amount.equals(entryAmount({ lines: entry.lines })))
    faults.push('shows another amount than it moved');
  return faults;
}

function faultsOfLines({ lines }: Judged, { pots }: TransactionRule): string[] {
  const faults = lines.flatMap(({ pot, amount }) => {
    const direction = pots[pot];
    const wrong =
      direction === undefined ||
      (direction === 'in' && amount.isNegative) ||
      (direction === 'out' && amount.isPositive);
    return wrong ? [`moves ${pot} by ${amount.toString()}`] : [];
  });
  if (!Money.sum(lines.map(({ amount }) => amount)).isZero) faults.push('does not sum to zero');
  return faults;
}

function faultsOfSubject({ deploymentId, chargedOn, creditId, lines }: Judged, { about }: TransactionRule): string[] {
  const faults: string[] = [];
  if ((about === 'day') !== (deploymentId !== null && chargedOn !== null))
    faults.push('names no day, or a needless one');
  if ((about === 'credit') !== (creditId !== null)) faults.push('names no credit, or a needless one');
  const strange = (line: Line): boolean => line.pot === 'credit' && line.creditId !== creditId;
  if (about === 'credit' && lines.some(strange)) faults.push('moves another credit than it names');
  return faults;
}

/** Throws where `faultsOfEntry` finds anything: nothing of the kind is ever written. */
export function assertEntry(
  entry: Judged,
  by: { readonly cause: string | null; readonly actorUserId: number | null },
): void {
  const faults = faultsOfEntry(entry, by);
  if (faults.length > 0) throw new RangeError(`a ${entry.type} that ${faults.join(', ')}`);
}
