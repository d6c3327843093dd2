import type { DocumentKind } from '@moorage/contracts';
import type { Language, TransactionType } from '@moorage/domain';
import type { CardMovement } from './document-facts';

/** Texts of documents, apart from their facts. */
interface DocumentTexts {
  readonly locale: string;
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

export const DOCUMENT_TEXTS: Readonly<Record<Language, DocumentTexts>> = {
  en: {
    locale: 'en-GB',
    titles: { receipt: 'Receipt', credit_note: 'Credit note', statement: 'Statement' },
    issued: 'Issued',
    account: 'Account',
    tax_id: 'Tax number',
    billed_to: 'To',
    moved: { receipt: 'Paid', credit_note: 'Returned' },
    for_receipt: 'Of receipt',
    reference: 'Reference',
    description: 'Description',
    amount: 'Amount in USD',
    net: 'Net',
    total: 'Total',
    movements: {
      payment: 'Top-up of the prepaid balance',
      payment_refund: 'Top-up refunded to the card',
      refund_failed: 'Refund that the card did not take, back on the balance',
      dispute: 'Top-up disputed at the bank',
      dispute_won: 'Disputed top-up, back on the balance',
    },
    notes: {
      payment: 'Paid by card and added to the balance of the account.',
      payment_refund: 'Taken from the balance of the account and returned to the card.',
      refund_failed: 'This reverses a credit note of the same payment.',
      dispute: 'Taken from the balance of the account, because the bank took the payment back.',
      dispute_won: 'This reverses a credit note of the same payment.',
    },
    test_mode: 'Test payment: no money was moved.',
    month: 'Month',
    day: 'Day (UTC)',
    posted: 'Posted',
    regular: 'Regular balance',
    credits: 'Credits',
    owed: 'Owed',
    opening: 'Opening balance',
    closing: 'Closing balance',
    nothing: 'Nothing was posted in this month.',
    types: {
      payment: 'Top-up',
      charge: 'Daily charge',
      rerate: 'Support level changed',
      refund: 'Hours given back',
      credit_granted: 'Credit granted',
      credit_expired: 'Credit expired',
      credit_adjusted: 'Credit adjusted',
      adjustment: 'Balance adjusted',
      payment_refund: 'Top-up refunded',
      refund_failed: 'Refund came back',
      dispute: 'Top-up disputed',
      dispute_won: 'Dispute won',
      owed_paid: 'Amount owed paid',
    },
    statement_note: 'All amounts are in USD, by the UTC day on which they were posted.',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  de: {
    locale: 'de-DE',
    titles: { receipt: 'Zahlungsbeleg', credit_note: 'Korrekturbeleg', statement: 'Kontoauszug' },
    issued: 'Ausgestellt',
    account: 'Konto',
    tax_id: 'Steuernummer',
    billed_to: 'An',
    moved: { receipt: 'Gezahlt', credit_note: 'Erstattet' },
    for_receipt: 'Zu Beleg',
    reference: 'Referenz',
    description: 'Beschreibung',
    amount: 'Betrag in USD',
    net: 'Netto',
    total: 'Summe',
    movements: {
      payment: 'Aufladung des Guthabens',
      payment_refund: 'Aufladung, auf die Karte erstattet',
      refund_failed: 'Erstattung, die die Karte nicht angenommen hat, wieder im Guthaben',
      dispute: 'Aufladung, bei der Bank bestritten',
      dispute_won: 'Bestrittene Aufladung, wieder im Guthaben',
    },
    notes: {
      payment: 'Mit Karte gezahlt und dem Guthaben des Kontos gutgeschrieben.',
      payment_refund: 'Vom Guthaben des Kontos abgezogen und auf die Karte erstattet.',
      refund_failed: 'Dies hebt einen Korrekturbeleg derselben Zahlung auf.',
      dispute: 'Vom Guthaben des Kontos abgezogen, weil die Bank die Zahlung zurückgeholt hat.',
      dispute_won: 'Dies hebt einen Korrekturbeleg derselben Zahlung auf.',
    },
    test_mode: 'Testzahlung: Es wurde kein Geld bewegt.',
    month: 'Monat',
    day: 'Tag (UTC)',
    posted: 'Buchung',
    regular: 'Guthaben',
    credits: 'Gutschriften',
    owed: 'Geschuldet',
    opening: 'Anfangsstand',
    closing: 'Endstand',
    nothing: 'In diesem Monat wurde nichts gebucht.',
    types: {
      payment: 'Aufladung',
      charge: 'Tagesabrechnung',
      rerate: 'Support-Level geändert',
      refund: 'Stunden zurückgegeben',
      credit_granted: 'Gutschrift erteilt',
      credit_expired: 'Gutschrift verfallen',
      credit_adjusted: 'Gutschrift angepasst',
      adjustment: 'Guthaben angepasst',
      payment_refund: 'Aufladung erstattet',
      refund_failed: 'Erstattung zurückgekommen',
      dispute: 'Aufladung bestritten',
      dispute_won: 'Streitfall gewonnen',
      owed_paid: 'Geschuldetes beglichen',
    },
    statement_note: 'Alle Beträge in USD, nach dem UTC-Tag ihrer Buchung.',
    page: (page, pages) => `Seite ${page} von ${pages}`,
  },
};
