import type { ExportTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** German texts of README.txt in a data export. No screen shows them. */
export const dataExportMessages: Translated<ExportTables> = {
  data_export: {
    title: 'Daten von %{username} bei %{brand}, Stand %{at}.',
    how: 'Zeiten sind in UTC angegeben, Beträge in US-Dollar mit sechs Nachkommastellen. CSV-Dateien verwenden UTF-8 und Kommas. Ein Apostroph am Anfang einer Zelle verhindert, dass eine Tabellenkalkulation sie als Formel liest.',
    secrets: 'Keine dieser Dateien enthält Passwörter, Schlüssel oder andere Geheimnisse.',
    everything: 'Das Konto und alle folgenden Listen als JSON.',
    transactions: 'Buchungen des Guthabens und der Gutschriften.',
    credits: 'Gutschriften und ihr Restbetrag.',
    deployments: 'Deployments, auch gelöschte.',
    ssh_keys: 'SSH-Schlüssel, mit denen Sie sich an den Servern Ihrer Deployments anmelden können.',
    sessions: 'Gespeicherte Sitzungen: Beginn, Herkunft und Browser.',
    sign_ins: 'Gespeicherte Anmeldungen und abgelehnte zweite Faktoren.',
    api_tokens: 'Persönliche API-Tokens, ohne ihre Werte.',
    mails: 'Gespeicherte E-Mails an Ihre jetzige Adresse: Art und Zeitpunkt. Ihr Text wird nicht gespeichert.',
    support_messages: 'Gespeicherte Nachrichten an den Support, die Sie angemeldet gesendet haben.',
    support_replies: 'Spätere Nachrichten in diesen Gesprächen, von Ihnen und vom Support.',
    payments: 'Zahlungen und nicht abgeschlossene Bezahlvorgänge.',
    billing_details: 'Die Rechnungsadresse, die Sie zuletzt eingegeben haben.',
    billing_documents:
      'Belege, Rechnungskorrekturen und Kontoauszüge mit vollständigem Inhalt. Als PDF finden Sie sie auf der Seite „Abrechnung“.',
    saved_cards: 'Die für das automatische Aufladen gespeicherte Karte mit den Angaben, an denen sie erkennbar ist.',
    automatic_top_up: 'Wann eine gespeicherte Karte automatisch belastet wird und mit welchem Betrag.',
    cut: 'Dieser Export enthält nur die neuesten %{most} Zeilen. Es gibt weitere.',
  },
};
