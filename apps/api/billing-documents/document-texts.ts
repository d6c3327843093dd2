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
    billed_to: 'Billed to',
    moved: { receipt: 'Paid', credit_note: 'Returned' },
    for_receipt: 'For receipt',
    reference: 'Reference',
    description: 'Description',
    amount: 'Amount in USD',
    net: 'Net',
    total: 'Total',
    movements: {
      payment: 'Top-up of the prepaid balance',
      payment_refund: 'Top-up refunded to the card',
      refund_failed: 'Refund not accepted by the card, back on the balance',
      dispute: 'Top-up disputed at the bank',
      dispute_won: 'Disputed top-up, back on the balance',
    },
    notes: {
      payment: 'Paid by card and added to the account balance.',
      payment_refund: 'Deducted from the account balance and returned to the card.',
      refund_failed: 'This reverses a credit note of the same payment.',
      dispute: 'Deducted from the account balance because the bank reversed the payment.',
      dispute_won: 'This reverses a credit note of the same payment.',
    },
    test_mode: 'Test payment: no money moved.',
    month: 'Month',
    day: 'Day (UTC)',
    posted: 'Posted',
    regular: 'Regular balance',
    credits: 'Credits',
    owed: 'Owed',
    opening: 'Opening balance',
    closing: 'Closing balance',
    nothing: 'There were no transactions in this month.',
    types: {
      payment: 'Top-up',
      charge: 'Daily charge',
      rerate: 'Price changed',
      refund: 'Refund for unused hours',
      credit_granted: 'Credit granted',
      credit_expired: 'Credit expired',
      credit_adjusted: 'Credit adjusted',
      adjustment: 'Balance adjusted',
      payment_refund: 'Top-up refunded',
      refund_failed: 'Refund returned',
      dispute: 'Top-up disputed',
      dispute_won: 'Dispute won',
      owed_paid: 'Amount owed paid',
    },
    statement_note: 'All amounts are in USD and listed by UTC posting date.',
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
      refund_failed: 'Von der Karte abgelehnte Erstattung, wieder im Guthaben',
      dispute: 'Aufladung, von der Bank zurückgebucht',
      dispute_won: 'Zurückgezogene Rückbuchung, wieder im Guthaben',
    },
    notes: {
      payment: 'Mit Karte gezahlt und dem Guthaben des Kontos gutgeschrieben.',
      payment_refund: 'Vom Guthaben des Kontos abgezogen und auf die Karte erstattet.',
      refund_failed: 'Dies hebt einen Korrekturbeleg derselben Zahlung auf.',
      dispute: 'Vom Guthaben des Kontos abgezogen, weil die Bank die Zahlung zurückgebucht hat.',
      dispute_won: 'Dies hebt einen Korrekturbeleg derselben Zahlung auf.',
    },
    test_mode: 'Testzahlung: Es ist kein Geld geflossen.',
    month: 'Monat',
    day: 'Tag (UTC)',
    posted: 'Buchung',
    regular: 'Guthaben',
    credits: 'Gutschriften',
    owed: 'Offen',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    nothing: 'In diesem Monat gab es keine Buchungen.',
    types: {
      payment: 'Aufladung',
      charge: 'Tägliche Abbuchung',
      rerate: 'Preis geändert',
      refund: 'Erstattung ungenutzter Stunden',
      credit_granted: 'Gutschrift erteilt',
      credit_expired: 'Gutschrift verfallen',
      credit_adjusted: 'Gutschrift angepasst',
      adjustment: 'Guthaben angepasst',
      payment_refund: 'Aufladung erstattet',
      refund_failed: 'Erstattung fehlgeschlagen',
      dispute: 'Rückbuchung beantragt',
      dispute_won: 'Rückbuchung zurückgezogen',
      owed_paid: 'Offener Betrag beglichen',
    },
    statement_note: 'Alle Beträge in USD, nach UTC-Buchungstag.',
    page: (page, pages) => `Seite ${page} von ${pages}`,
  },
};
