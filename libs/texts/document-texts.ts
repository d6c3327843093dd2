import type { DocumentKind } from '@moorage/contracts';
import type { CardMovement, TransactionType } from '@moorage/domain';

/** Texts of documents, apart from their facts. */
export interface DocumentTexts {
  /** Format of the day of a row. */
  readonly day_format: Intl.DateTimeFormatOptions;
  readonly titles: Readonly<Record<DocumentKind, string>>;
  readonly issued: string;
  readonly account: string;
  readonly tax_id: string;
  readonly billed_to: string;
  readonly moved: Readonly<Record<'receipt' | 'credit_note', string>>;
  readonly for_receipt: string;
  readonly reference: string;
  readonly description: string;
  readonly amount: string;
  readonly net: string;
  readonly total: string;
  readonly movements: Readonly<Record<CardMovement, string>>;
  readonly notes: Readonly<Record<CardMovement, string>>;
  readonly test_mode: string;
  readonly month: string;
  readonly day: string;
  readonly posted: string;
  readonly regular: string;
  readonly credits: string;
  readonly owed: string;
  readonly opening: string;
  readonly closing: string;
  readonly nothing: string;
  readonly types: Readonly<Record<TransactionType, string>>;
  readonly statement_note: string;
  readonly page: (page: number, pages: number) => string;
}
