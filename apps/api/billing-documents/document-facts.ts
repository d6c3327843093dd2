import { CARD_MOVEMENTS, LANGUAGES, TRANSACTION_TYPES, type TransactionType } from '@moorage/domain';
import { z } from 'zod';

/** Complete content of a document, frozen when it is issued. Amounts are decimal micro-units, instants ISO 8601. */
const micros = z.string().regex(/^-?\d{1,19}$/);
const instant = z.iso.datetime();
const party = z.object({ name: z.string(), lines: z.array(z.string()), tax_id: z.string().nullable() });

const everyDocument = {
  number: z.string(),
  language: z.enum(LANGUAGES),
  issued_at: instant,
  operator: party,
  customer: party.extend({ account_id: z.int() }),
};

const balances = z.object({ regular_micros: micros, credit_micros: micros, owed_micros: micros });
export type Balances = z.infer<typeof balances>;

const TYPES = Object.keys(TRANSACTION_TYPES) as [TransactionType, ...TransactionType[]];

const movementFacts = z.object({
  ...everyDocument,
  kind: z.enum(['receipt', 'credit_note']),
  movement: z.enum(CARD_MOVEMENTS),
  moved_at: instant,
  /**
   * Cause in the ledger: a checkout session, our id of an automatic top-up, or a balance transaction of the provider.
   */
  reference: z.string(),
  /** Receipt of the payment to which a credit note or a returned amount belongs. */
  receipt: z.string().nullable(),
  test_mode: z.boolean(),
  /** Gross amount. */
  amount_micros: micros,
  tax: z.object({ text: z.string(), net_micros: micros, tax_micros: micros }).nullable(),
});
export type MovementDocument = z.infer<typeof movementFacts>;

const statementFacts = z.object({
  ...everyDocument,
  kind: z.literal('statement'),
  /** Month such as `2026-11`. */
  month: z.string(),
  opening: balances,
  /** Postings summed by UTC day and type, in order. */
  rows: z.array(balances.extend({ day: z.iso.date(), type: z.enum(TYPES), count: z.int() })),
  closing: balances,
});
export type StatementDocument = z.infer<typeof statementFacts>;

export const documentFacts = z.union([movementFacts, statementFacts]);
export type DocumentFacts = z.infer<typeof documentFacts>;
