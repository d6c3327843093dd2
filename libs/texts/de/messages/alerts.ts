import type { AlertKind } from '@moorage/domain';
import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** German titles of alerts by kind. */
export const alertTitles: Readonly<Record<AlertKind, string>> = {
  books_breached: 'Das Hauptbuch ist nicht ausgeglichen.',
  books_unproven: 'Das Hauptbuch stimmt nicht mit den zugrunde liegenden Vorgängen überein.',
  account_unsettled: 'Konten lassen sich nicht abrechnen.',
  grace_period_overdue: 'Zahlungsfristen sind lange nach ihrem Ende noch offen.',
  daily_run_late: 'Der tägliche Abrechnungslauf ist überfällig.',
  audit_late: 'Die nächtliche Prüfung des Hauptbuchs ist überfällig.',
  proof_late: 'Der nächtliche Nachweis des Hauptbuchs ist überfällig.',
  watch_late: 'Die Abrechnung prüft nicht mehr, ob Aufgaben hängen bleiben.',
  event_unsent: 'Ereignisse werden nicht gesendet.',
  event_missing: 'Gesendete Ereignisse sind nicht angekommen.',
  delivery_unhandled: 'Zustellungen werden nicht verarbeitet.',
  delivery_parked: 'Zustellungen sind zurückgestellt.',
  work_overdue: 'Fällige Aufgaben werden nicht bearbeitet.',
  deployment_stuck: 'Deployments hängen fest.',
  mail_unsent: 'E-Mails werden nicht versendet.',
  database_short: 'Der Datenbank fehlte Speicherplatz, Arbeitsspeicher oder eine freie Verbindung.',
  provider_distrusted: 'Die Antworten eines Anbieters sind nicht vertrauenswürdig.',
  provider_silent: 'Ein Anbieter antwortet nicht.',
  provider_quota: 'Unser Konto bei einem Anbieter hat ein Limit erreicht.',
  provider_refused: 'Ein Anbieter lehnt unsere Zugangsdaten ab.',
  place_refused: 'Ein Anbieter lässt uns in einer Region keine Server erstellen.',
  provider_rules: 'Firewall-Regeln bei einem Anbieter waren falsch.',
  payment_differences: 'Die Daten des Zahlungsanbieters und unser Hauptbuch weichen voneinander ab.',
  payment_disputed: 'Zu Zahlungen wurde eine Rückbuchung beantragt, die eine Antwort braucht.',
  closed_account_paid: 'Auf geschlossenen Konten sind Zahlungen eingegangen.',
  refund_not_made: 'Erstattungen sind fehlgeschlagen.',
  server_reappeared: 'Verlorene Server sind wieder da.',
  server_without_owner: 'Server bei einem Anbieter gehören zu keinem Deployment.',
  leaks_cost: 'Ressourcen bei Anbietern kosten Geld, gehören aber zu keinem Deployment.',
  nothing_answers: 'Kein Deployment antwortet.',
  backups_stale: 'Deployments haben aus den letzten 36 Stunden keine Sicherung.',
  backup_target: 'Der Sicherungsspeicher ist nicht verwendbar.',
  backup_damaged: 'Sicherungen sind nicht lesbar.',
  backup_strange: 'Im Sicherungsspeicher liegen Kopien, die nicht von uns stammen.',
  release_stopped: 'Aktualisierungen auf eine Version wurden zurückgenommen. Ihre Verteilung ist gestoppt.',
  image_newer: 'Für Pakete gibt es neuere Images.',
  image_withdrawn: 'Images von Paketen wurden aus ihren Registries entfernt.',
  platform_dns: 'Die DNS-Einträge der Plattform-Domain lassen sich nicht setzen.',
  platform_certificates: 'Die Zertifikate für die Plattform-Domain sind aufgebraucht.',
  image_moved: 'Image-Tags von Paketen wurden mit anderem Inhalt neu veröffentlicht.',
};

