import { backups, gigabytes, isDiskFull, moment } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';
import { because } from './parts';

/** Emails about backups. */
export const backupsMails = {
  backup_failed: ({ deployment_id, client_name, kind, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} konnte nicht gesichert werden`,
    text:
      kind === 'last'
        ? [
            `Vor dem Entfernen Ihres Deployments ${client_name} konnten wir keine letzte Sicherung erstellen.`,
            ...because(reason),
            'Frühere Sicherungen bewahren wir so lange auf, wie es die Support-Stufe vorsieht. Sie können sie als neues Deployment wiederherstellen:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ]
        : [
            `Wir haben mehrmals versucht, Ihr Deployment ${client_name} zu sichern, ohne Erfolg.`,
            ...because(reason),
            ...(isDiskFull(reason)
              ? ['Löschen Sie auf dem Server, was Sie nicht mehr brauchen, und sichern Sie danach erneut.']
              : []),
            'Frühere Sicherungen sind nicht betroffen. Die nächste tägliche Sicherung läuft zur gewohnten Zeit. Sie können auch jetzt sichern:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ],
  }),
  backup_bucket_failed: ({ deployment_id, client_name, bucket, reason }, { publicUrl }) => ({
    subject: `${client_name}: Sicherungen erreichen Ihren Bucket nicht mehr`,
    text: [
      `Die neueste Sicherung Ihres Deployments ${client_name} konnte nicht in Ihren Bucket ${bucket} kopiert werden.`,
      ...because(reason),
      'Unsere eigenen Sicherungen sind nicht betroffen. Wir versuchen es noch mehrmals und nach jeder neuen Sicherung wieder. Wegen dieses Fehlers schreiben wir Ihnen nicht noch einmal. Hier können Sie den Bucket prüfen oder seine Schlüssel ändern:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `Die Sicherungen von ${client_name} überschreiten den enthaltenen Speicherplatz`,
    text: [
      `Die Sicherungen Ihres Deployments ${client_name} belegen ${gigabytes(used_bytes, 'de')}. Die Support-Stufe enthält ${gigabytes(quota_bytes, 'de')}.`,
      'Wir entfernen die ältesten Sicherungen, um Platz für neue zu schaffen. Die neueste Sicherung bleibt immer erhalten.',
      'Wenn Sie Sicherungen länger behalten möchten, löschen Sie nicht mehr benötigte Daten oder wählen Sie eine höhere Support-Stufe:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `Eine Sicherung von ${client_name} hat den Test nicht bestanden`,
    text: [
      `Wir testen Sicherungen regelmäßig. Ein Test der Sicherungen Ihres Deployments ${client_name} ist fehlgeschlagen.`,
      ...because(reason),
      'Unser Betriebsteam wurde benachrichtigt. Erstellen Sie bis zur Lösung eine neue Sicherung und bewahren Sie wichtige Daten zusätzlich selbst auf:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: Sicherung wiederhergestellt`,
    text: [
      `Die Daten Ihres Deployments ${client_name} wurden durch die Sicherung vom ${moment(taken_at)} ersetzt.`,
      `Sie können das bis ${moment(undo_until)} rückgängig machen:`,
      backups(publicUrl, deployment_id),
    ],
  }),
  deployment_restore_failed: ({ deployment_id, client_name, is_undo, reason }, { publicUrl, supportEmail }) => ({
    subject: is_undo
      ? `${client_name}: Wiederherstellung konnte nicht rückgängig gemacht werden`
      : `${client_name}: Sicherung konnte nicht wiederhergestellt werden`,
    text: [
      is_undo
        ? `Die Wiederherstellung einer Sicherung Ihres Deployments ${client_name} konnte nicht rückgängig gemacht werden.`
        : `Eine Sicherung Ihres Deployments ${client_name} konnte nicht wiederhergestellt werden.`,
      ...because(reason),
      'Hier können Sie es erneut versuchen:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
} satisfies Partial<MailTexts>;
