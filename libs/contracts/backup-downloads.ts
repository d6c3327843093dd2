import { z } from 'zod';
import type { Call } from './call';
import { entityId } from './fields';
import { message } from './message';

const instant = z.iso.datetime();

/** A backup as a gzipped tar archive, encrypted with a password that was shown once. */
export const backupDownload = z
  .object({
    id: z.int(),
    backup_id: z.int(),
    state: z.enum(['preparing', 'ready', 'failed', 'expired']),
    requested_at: instant,
    ready_at: instant.nullable(),
    /** Time until which the archive is stored. */
    expires_at: instant.nullable(),
    bytes: z.int().nullable(),
    file_name: z.string(),
    /** Command that decrypts the archive. It prompts for the password. */
    command: z.string(),
    failure: message.nullable(),
  })
  .meta({ id: 'BackupDownload' });
export type BackupDownloadAnswer = z.infer<typeof backupDownload>;

const params = z.object({ id: entityId });

export const BACKUP_DOWNLOADS_CALLS = {
  list: {
    operation: 'listBackupDownloads',
    method: 'GET',
    path: '/deployments/{id}/backup-downloads',
    summary: "List the downloads of a deployment's backups",
    description: 'Newest first, at most 20. Owner only.',
    access: 'user',
    params,
    status: 200,
    answer: z.array(backupDownload),
    errors: ['NOT_FOUND'],
  },
  create: {
    operation: 'prepareBackupDownload',
    method: 'POST',
    path: '/deployments/{id}/backups/{backup_id}/download',
    summary: 'Prepare the download of a backup',
    description: 'Creates an encrypted archive. Its password is returned only in this response. Owner only.',
    access: 'verified',
    recent_authentication: true,
    params: z.object({ id: entityId, backup_id: entityId }),
    status: 202,
    answer: z.object({ download: backupDownload, password: z.string() }),
    errors: ['NOT_FOUND', 'BACKUP_STATE', 'RATE_LIMITED'],
    limit: 'backup_download',
  },
  link: {
    operation: 'createBackupDownloadLink',
    method: 'POST',
    path: '/deployments/{id}/backup-downloads/{download_id}/link',
    summary: 'Create a download link',
    description: 'The link is valid for five minutes. Owner only.',
    access: 'user',
    recent_authentication: true,
    params: z.object({ id: entityId, download_id: entityId }),
    status: 200,
    answer: z.object({ path: z.string(), expires_at: instant }),
    errors: ['NOT_FOUND', 'BACKUP_STATE'],
  },
  file: {
    operation: 'downloadBackup',
    method: 'GET',
    path: '/backup-downloads/{token}',
    summary: 'Download a backup',
    description: 'Returns the encrypted archive for a link from `createBackupDownloadLink`.',
    access: 'public',
    without_client_key: true,
    params: z.object({ token: z.string().regex(/^[A-Za-z0-9]{43}$/) }),
    status: 200,
    answer: null,
    errors: ['NOT_FOUND'],
    limit: 'download_file',
  },
} as const satisfies Record<string, Call>;
