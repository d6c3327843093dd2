import type { incidentsTexts as english } from '../../en/console/incidents';
import type { Translated } from '../../translate';

export const incidentsTexts: Translated<typeof english> = {
  title: 'Störungen',
  failed: 'Die Störungen konnten nicht geladen werden.',
  none: 'Keine Störungen in den letzten 30 Tagen.',
  reachable: 'Zu %{percent} % erreichbar in 30 Tagen',
  reachable_since: 'Zu %{percent} % erreichbar seit %{day}',
  days: 'Letzte 30 Tage: %{good} von %{checked} geprüften Tagen ohne Störung.',
  days_none: 'In den letzten 30 Tagen wurde nichts geprüft.',
  days_down: 'Zeitweise keine Antwort: %{days}.',
  days_trouble: 'Andere Störungen: %{days}.',
  day: {
    good: '%{day}: keine Störung',
    trouble: '%{day}: Störung',
    down: '%{day}: zeitweise keine Antwort',
    down_percent: '%{day}: zeitweise keine Antwort, zu %{percent} % erreichbar',
    none: '%{day}: nicht geprüft',
  },
  since: 'Seit %{at} UTC, bisher %{time}.',
  lasted: '%{from} bis %{to} UTC, %{time}.',
  returned: 'Sie kehrte einmal zurück. |||| Sie kehrte %{smart_count}-mal zurück.',
  explained: 'Die Ursache ist eine andere offene Störung.',
  open: 'Offen',
  ended: 'Beendet',
  more: 'und %{smart_count} weitere |||| und %{smart_count} weitere',
  restart: 'Neu starten',
  show_logs: 'Logs anzeigen',
  change_size: 'Größe ändern',
  show_backups: 'Sicherungen anzeigen',
  start: {
    button: 'Server starten',
    title: 'Server von %{name} starten',
    text: 'Wir schalten den Server bei %{provider} ein, warten auf seine Software und prüfen, ob er antwortet. Das dauert meist einige Minuten.',
    price: 'Der Preis ändert sich nicht.',
    busy: 'Wird gestartet...',
    done: 'Der Server von %{name} wird gestartet.',
    failed: 'Der Server konnte nicht gestartet werden.',
    failed_last: 'Der letzte Start ist fehlgeschlagen.',
  },
  admin: {
    failed: 'Die Störungen konnten nicht geladen werden.',
    none: 'Zurzeit ist alles in Ordnung.',
    none_found: 'Zu diesen Filtern gibt es keine offene Störung.',
    groups: 'Nach Anbieter',
    list: 'Offene Störungen',
    at: 'bei %{provider}',
    own: 'auf eigenen Servern',
    own_servers: 'Eigene Server',
    since: 'seit %{at} UTC',
    provider: 'Anbieter',
    all_providers: 'Alle Anbieter',
    kind: 'Art',
    all_kinds: 'Alle Arten',
    clear: 'Filter aufheben',
    deployment: 'Deployment',
    owner: 'Besitzer',
    began: 'Seit',
    remedy: 'Was hilft',
    place: '%{package}, %{provider}',
  },
  kind: {
    server_gone: 'Server verschwunden',
    server_off: 'Server ausgeschaltet',
    down: 'Antwortet nicht',
    certificate_expired: 'Zertifikat abgelaufen',
    certificate_missing: 'Zertifikat fehlt',
    certificate_wrong: 'Zertifikat falsch',
    dns_elsewhere: 'DNS zeigt woandershin',
    disk_full: 'Festplatte fast voll',
    container_stopped: 'Container angehalten',
    container_restarting: 'Container startet immer wieder neu',
    certificate_not_renewed: 'Zertifikat nicht erneuert',
    disk_filling: 'Festplatte füllt sich',
    memory_full: 'Arbeitsspeicher fast voll',
    slow: 'Langsam',
  },
  group: {
    server_gone:
      '%{smart_count} von %{of} Deployments %{place}: Server wird nicht mehr aufgeführt |||| %{smart_count} von %{of} Deployments %{place}: Server werden nicht mehr aufgeführt',
    server_off:
      '%{smart_count} von %{of} Deployments %{place}: Server ausgeschaltet |||| %{smart_count} von %{of} Deployments %{place}: Server ausgeschaltet',
    down: '%{smart_count} von %{of} Deployments %{place} antwortet nicht |||| %{smart_count} von %{of} Deployments %{place} antworten nicht',
    certificate_expired:
      '%{smart_count} von %{of} Deployments %{place} hat ein abgelaufenes Zertifikat |||| %{smart_count} von %{of} Deployments %{place} haben abgelaufene Zertifikate',
    certificate_missing:
      '%{smart_count} von %{of} Deployments %{place} hat kein Zertifikat |||| %{smart_count} von %{of} Deployments %{place} haben kein Zertifikat',
    certificate_wrong:
      '%{smart_count} von %{of} Deployments %{place} hat ein falsches Zertifikat |||| %{smart_count} von %{of} Deployments %{place} haben falsche Zertifikate',
    dns_elsewhere:
      '%{smart_count} von %{of} Deployments %{place} hat DNS-Einträge mit anderem Ziel |||| %{smart_count} von %{of} Deployments %{place} haben DNS-Einträge mit anderem Ziel',
    disk_full:
      '%{smart_count} von %{of} Deployments %{place} hat eine fast volle Festplatte |||| %{smart_count} von %{of} Deployments %{place} haben fast volle Festplatten',
    container_stopped:
      '%{smart_count} von %{of} Deployments %{place} hat angehaltene Container |||| %{smart_count} von %{of} Deployments %{place} haben angehaltene Container',
    container_restarting:
      '%{smart_count} von %{of} Deployments %{place} hat Container, die immer wieder neu starten |||| %{smart_count} von %{of} Deployments %{place} haben Container, die immer wieder neu starten',
    certificate_not_renewed:
      '%{smart_count} von %{of} Deployments %{place} hat ein nicht erneuertes Zertifikat |||| %{smart_count} von %{of} Deployments %{place} haben nicht erneuerte Zertifikate',
    disk_filling:
      '%{smart_count} von %{of} Deployments %{place} hat eine Festplatte, die sich füllt |||| %{smart_count} von %{of} Deployments %{place} haben Festplatten, die sich füllen',
    memory_full:
      '%{smart_count} von %{of} Deployments %{place} hat kaum freien Arbeitsspeicher |||| %{smart_count} von %{of} Deployments %{place} haben kaum freien Arbeitsspeicher',
    slow: '%{smart_count} von %{of} Deployments %{place} antwortet langsam |||| %{smart_count} von %{of} Deployments %{place} antworten langsam',
  },
};
