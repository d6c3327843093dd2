import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German messages of billing addresses, receipts and statements. */
export const billingDocumentsMessages: Translated<Pick<ConsoleTables, 'billing_document'>> = {
  billing_document: {
    name_missing: 'Geben Sie Ihren Namen oder den Ihrer Firma ein.',
    lines_missing: 'Geben Sie Straße und Hausnummer ein.',
    lines_most: 'Verwenden Sie höchstens %{most} Zeilen.',
    city_missing: 'Geben Sie den Ort ein.',
    country_missing: 'Wählen Sie ein Land.',
    line_long: 'Verwenden Sie höchstens %{most} Zeichen pro Zeile.',
    letters_unprinted: '„%{letters}“ lässt sich auf Belegen nicht drucken. Verwenden Sie lateinische Buchstaben.',
    tax_id_wrong: 'Verwenden Sie 2 bis 40 Buchstaben, Ziffern und Zeichen, darunter mindestens eine Ziffer.',
    tax_id_unusual:
      'Steuernummern dieses Landes sehen gewöhnlich anders aus. Bitte prüfen Sie Ihre. Auf Belegen erscheint sie so, wie Sie sie eingegeben haben.',
    unknown: 'Dieses Dokument gibt es nicht.',
    statement_not_ready: 'Der Kontoauszug für %{month} ist ab %{from} verfügbar.',
    statement_before_account: 'Für %{month} gibt es keinen Kontoauszug, weil Ihr Konto erst später eröffnet wurde.',
  },
};
