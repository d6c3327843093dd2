import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German reasons why a deployment can't be updated, and outcomes of updates. */
export const updatesMessages: Translated<Pick<ConsoleTables, 'update'>> = {
  update: {
    not_updated: 'Ein Deployment mit dem Status „%{status}“ kann nicht aktualisiert werden.',
    held: 'Das Deployment wird auf seiner Version gehalten. Geben Sie es zuerst frei.',
    unknown: 'Diese Version wird für das Deployment nicht angeboten.',
    release_unknown: 'Das Paket hat keine solche Version.',
    not_direct:
      'Das Deployment kann nicht in einem Schritt auf Version %{version} aktualisiert werden. Aktualisieren Sie zuerst auf %{next}.',
    first_stays: 'Die erste Version eines Pakets wird immer allen angeboten.',
    stays_withdrawn: 'Eine zurückgezogene Version bleibt zurückgezogen. Nehmen Sie stattdessen eine neue Version auf.',
    rollout_changed: 'Der Stand dieser Version hat sich inzwischen geändert. Prüfen Sie ihn, bevor Sie entscheiden.',
    time_zone_unknown: 'Diese Zeitzone ist unbekannt.',
    disk_full: 'Die Festplatte des Servers ist zu voll für die Images der neuen Version.',
    data_disk_full:
      'Der Server braucht %{needed} MB freien Platz für eine Kopie seiner Daten während der Aktualisierung. Frei sind nur %{free} MB.',
    not_rebooted: 'Der Server eines Deployments mit dem Status „%{status}“ kann nicht neu gestartet werden.',
    reboot_own_server:
      'Ihren eigenen Server starten wir nie neu. Starten Sie ihn selbst neu. Die Container starten danach von allein.',
    reboot_not_needed: 'Der Server braucht keinen Neustart.',
    reboot_backup: 'Es läuft gerade eine Sicherung. Starten Sie den Server danach neu.',
    reboot_not_begun: 'Der Server wurde nicht neu gestartet. Das Deployment läuft wie bisher.',
    reboot_recovered:
      'Das Deployment lief nach dem Neustart des Servers nicht wieder. Server und Software wurden deshalb noch einmal gestartet.',
    reboot_not_recovered:
      'Das Deployment lief nach dem Neustart des Servers nicht wieder und ließ sich nicht starten. Wenden Sie sich an den Support.',
    not_begun: 'Die Aktualisierung wurde nicht begonnen. Das Deployment läuft wie bisher.',
    taken_back:
      'Die Aktualisierung wurde zurückgenommen. Das Deployment läuft in Version %{version} mit den Daten von vorher.',
    not_taken_back:
      'Die Aktualisierung ist fehlgeschlagen, und Version %{version} ließ sich nicht wieder starten. Die Daten von vorher sind auf dem Server. Wenden Sie sich an den Support.',
  },
};
