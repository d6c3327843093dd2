import type { BillingDocumentAnswer, DocumentKind } from '@moorage/contracts';
import { type Instant, iso, Money } from '@moorage/domain';

/** A document in a list. */
export interface DocumentRow {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly number: string;
  readonly issued_at: Instant;
  readonly amount_micros: string | null;
  /** Month such as `2026-11`. */
  readonly month: string | null;
}

export const DOCUMENT_COLUMNS = `id, kind, number, issued_at, amount_micros, to_char(month, 'YYYY-MM') as month`;

export const documentAnswer = (row: DocumentRow): BillingDocumentAnswer => ({
  id: Number(row.id),
  kind: row.kind,
  number: row.number,
  issued_at: iso(row.issued_at),
  amount: row.amount_micros === null ? null : Money.fromMicrosText(row.amount_micros).toWire(),
  month: row.month,
});
