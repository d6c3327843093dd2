import type { configurationTexts as english } from '../../en/console/configuration';
import type { Translated } from '../../translate';

export const configurationTexts: Translated<typeof english> = {
  title: 'Konfiguration',
  change: 'Konfiguration ändern',
  stored: 'Gespeichert',
  none: 'Nicht gesetzt',
  replace: 'Gespeichert. Geben Sie einen neuen Wert ein, um ihn zu ersetzen.',
  remove: 'Diesen Wert entfernen',
  fixed: 'Beim Erstellen des Deployments festgelegt',
  changes: '1 Änderung, nicht angewendet |||| %{smart_count} Änderungen, nicht angewendet',
  nothing: 'Noch keine Änderungen.',
  difference: 'Änderungen',
  before: 'Vorher:',
  after: 'Nachher:',
  new_value: 'neuer Wert',
  removed: 'entfernt',
  effect:
    'Das Deployment startet neu, meist innerhalb einer Minute. Läuft es danach nicht einwandfrei oder wird kein Zertifikat ausgestellt, gelten automatisch wieder die bisherigen Werte.',
  records: 'Legen Sie zuerst diese DNS-Einträge an. Fehlen sie, ändert sich nichts.',
  record: 'A-Eintrag',
  apply: 'Änderung anwenden |||| %{smart_count} Änderungen anwenden',
  applying: 'Wird angewendet...',
  discard: 'Verwerfen',
  applied: 'Die neue Konfiguration wird angewendet.',
  failed: 'Die Konfiguration konnte nicht geändert werden.',
  not_now: 'Die Konfiguration lässt sich ändern, während das Deployment bereit ist.',
  last_failed: 'Die letzte Änderung wurde nicht angewendet.',
};
