import type { Transactions } from '@moorage/contracts';
import { createReader, LEDGER_WORDS, say } from '@moorage/domain';
import { said } from '../texts/locale';

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

const read = createReader({ ledger: LEDGER_WORDS });

/** The kind of row to which each sentence belongs. */
const KIND_OF: Readonly<Record<string, Transaction['type']>> = {
  'ledger.payment': 'payment',
  'ledger.charge_hour': 'charge',
  'ledger.charge_hours': 'charge',
  'ledger.rerate': 'rerate',
  'ledger.refund': 'refund',
  'ledger.granted_signup': 'credit_granted',
  'ledger.granted_referral': 'credit_granted',
  'ledger.ended_signup': 'credit_expired',
  'ledger.ended_referral': 'credit_expired',
  'ledger.adjusted_signup': 'credit_adjusted',
  'ledger.adjusted_referral': 'credit_adjusted',
  'ledger.adjustment': 'adjustment',
  'ledger.payment_refund': 'payment_refund',
  'ledger.dispute': 'dispute',
  'ledger.dispute_won': 'dispute_won',
  'ledger.owed_paid': 'owed_paid',
};

export function readSentence({ type, description }: Pick<Transaction, 'type' | 'description'>): Said {
  const [first, ...more] = read(description) ?? [];
  if (first === undefined || KIND_OF[first.code] !== type) return { ...NOTHING, rest: said(description) };
  const { code, facts } = first;
  const lapsed = more.map(({ facts: { amount = '', instant = '' } }) =>
    said(say(LEDGER_WORDS.lapsed, { amount, instant })),
  );
  return {
    name: facts.name ?? null,
    hours: type === 'charge' ? Number(facts.hours ?? 1) : null,
    credit: code.endsWith('_signup') ? 'signup' : code.endsWith('_referral') ? 'referral' : null,
    rest: lapsed.join('. '),
  };
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
