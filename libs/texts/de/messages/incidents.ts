import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German texts of incidents and their remedies. */
export const incidentsMessages: Translated<
  Pick<ConsoleTables, 'incidents' | 'ended_incidents' | 'remedies' | 'incident_support' | 'watch'>
> = {
  incident_support: {
    subject: 'Störung von %{name}',
    started: 'Unsere Überwachung hat dies bemerkt und die Anfrage für Sie gestellt.',
  },
  incidents: {
    server_gone: '%{provider} führt den Server nicht mehr auf.',
    server_off: 'Der Server ist bei %{provider} ausgeschaltet.',
    server_off_by_account: 'Der Server wurde bei %{provider} von einem Benutzer des Anbieterkontos ausgeschaltet.',
    server_off_by_itself: 'Der Server wurde von innen heruntergefahren. %{provider} lässt ihn ausgeschaltet.',
    server_off_by_provider: '%{provider} hat den Server ausgeschaltet.',
    down: 'Das Deployment antwortet nicht unter seiner Adresse.',
    certificate_expired: 'Das Zertifikat von %{host} ist abgelaufen. Browser zeigen eine Warnung.',
    certificate_missing: '%{host} hat kein Zertifikat. Browser zeigen eine Warnung.',
    certificate_wrong: 'Das Zertifikat von %{host} stammt von einer anderen Stelle oder gilt für einen anderen Namen.',
    certificate_not_renewed: 'Das Zertifikat von %{host} läuft in %{days} Tagen ab und wurde nicht erneuert.',
    dns_elsewhere: '%{host} zeigt nicht auf den Server.',
    disk: 'Die Festplatte ist zu %{percent} % voll.',
    memory_full: '%{percent} % des Arbeitsspeichers sind belegt.',
    container_stopped: 'Der Container %{container} läuft nicht.',
    container_restarting: 'Der Container %{container} startet immer wieder neu.',
    slow: 'Eine Antwort dauert %{seconds} Sekunden.',
  },
  ended_incidents: {
    server_gone: '%{provider} führte den Server nicht auf.',
    server_off: 'Der Server war bei %{provider} ausgeschaltet.',
    server_off_by_account:
      'Ein Benutzer des Anbieterkontos hatte den Server bei %{provider} ausgeschaltet. Er läuft wieder.',
    server_off_by_itself: 'Der Server war von innen heruntergefahren worden, und %{provider} ließ ihn ausgeschaltet.',
    server_off_by_provider: '%{provider} hatte den Server ausgeschaltet.',
    down: 'Das Deployment antwortete nicht unter seiner Adresse.',
    certificate_expired: 'Das Zertifikat von %{host} war abgelaufen. Browser zeigten eine Warnung.',
    certificate_missing: '%{host} hatte kein Zertifikat. Browser zeigten eine Warnung.',
    certificate_wrong: 'Das Zertifikat von %{host} stammte von einer anderen Stelle oder galt für einen anderen Namen.',
    certificate_not_renewed: 'Das Zertifikat von %{host} sollte in %{days} Tagen ablaufen und war nicht erneuert.',
    dns_elsewhere: '%{host} zeigte nicht auf den Server.',
    disk: 'Die Festplatte war zu %{percent} % voll.',
    memory_full: '%{percent} % des Arbeitsspeichers waren belegt.',
    container_stopped: 'Der Container %{container} lief nicht.',
    container_restarting: 'Der Container %{container} startete immer wieder neu.',
    slow: 'Eine Antwort dauerte %{seconds} Sekunden.',
  },
  remedies: {
    server_gone:
      'Wir prüfen in einigen Minuten noch einmal. Wurde er beim Anbieter gelöscht, erstellen Sie das Deployment neu, falls vorhanden aus einer Sicherung.',
    server_off:
      'Starten Sie den Server. Er kostet ausgeschaltet dasselbe, weil %{provider} ihn für uns reserviert und berechnet. Damit er nichts mehr kostet, löschen Sie das Deployment.',
    down: 'Oft hilft ein Neustart. In den Logs steht, warum es angehalten hat.',
    certificate: 'Prüfen Sie, ob der DNS-Eintrag auf den Server zeigt und Port 80 offen ist, und starten Sie dann neu.',
    certificate_kept:
      'Den DNS-Eintrag dieses Namens pflegen wir. Prüfen Sie, ob Port 80 offen ist, und starten Sie dann neu.',
    certificate_wrong:
      'Falls vor dem Server ein Proxy steht, schalten Sie ihn für diesen Namen ab, und starten Sie dann neu.',
    dns_elsewhere: 'Setzen Sie den DNS-Eintrag auf die Adresse des Servers.',
    dns_kept: 'Diesen DNS-Eintrag pflegen wir und stellen ihn automatisch wieder her. Sie müssen nichts setzen.',
    disk_full:
      'Schaffen Sie bald Platz, oder nehmen Sie eine größere Festplatte. Bei 100 % halten Datenbanken an, und Sicherungen schlagen fehl.',
    disk_filling: 'Schaffen Sie Platz, oder nehmen Sie eine größere Festplatte.',
    memory_full:
      'Starten Sie den Container mit dem größten Verbrauch neu, oder nehmen Sie einen Server mit mehr Arbeitsspeicher.',
    container_stopped: 'Ein Neustart startet ihn. In den Logs steht, warum er angehalten hat.',
    container_restarting: 'In den Logs steht, warum er anhält. Die häufigste Ursache ist eine falsche Einstellung.',
    slow: 'Sehen Sie sich CPU und Arbeitsspeicher unter Messwerte an. Sind sie ausgelastet, nehmen Sie einen größeren Server.',
  },
  watch: {
    not_started: 'Der Server eines Deployments mit dem Status „%{status}“ kann nicht gestartet werden.',
    server_runs: 'Wir haben den Server nicht ausgeschaltet vorgefunden.',
    host_silent:
      'Der Server antwortet nicht auf seinem SSH-Port. Deshalb fehlen Angaben zu CPU, Arbeitsspeicher und Festplatte.',
    host_refuses:
      'Der Server lehnt unseren SSH-Schlüssel ab. Deshalb fehlen Angaben zu CPU, Arbeitsspeicher und Festplatte.',
    host_changed:
      'Der Server zeigt einen anderen SSH-Hostschlüssel. Wir haben uns nicht angemeldet, deshalb fehlen Angaben zu CPU, Arbeitsspeicher und Festplatte.',
    host_unclear: 'Der Server hat keine Werte gemeldet. Wir fragen in fünf Minuten noch einmal.',
  },
};
