import type { Transactions } from '@moorage/contracts';

export type Transaction = Transactions['transactions'][number]['transactions'][number];

const MICROS = 1_000_000;

/** Returns the price per hour if all hours cost the same, otherwise null. */
export function hourlyOf({ amount }: Pick<Transaction, 'amount'>, hours: number): number | null {
  const micros = Math.round(-amount * MICROS);
  return micros > 0 && hours > 0 && micros % hours === 0 ? micros / hours / MICROS : null;
}

/** Adds up amounts exactly. The API's amounts have six decimals, so they are summed as integers. */
export function sumOf(rows: readonly Pick<Transaction, 'amount'>[]): number {
  return rows.reduce((micros, { amount }) => micros + Math.round(amount * MICROS), 0) / MICROS;
}

/** Kinds of rows that are folded: the charges of one midnight, and others that only differ in their deployment. */
export type FoldedKind = 'daily' | 'started' | 'refund' | 'rerate';

/** Row of the list: one transaction, or equal transactions of a day. */
export type Row =
  | { readonly kind: 'one'; readonly one: Transaction }
  | { readonly kind: FoldedKind; readonly all: readonly Transaction[] };

/** Returns whether a charge is due at midnight, and not that of a first day. */
export const isDaily = ({ type, created_at: at }: Transaction): boolean =>
  type === 'charge' && at.slice(11, 19) === '00:00:00';

/** Smallest number of equal rows that are folded. */
const FOLDED_FROM: Readonly<Record<FoldedKind, number>> = { daily: 2, started: 3, refund: 3, rerate: 3 };

/** Folds equal transactions of a day into one row, which is at the place of the newest. */
export function rowsOf(transactions: readonly Transaction[]): Row[] {
  return transactions.flatMap((one): Row[] => {
    const kind = foldedKind(one);
    if (kind === null) return [{ kind: 'one', one }];
    const all = transactions.filter((other) => foldedKind(other) === kind);
    if (all.length < FOLDED_FROM[kind]) return [{ kind: 'one', one }];
    return all[0] === one ? [{ kind, all }] : [];
  });
}

function foldedKind(one: Transaction): FoldedKind | null {
  if (one.type === 'charge') return isDaily(one) ? 'daily' : 'started';
  return one.type === 'refund' || one.type === 'rerate' ? one.type : null;
}
