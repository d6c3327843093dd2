import type { Transactions } from '@moorage/contracts';
import { SENTENCES } from '@moorage/domain';

export type Transaction = Transactions['transactions'][number]['transactions'][number];

/** What a row is about, read out of the ledger's sentence, so that it can be said in the person's language. */
export interface Said {
  /** The deployment, where it is one's. */
  readonly name: string | null;
  /** Begun hours that were charged. */
  readonly hours: number | null;
  readonly credit: 'signup' | 'referral' | null;
  /** What the ledger says beyond that, in its own words; '' where the kind of row says it all. */
  readonly rest: string;
}

const NOTHING: Said = { name: null, hours: null, credit: null, rest: '' };

/** Sentences that only repeat the kind of their row. */
const PLAIN: Partial<Record<Transaction['type'], string>> = {
  payment: SENTENCES.payment(),
  adjustment: SENTENCES.adjustment(),
  payment_refund: SENTENCES.payment_refund(),
  dispute: SENTENCES.dispute(),
  dispute_won: SENTENCES.dispute_won(),
  owed_paid: SENTENCES.owed_paid(),
};

const CHARGE = /^(.+): (\d{1,2}) hours? on \d{4}-\d\d-\d\d$/;
const RERATE = /^(.+): the rest of \d{4}-\d\d-\d\d at the new level's price$/;
const REFUND = /^(.+): hours left of \d{4}-\d\d-\d\d(?:\. (.*))?$/s;
const CREDIT = /^(Signup|Referral) credit (?:for 30 days|ended|adjusted by support)$/;

export function readSentence({ type, description }: Pick<Transaction, 'type' | 'description'>): Said {
  const found =
    type === 'charge'
      ? CHARGE.exec(description)
      : type === 'rerate'
        ? RERATE.exec(description)
        : type === 'refund'
          ? REFUND.exec(description)
          : type.startsWith('credit_')
            ? CREDIT.exec(description)
            : null;
  if (found === null) return { ...NOTHING, rest: description === PLAIN[type] ? '' : description };
  const [, subject = '', more = ''] = found;
  if (type === 'charge') return { ...NOTHING, name: subject, hours: Number(more) };
  if (type === 'rerate' || type === 'refund') return { ...NOTHING, name: subject, rest: more };
  return { ...NOTHING, credit: subject === 'Signup' ? 'signup' : 'referral' };
}

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