/** The German messages about alerts. */
export const alertsMessages: Translated<Pick<ConsoleTables, 'alert' | 'alert_advice'>> = {
  alert: alertTitles,
  alert_advice: {
    books_breached:
      'Lesen Sie die Befunde in audit_findings, berichtigen Sie sie durch Buchungen, und führen Sie „ops billing:audit“ aus.',
    books_unproven:
      'Vergleichen Sie die Befunde mit den Siegeln und dem Hauptbuch. Der nächste nächtliche Nachweis erledigt die Meldung.',
    account_unsettled:
      'Die Konten stehen in billing_failures, der Fehler im Log der Abrechnung. Die Abrechnung wird wiederholt.',
    grace_period_overdue:
      'Prüfen Sie, ob die Abrechnung läuft, und lesen Sie billing_failures. Das Hosting ist bis dahin unbezahlt.',
    daily_run_late: 'Prüfen Sie, ob die Abrechnung läuft. Ihr Log nennt die Konten, die sich nicht belasten lassen.',
    audit_late: 'Führen Sie „ops billing:audit“ aus, und lesen Sie, woran es scheitert.',
    proof_late:
      'Lesen Sie im Log der Abrechnung, woran der Nachweis scheitert, und führen Sie dann „ops billing:audit“ aus.',
    watch_late: 'Starten Sie die Abrechnung. Bis dahin wird nicht geprüft, ob sonst etwas hängt.',
    event_unsent: 'Prüfen Sie, ob API oder Abrechnung laufen. Der Grund steht im Log des Versands.',
    event_missing:
      'Sie werden innerhalb einer Minute nachgeliefert. Falls nicht, prüfen Sie, ob die Nachlieferung läuft.',
    delivery_unhandled: 'Prüfen Sie, ob der Dienst läuft. Der Grund steht in der Spalte last_error der Zustellung.',
    delivery_parked: 'Zeigen Sie sie mit „ops parked:list“ an, und wiederholen oder überspringen Sie jede.',
    work_overdue: 'Prüfen Sie, ob der Dienst für diese Aufgaben läuft und Kapazität hat.',
    deployment_stuck: 'Lesen Sie den Verlauf des Deployments und das Log des Provisioners.',
    mail_unsent: 'Prüfen Sie den Mailserver und seine Antworten. Der Versand wird drei Tage lang wiederholt.',
    database_short: 'Geben Sie der Datenbank mehr Speicherplatz, Arbeitsspeicher oder Verbindungen.',
    provider_distrusted:
      'Prüfen Sie die Statusseite des Anbieters und auf der Seite „Anbieter“ das Projekt unserer Zugangsdaten.',
    provider_silent: 'Prüfen Sie die Statusseite des Anbieters. Bis dahin gilt kein Server als verloren.',
    provider_quota: 'Bitten Sie den Anbieter um ein höheres Limit, oder entfernen Sie nicht benötigte Server.',
    provider_refused: 'Erneuern Sie auf der Seite „Anbieter“ die Zugangsdaten oder ihre Rechte.',
    place_refused: 'Erlauben Sie Region oder Größe beim Anbieter. Nach einer Stunde wird es erneut versucht.',
    provider_rules:
      'Klären Sie, wer die Firewall beim Anbieter geändert hat. Unsere Regeln werden automatisch wiederhergestellt.',
    payment_differences:
      'Prüfen Sie jede Abweichung beim Zahlungsanbieter, und schließen Sie sie auf der Seite „Zahlungen“ ab.',
    payment_disputed: 'Beantworten Sie die Rückbuchung vor Ablauf der Frist im Dashboard des Zahlungsanbieters.',
    refund_not_made:
      'Prüfen Sie beim Zahlungsanbieter, ob die Erstattung erfolgt ist. Falls nicht, fordern Sie sie erneut an.',
    closed_account_paid: 'Erstatten Sie die Zahlung, oder reaktivieren Sie das Konto.',
    server_reappeared:
      'Entscheiden Sie für jeden Server, ob sein Deployment ihn zurückbekommt. Nichts wird automatisch gelöscht.',
    server_without_owner: 'Entfernen Sie auf der Seite „Anbieter“ jeden Server, oder behalten Sie ihn mit Begründung.',
    leaks_cost: 'Entscheiden Sie auf der Seite „Anbieter“ über jede Ressource.',
    nothing_answers: 'Prüfen Sie zuerst die Internetverbindung des Provisioners, dann die Statusseiten der Anbieter.',
    backups_stale: 'Lesen Sie bei jedem Deployment den Grund. Sind es viele, prüfen Sie den Sicherungsspeicher.',
    backup_target: 'Prüfen Sie Adresse, Zugangsdaten und freien Platz des Sicherungsspeichers.',
    backup_damaged:
      'Erstellen Sie eine neue Sicherung, und testen Sie sie. Prüfen Sie dann die Datenträger des Sicherungsspeichers.',
    backup_strange: 'Behandeln Sie den Server als kompromittiert. Unsere eigenen Kopien sind nicht betroffen.',
    release_stopped:
      'Lesen Sie, woran die Aktualisierungen scheiterten, und setzen Sie die Version auf der Seite „Versionen“ fort, oder ziehen Sie sie zurück.',
    image_newer: 'Lesen Sie die Versionshinweise, und ergänzen Sie eine Version des Pakets mit dem neueren Image.',
    image_withdrawn:
      'Ergänzen Sie eine Version mit einem vorhandenen Image, und ziehen Sie die alte auf der Seite „Versionen“ zurück.',
    platform_dns: 'Prüfen Sie Schlüssel und Zone der Plattform-Domain. Neue Namen funktionieren bis dahin nicht.',
    platform_certificates: 'Bitten Sie die Zertifizierungsstelle um ein höheres Limit.',
    image_moved: 'Fragen Sie die Autoren des Images, und legen Sie im Zweifel seinen Digest fest.',
  },
};
