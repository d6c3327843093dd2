import type { AlertKind } from '../messages/alert';

/** What administrators are mailed of, by the kind of alert. */
export const germanAlerts: Readonly<Record<AlertKind, string>> = {
  books_breached: 'Die Bücher stimmen nicht.',
  books_unproven: 'Die Bücher folgen nicht aus ihren Belegen.',
  account_unsettled: 'Konten lassen sich nicht abrechnen.',
  grace_period_overdue: 'Zahlungsfristen sind lange nach ihrem Ende noch offen.',
  daily_run_late: 'Die tägliche Abrechnung ist überfällig.',
  audit_late: 'Die nächtliche Prüfung der Bücher ist überfällig.',
  proof_late: 'Der nächtliche Beweis der Bücher ist überfällig.',
  watch_late: 'Die Abrechnung prüft nicht mehr, ob etwas hängen bleibt.',
  event_unsent: 'Ereignisse werden nicht gesendet.',
  event_missing: 'Gesendete Ereignisse sind nicht angekommen.',
  delivery_unhandled: 'Zustellungen werden nicht verarbeitet.',
  delivery_parked: 'Zustellungen sind zurückgestellt.',
  work_overdue: 'Fällige Aufgaben werden nicht übernommen.',
  deployment_stuck: 'Deployments hängen fest.',
  mail_unsent: 'E-Mails werden nicht versendet.',
  database_short: 'Der Datenbank fehlte Speicherplatz, Arbeitsspeicher oder eine freie Verbindung.',
  provider_distrusted: 'Den Antworten eines Anbieters ist nicht zu trauen.',
  provider_silent: 'Ein Anbieter antwortet nicht.',
  provider_quota: 'Eine Grenze unseres Kontos bei einem Anbieter ist erreicht.',
  provider_refused: 'Ein Anbieter weist unsere Zugangsdaten zurück.',
  payment_differences: 'Die Bücher des Zahlungsanbieters und unsere weichen voneinander ab.',
  payment_disputed: 'Zahlungen sind angefochten und brauchen eine Antwort.',
  refund_not_made: 'Erstattungen konnten nicht ausgeführt werden.',
  server_reappeared: 'Verlorene Server sind wieder da.',
};
