import type { handOverTexts as english } from '../../en/console/hand-over';
import type { Translated } from '../../translate';

export const handOverTexts: Translated<typeof english> = {
  title: 'Übergeben',
  text: 'Beenden Sie unseren Betrieb und lassen Sie die Software auf Ihrem Server weiterlaufen. Es wird sofort nichts mehr berechnet.',
  button: 'Übergeben',
  busy: 'Wird übergeben...',
  dialog: '%{name} übergeben',
  stays:
    'Auf Ihrem Server läuft alles weiter, mit Daten, Einstellungen und den nötigen Firewall-Regeln. Wie Sie es selbst betreiben, steht in der Datei HANDOVER.txt in seinem Ordner unter /opt/moorage.',
  ends: 'Wir entfernen unseren Schlüssel und unsere eigenen Dateien von Ihrem Server. Danach können wir dieses Deployment nicht mehr sichern, überwachen, neu starten oder reparieren. Das lässt sich nicht rückgängig machen.',
  loses_name:
    'Wir entfernen auch %{domain}, denn dieser Name und seine DNS-Einträge gehören uns. Die Software antwortet dort nicht mehr. Wechseln Sie vor der Übergabe auf eine eigene Domain.',
  entry:
    'Es bleibt als „Übergeben“ in der Liste, bis Sie es löschen. Auf Ihrem Server ändert sich durch das Löschen nichts.',
  entry_only:
    'Das Deployment läuft auf Ihrem Server weiter, dort ändert sich nichts. Der Eintrag wird endgültig aus der Liste entfernt.',
  done: '%{name} wird übergeben. Es wird nichts mehr berechnet.',
  done_refund: '%{name} wird übergeben. Es wird nichts mehr berechnet, %{amount} wurden erstattet.',
  failed: 'Das Deployment konnte nicht übergeben werden.',
};
