import type { Transactions } from '@moorage/contracts';

export type Transaction = Transactions['transactions'][number]['transactions'][number];

const MICROS = 1_000_000;

/** What each of the hours cost, where they all cost the same. */
export function hourlyOf({ amount }: Pick<Transaction, 'amount'>, hours: number): number | null {
  const micros = Math.round(-amount * MICROS);
  return micros > 0 && hours > 0 && micros % hours === 0 ? micros / hours / MICROS : null;
}

/** The exact sum: the api's amounts have six decimals, floats are never added up. */
export function sumOf(rows: readonly Pick<Transaction, 'amount'>[]): number {
  return rows.reduce((micros, { amount }) => micros + Math.round(amount * MICROS), 0) / MICROS;
}

/** A row of the list: one transaction, or the daily charges of one midnight together. */
export type Row =
  | { readonly kind: 'one'; readonly one: Transaction }
  | { readonly kind: 'charges'; readonly all: readonly Transaction[] };

/** Charges that were due at the same 00:00 are one row; those of a first day stand alone. */
export function rowsOf(transactions: readonly Transaction[]): Row[] {
  const rows: Row[] = [];
  for (const one of transactions) {
    const before = rows[rows.length - 1];
    const isDaily = one.type === 'charge' && one.created_at.slice(11, 19) === '00:00:00';
    if (!isDaily || before === undefined) {
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
