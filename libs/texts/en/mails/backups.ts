import { backups, gigabytes, isDiskFull, moment } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';
import { because } from './parts';

/** Emails about backups. */
export const backupsMails = {
  backup_failed: ({ deployment_id, client_name, kind, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} could not be backed up`,
    text:
      kind === 'last'
        ? [
            `We could not take a last backup of your deployment ${client_name} before removing it.`,
            ...because(reason),
            'Earlier backups are kept as long as its support level includes. You can restore them as a new deployment:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ]
        : [
            `We tried several times to back up your deployment ${client_name}, without success.`,
            ...because(reason),
            ...(isDiskFull(reason) ? ['Delete what you no longer need on the server, then back up again.'] : []),
            'Earlier backups are not affected. The next daily backup runs at its usual time. You can also back up now:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ],
  }),
  backup_bucket_failed: ({ deployment_id, client_name, bucket, reason }, { publicUrl }) => ({
    subject: `${client_name}: backups no longer reach your bucket`,
    text: [
      `The newest backup of your deployment ${client_name} could not be copied into your bucket ${bucket}.`,
      ...because(reason),
      'Our own backups are not affected. We try again several times, and again after each new backup; we will not email you about this failure again. You can check the bucket or change its keys here:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `The backups of ${client_name} exceed the included storage`,
    text: [
      `The backups of your deployment ${client_name} use ${gigabytes(used_bytes, 'en')}. Its support level includes ${gigabytes(quota_bytes, 'en')}.`,
      'We remove the oldest backups to make room for new ones. The newest backup is never removed.',
      'To keep backups for longer, delete data that you no longer need or choose a higher support level:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `A backup of ${client_name} failed its test`,
    text: [
      `We test backups regularly. A test of the backups of your deployment ${client_name} failed.`,
      ...because(reason),
      'Our operators were notified. Until this is solved, take a new backup and keep your own copy of important data:',
      backups(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: backup restored`,
    text: [
      `The data of your deployment ${client_name} was replaced by the backup of ${moment(taken_at)}.`,
      `You can undo this until ${moment(undo_until)}:`,
      backups(publicUrl, deployment_id),
    ],
  }),
  deployment_restore_failed: ({ deployment_id, client_name, is_undo, reason }, { publicUrl, supportEmail }) => ({
    subject: is_undo ? `${client_name}: restore could not be undone` : `${client_name}: backup could not be restored`,
    text: [
      is_undo
        ? `The restore of a backup of your deployment ${client_name} could not be undone.`
        : `A backup of your deployment ${client_name} could not be restored.`,
      ...because(reason),
      'You can try again here:',
      backups(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
} satisfies Partial<MailTexts>;
