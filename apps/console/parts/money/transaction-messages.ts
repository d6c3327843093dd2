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

/** Row of the list: one transaction, or all daily charges of one midnight. */
export type Row =
  | { readonly kind: 'one'; readonly one: Transaction }
  | { readonly kind: 'charges'; readonly all: readonly Transaction[] };

/** Returns whether a charge is due at midnight, and not that of a first day. */
export const isDaily = ({ type, created_at: at }: Transaction): boolean =>
  type === 'charge' && at.slice(11, 19) === '00:00:00';

/** Groups the charges due at the same 00:00 into one row. Charges of a first day stay separate. */
export function rowsOf(transactions: readonly Transaction[]): Row[] {
  const rows: Row[] = [];
  for (const one of transactions) {
    const before = rows[rows.length - 1];
    if (!isDaily(one) || before === undefined) {
      rows.push({ kind: 'one', one });
    } else if (before.kind === 'charges' && before.all[0]?.created_at === one.created_at) {
      rows[rows.length - 1] = { kind: 'charges', all: [...before.all, one] };
    } else if (before.kind === 'one' && before.one.type === 'charge' && before.one.created_at === one.created_at) {
      rows[rows.length - 1] = { kind: 'charges', all: [before.one, one] };
    } else {
      rows.push({ kind: 'one', one });
    }
  }
  return rows;
}
