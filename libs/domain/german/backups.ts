import type { BACKUP_MESSAGES } from '../messages/backups';
import type { German } from './german';

export const backupsGerman: German<{ backup: typeof BACKUP_MESSAGES }> = {
  backup: {
    off: 'Diese Installation hat keinen Sicherungsspeicher, deshalb wird nichts gesichert.',
    level: 'Stufe 1 hat keine Sicherungen. Wechseln Sie zuerst zu Stufe 2 oder 3.',
    not_running: 'Gesichert werden kann nur ein Deployment, das läuft.',
    already: 'Es wird schon eine Sicherung erstellt.',
    copying: 'Gerade wird eine Sicherung erstellt. Versuchen Sie es noch einmal, wenn sie fertig ist.',
    copy_unknown: 'Diese Sicherung gibt es nicht, oder sie wird nicht mehr aufbewahrt.',
    copy_incomplete: 'Diese Sicherung ist nicht vollständig und kann deshalb nicht wiederhergestellt werden.',
    copy_newer:
      'Diese Sicherung stammt von einer neueren Version von %{package}, als wir installieren können. Sie kann deshalb nicht wiederhergestellt werden.',
    restoring: 'Es läuft schon eine Wiederherstellung. Warten Sie, bis sie beendet ist.',
    restore_needs_running: 'Daten können nur wiederhergestellt werden, während das Deployment bereit ist.',
    nothing_to_undo: 'Es gibt keine Wiederherstellung, die sich rückgängig machen lässt.',
    undo_over:
      'Die Daten von vor der Wiederherstellung werden nicht mehr aufbewahrt. Sie kann deshalb nicht rückgängig gemacht werden.',
    disk_too_small: 'Die Sicherung enthält %{needed} GB. Wählen Sie einen Server mit größerer Festplatte.',
    other_package: 'Eine Sicherung kann nur mit ihrem eigenen Paket wiederhergestellt werden.',
    package_gone:
      'Das Paket dieser Sicherung wird nicht mehr angeboten. Sie kann deshalb nicht wiederhergestellt werden.',
    simulated_copy:
      'Diese Sicherung stammt von einem simulierten Server. Sie kann nur auf einem simulierten Server wiederhergestellt werden.',
    real_copy:
      'Diese Sicherung stammt von einem echten Server. Sie kann nicht auf einem simulierten Server wiederhergestellt werden.',

    download_running: 'Es wird schon ein Archiv einer Sicherung vorbereitet.',
    download_too_large:
      'Archive fassen bis zu %{most} GB, und diese Sicherung hat %{size} GB. Stellen Sie sie stattdessen als neues Deployment wieder her.',
    download_unknown: 'Dieses Archiv gibt es nicht, oder es wird nicht mehr aufbewahrt.',
    download_not_ready: 'Dieses Archiv ist nicht bereit.',

    interrupted: 'Die Sicherung wurde unterbrochen, weil der Server geändert wurde.',
    changed_for_long: 'Der Server wurde zu lange geändert, deshalb wurde keine Sicherung erstellt.',
    restore_over: 'Die Wiederherstellung, für die diese Sicherung gedacht war, ist beendet.',
    bucket_endpoint: 'Geben Sie eine https-Adresse ohne Pfad ein, zum Beispiel https://s3.eu-central-1.amazonaws.com.',
    bucket_private:
      'Diese Adresse ist nicht öffentlich. Verwenden Sie einen Speicher, der aus dem Internet erreichbar ist.',
    bucket_name: 'Der Name eines Buckets hat 3 bis 63 Kleinbuchstaben, Ziffern, Punkte und Bindestriche.',
    bucket_region: 'Eine Region besteht aus Kleinbuchstaben, Ziffern und Bindestrichen, zum Beispiel eu-central-1.',
    bucket_folder:
      'Ein Ordner besteht aus Buchstaben, Ziffern, Punkten, Bindestrichen, Unterstrichen und Schrägstrichen und hat höchstens 200 Zeichen.',
    bucket_key: 'Geben Sie den Schlüssel ohne Leerzeichen ein, wie Ihr Anbieter ihn anzeigt.',
    bucket_gone: 'Dieses Deployment wird entfernt, deshalb werden keine Sicherungen mehr kopiert.',
    bucket_none: 'Für dieses Deployment ist kein Bucket eingerichtet.',
    bucket_removed: 'In Ihren Bucket wird nichts mehr kopiert. Was dort liegt, bleibt.',
    bucket_busy: 'Der Bucket wird gerade geprüft. Warten Sie das Ergebnis ab.',
    bucket_silent: '%{host} antwortet nicht.',
    bucket_not_public: '%{host} führt zu keiner öffentlichen Adresse.',
    bucket_certificate: 'Das Zertifikat von %{host} ist nicht gültig.',
    bucket_refused: 'Der Speicher akzeptiert diese Schlüssel nicht.',
    bucket_unknown: 'Der Speicher hat keinen Bucket namens %{bucket}.',
    bucket_other_region: 'Der Bucket liegt nicht in der Region %{region}.',
    bucket_no_write: 'Mit diesen Schlüsseln darf nicht in den Bucket geschrieben werden.',
    bucket_no_read: 'Mit diesen Schlüsseln darf in den Bucket geschrieben, aber nicht daraus gelesen werden.',
    bucket_no_delete:
      'Mit diesen Schlüsseln darf im Bucket nicht gelöscht werden. restic muss dort seine eigenen Sperrdateien entfernen.',
    bucket_strange: '%{host} hat mit dem Status %{status} geantwortet. Ein S3-Speicher antwortet hier anders.',
    bucket_password:
      'Im Ordner liegt schon ein Repository mit einem anderen Passwort. Wählen Sie einen anderen Ordner.',
    bucket_locked:
      'Das Repository im Bucket ist gesperrt. Wenn sonst nichts darin arbeitet, heben Sie die Sperre mit "restic unlock" auf.',
    bucket_damaged: 'Das Repository im Bucket ist beschädigt. "restic check" zeigt, was fehlt.',
    bucket_full: 'Im Bucket ist kein Platz mehr.',
    bucket_slow: 'Das Kopieren hat länger als %{hours} Stunden gedauert. Die nächste Kopie setzt dort fort.',
    bucket_failed: 'Die Sicherung konnte nicht in den Bucket kopiert werden.',

    server_silent: 'Der Server war nicht erreichbar.',
    disk_full: 'Auf dem Server sind %{free} MB frei; gebraucht werden %{needed} MB.',
    dump_failed: 'Die Kopie von %{name} konnte nicht erstellt werden.',
    unreadable: 'Einige Dateien waren nicht lesbar.',
    target_silent: 'Der Sicherungsspeicher antwortet nicht.',
    target_full: 'Der Sicherungsspeicher ist voll. Unser Betrieb weiß Bescheid.',
    target_refused: 'Der Sicherungsspeicher weist diesen Server ab. Unser Betrieb weiß Bescheid.',
    password_wrong:
      'Der Sicherungsspeicher nimmt den Schlüssel dieses Deployments nicht an. Unser Betrieb weiß Bescheid.',
    repository_missing: 'Im Sicherungsspeicher fehlt der Platz dieses Deployments. Unser Betrieb weiß Bescheid.',
    repository_locked: 'Der Sicherungsspeicher ist gerade mit diesem Deployment beschäftigt.',
    image_missing: 'Das Sicherungsprogramm konnte nicht auf den Server geladen werden.',
    failed: 'Das Sicherungsprogramm ist fehlgeschlagen.',
    gone: 'Das Deployment wurde entfernt, bevor die Sicherung fertig war.',

    copy_damaged: 'Die Sicherung ist beschädigt und nicht brauchbar.',
    restored_unreadable: 'Die wiederhergestellten Daten von %{name} sind nicht lesbar. Es wurde nichts ersetzt.',
    restored_short: 'Die wiederhergestellten Daten sind unvollständig. Es wurde nichts ersetzt.',
    restore_disk_full:
      'Auf dem Server sind %{free} MB frei; um neben den laufenden Daten wiederherzustellen, werden %{needed} MB gebraucht.',
    restored_unhealthy:
      'Die Software lief mit den wiederhergestellten Daten nicht richtig, deshalb wurden die vorherigen Daten zurückgesetzt.',
    check_failed: 'Eine Prüfung hat Sicherungen gefunden, die nicht lesbar sind. Unser Betrieb weiß Bescheid.',
    test_failed:
      'Der Wiederherstellungstest ist fehlgeschlagen: Die Sicherung ist nicht lesbar. Unser Betrieb weiß Bescheid.',
    swap_failed: 'Die wiederhergestellten Daten konnten nicht eingesetzt werden.',
    progress: '%{percent} % fertig.',
    last_failed: 'Eine letzte Sicherung war nicht möglich.',
    taking_backup: 'Zuerst wird der jetzige Stand gesichert.',
  },
};
