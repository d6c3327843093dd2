import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const backupsMessages: Translated<Pick<ConsoleTables, 'backup'>> = {
  backup: {
    off: 'Diese Installation hat keinen Sicherungsspeicher, deshalb wird nichts gesichert.',
    level: 'Stufe 1 hat keine Sicherungen. Wechseln Sie zuerst zu Stufe 2 oder 3.',
    not_running: 'Nur laufende Deployments können gesichert werden.',
    already: 'Es wird bereits eine Sicherung erstellt.',
    copying: 'Gerade wird eine Sicherung erstellt. Versuchen Sie es erneut, wenn sie fertig ist.',
    copy_unknown: 'Diese Sicherung gibt es nicht, oder sie ist nicht mehr gespeichert.',
    copy_incomplete: 'Diese Sicherung ist unvollständig und kann deshalb nicht wiederhergestellt werden.',
    copy_newer:
      'Diese Sicherung stammt von einer neueren Version von %{package}, als wir installieren können. Sie kann deshalb nicht wiederhergestellt werden.',
    restoring: 'Es läuft bereits eine Wiederherstellung. Warten Sie, bis sie abgeschlossen ist.',
    restore_needs_running: 'Daten lassen sich nur wiederherstellen, während das Deployment bereit ist.',
    nothing_to_undo: 'Es gibt keine Wiederherstellung, die Sie rückgängig machen können.',
    undo_over:
      'Die Daten von vor der Wiederherstellung sind nicht mehr gespeichert. Sie lässt sich deshalb nicht rückgängig machen.',
    disk_too_small: 'Die Sicherung braucht %{needed} GB. Wählen Sie einen Server mit größerer Festplatte.',
    other_package: 'Eine Sicherung lässt sich nur mit dem Paket wiederherstellen, von dem sie stammt.',
    package_gone:
      'Das Paket dieser Sicherung wird nicht mehr angeboten. Sie kann deshalb nicht wiederhergestellt werden.',
    simulated_copy:
      'Diese Sicherung stammt von einem simulierten Server. Sie kann nur auf einem simulierten Server wiederhergestellt werden.',
    real_copy:
      'Diese Sicherung stammt von einem echten Server. Sie kann nicht auf einem simulierten Server wiederhergestellt werden.',

    download_running: 'Es wird bereits ein Archiv einer Sicherung vorbereitet.',
    download_too_large:
      'Archive fassen bis zu %{most} GB, und diese Sicherung hat %{size} GB. Stellen Sie sie stattdessen als neues Deployment wieder her.',
    download_unknown: 'Dieses Archiv gibt es nicht, oder es ist nicht mehr gespeichert.',
    download_not_ready: 'Dieses Archiv ist noch nicht bereit.',

    interrupted: 'Die Sicherung wurde unterbrochen, weil der Server geändert wurde.',
    changed_for_long: 'Der Server wurde zu lange geändert. Deshalb wurde keine Sicherung erstellt.',
    restore_over: 'Die Wiederherstellung, für die diese Sicherung erstellt wurde, ist beendet.',
    bucket_endpoint: 'Geben Sie eine https-Adresse ohne Pfad ein, zum Beispiel https://s3.eu-central-1.amazonaws.com.',
    bucket_private:
      'Diese Adresse ist nicht öffentlich. Verwenden Sie einen Speicher, der aus dem Internet erreichbar ist.',
    bucket_name: 'Verwenden Sie 3 bis 63 Kleinbuchstaben, Ziffern, Punkte und Bindestriche.',
    bucket_region: 'Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche, zum Beispiel eu-central-1.',
    bucket_folder:
      'Verwenden Sie höchstens 200 Buchstaben, Ziffern, Punkte, Bindestriche, Unterstriche und Schrägstriche.',
    bucket_key: 'Geben Sie den Schlüssel ohne Leerzeichen ein, genau wie Ihr Anbieter ihn anzeigt.',
    bucket_gone: 'Dieses Deployment wird entfernt, deshalb werden keine Sicherungen mehr kopiert.',
    bucket_none: 'Für dieses Deployment ist kein Bucket eingerichtet.',
    bucket_removed: 'In Ihren Bucket wird nichts mehr kopiert. Sein Inhalt bleibt erhalten.',
    bucket_busy: 'Der Bucket wird gerade geprüft. Warten Sie das Ergebnis ab.',
    bucket_silent: '%{host} antwortet nicht.',
    bucket_not_public: '%{host} führt zu keiner öffentlichen Adresse.',
    bucket_certificate: 'Das Zertifikat von %{host} ist nicht gültig.',
    bucket_refused: 'Der Speicher akzeptiert diese Schlüssel nicht.',
    bucket_unknown: 'Der Speicher hat keinen Bucket namens %{bucket}.',
    bucket_other_region: 'Der Bucket liegt nicht in der Region %{region}.',
    bucket_no_write: 'Mit diesen Schlüsseln lässt sich nicht in den Bucket schreiben.',
    bucket_no_read: 'Mit diesen Schlüsseln lässt sich in den Bucket schreiben, aber nicht daraus lesen.',
    bucket_no_delete:
      'Mit diesen Schlüsseln lässt sich im Bucket nichts löschen. restic muss dort seine eigenen Sperrdateien entfernen.',
    bucket_strange: '%{host} hat mit dem Status %{status} geantwortet. Ein S3-Speicher antwortet hier anders.',
    bucket_password:
      'Im Ordner liegt bereits ein Repository mit einem anderen Passwort. Wählen Sie einen anderen Ordner.',
    bucket_locked:
      'Das Repository im Bucket ist gesperrt. Wenn sonst nichts darin arbeitet, heben Sie die Sperre mit "restic unlock" auf.',
    bucket_damaged: 'Das Repository im Bucket ist beschädigt. "restic check" zeigt, was fehlt.',
    bucket_full: 'Der Bucket ist voll.',
    bucket_slow: 'Das Kopieren hat länger als %{hours} Stunden gedauert. Der nächste Versuch setzt dort fort.',
    bucket_failed: 'Die Sicherung konnte nicht in den Bucket kopiert werden.',

    server_silent: 'Der Server war nicht erreichbar.',
    disk_full: 'Auf dem Server sind %{free} MB frei. Die Sicherung braucht %{needed} MB.',
    dump_failed: 'Der Dump von %{name} konnte nicht erstellt werden.',
    unreadable: 'Einige Dateien waren nicht lesbar.',
    target_silent: 'Der Sicherungsspeicher antwortet nicht.',
    target_full: 'Der Sicherungsspeicher ist voll. Unser Betriebsteam ist informiert.',
    target_refused: 'Der Sicherungsspeicher weist diesen Server ab. Unser Betriebsteam ist informiert.',
    password_wrong:
      'Der Sicherungsspeicher akzeptiert den Schlüssel dieses Deployments nicht. Unser Betriebsteam ist informiert.',
    repository_missing:
      'Im Sicherungsspeicher fehlt das Repository dieses Deployments. Unser Betriebsteam ist informiert.',
    repository_locked: 'Der Sicherungsspeicher ist gerade mit diesem Deployment beschäftigt.',
    image_missing: 'Das Sicherungsprogramm konnte nicht auf den Server geladen werden.',
    failed: 'Das Sicherungsprogramm ist fehlgeschlagen.',
    gone: 'Das Deployment wurde entfernt, bevor die Sicherung fertig war.',

    copy_damaged: 'Die Sicherung ist beschädigt und kann nicht verwendet werden.',
    restored_unreadable: 'Die wiederhergestellten Daten von %{name} sind nicht lesbar. Es wurde nichts ersetzt.',
    restored_short: 'Die wiederhergestellten Daten sind unvollständig. Es wurde nichts ersetzt.',
    restore_disk_full:
      'Auf dem Server sind %{free} MB frei. Um neben den laufenden Daten wiederherzustellen, werden %{needed} MB gebraucht.',
    restored_unhealthy:
      'Die Software war mit den wiederhergestellten Daten nicht betriebsbereit. Deshalb haben wir die vorherigen Daten zurückgeholt.',
    check_failed: 'Eine Prüfung hat Sicherungen gefunden, die nicht lesbar sind. Unser Betriebsteam ist informiert.',
    test_failed:
      'Der Wiederherstellungstest ist fehlgeschlagen, weil die Sicherung nicht lesbar ist. Unser Betriebsteam ist informiert.',
    swap_failed: 'Die wiederhergestellten Daten konnten nicht übernommen werden.',
    progress: '%{percent} % fertig.',
    last_failed: 'Eine letzte Sicherung war nicht möglich.',
    taking_backup: 'Zuerst werden die aktuellen Daten gesichert.',
  },
};
