import type { DATA_EXPORT_MESSAGES } from '../messages/data-export';
import type { German } from './german';

/** What README.txt says in an export; no screen shows it. */
export const dataExportGerman: German<{ data_export: typeof DATA_EXPORT_MESSAGES }> = {
  data_export: {
    title: 'Daten von %{username} bei %{brand}, Stand %{at}.',
    how: 'Zeiten sind in UTC angegeben, Beträge in US-Dollar mit sechs Nachkommastellen. CSV-Dateien sind UTF-8 mit Kommas; ein Apostroph am Anfang einer Zelle verhindert, dass eine Tabellenkalkulation sie als Formel liest.',
    secrets: 'Passwörter, Schlüssel und andere Geheimnisse stehen in keiner dieser Dateien.',
    everything: 'Das Konto und alle folgenden Listen als JSON.',
    transactions: 'Buchungen des Guthabens und der Gutschriften.',
    credits: 'Gutschriften und was von ihnen übrig ist.',
    deployments: 'Deployments, auch gelöschte.',
    sessions: 'Aufbewahrte Sitzungen: seit wann, von wo und mit welchem Browser.',
    sign_ins: 'Aufbewahrte Anmeldungen und abgelehnte zweite Faktoren.',
    api_tokens: 'Persönliche API-Tokens, ohne ihre Werte.',
    mails:
      'Aufbewahrte E-Mails an Ihre jetzige Adresse: ihre Art und wann sie verschickt wurden. Ihr Text wird nicht gespeichert.',
    support_messages: 'Aufbewahrte Nachrichten an den Support, soweit Sie beim Senden angemeldet waren.',
    support_replies: 'Was in diesen Gesprächen danach gesagt wurde, von Ihnen und vom Support.',
    payments: 'Zahlungen und nicht abgeschlossene Bezahlvorgänge.',
    billing_details: 'Die Rechnungsadresse, wie Sie sie zuletzt eingegeben haben.',
    billing_documents:
      'Belege und Kontoauszüge mit allem, was in ihnen steht. Als PDF gibt es sie auf der Seite Abrechnung.',
    saved_cards: 'Die Karte, die für das automatische Aufladen gespeichert ist, soweit man sie daran erkennt.',
    automatic_top_up: 'Wann eine gespeicherte Karte automatisch belastet wird, und mit wie viel.',
    cut: 'Nur die neuesten %{most} Zeilen sind in diesem Export: Es gibt mehr.',
  },
};
