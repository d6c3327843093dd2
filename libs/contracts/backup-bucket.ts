import {
  bucketEndpoint,
  bucketFolder,
  BUCKET_KEY_LENGTH_MAX,
  BUCKET_STATES,
  checkBucketEndpoint,
  checkBucketFolder,
  checkBucketKey,
  checkBucketName,
  checkBucketRegion,
  writtenText,
} from '@moorage/domain';
import { z } from 'zod';
import { refusedBy } from './account-fields';
import type { Call } from './call';
import { entityId } from './fields';
import { message, sent } from './message';

const instant = z.iso.datetime();

/**
 * The customer's own bucket to which the backups of a deployment are copied. It never contains the keys or the
 * password.
 */
export const backupBucket = z
  .object({
    endpoint: z.string(),
    region: z.string(),
    bucket: z.string(),
    folder: z.string(),
    /** Repository in the bucket in restic's format. */
    repository: z.string(),
    state: z.enum(BUCKET_STATES),
    checked_at: instant.nullable(),
    /** True while a copy is running. */
    copying: z.boolean(),
    /** Last complete copy, or null if there is none. */
    copied_at: instant.nullable(),
    copied_backup_id: z.int().nullable(),
    /** Failure of the last check or copy. Without a retry time, the next backup triggers another attempt. */
    failure: message.nullable(),
    retry_at: instant.nullable(),
  })
  .meta({ id: 'BackupBucket' });
export type BackupBucketAnswer = z.infer<typeof backupBucket>;

const TEXT_LENGTH_MAX = 300;
const evaluated = (check: Parameters<typeof refusedBy>[0], tidy: (text: string) => string = writtenText) =>
  z.string().max(TEXT_LENGTH_MAX, { abort: true }).overwrite(tidy).superRefine(refusedBy(check));
const key = evaluated(checkBucketKey).max(BUCKET_KEY_LENGTH_MAX);

export const newBackupBucket = z.object({
  /** `https://host` or `https://host:port`. */
  endpoint: evaluated(checkBucketEndpoint, bucketEndpoint),
  region: evaluated(checkBucketRegion),
  bucket: evaluated(checkBucketName),
  folder: evaluated(checkBucketFolder, bucketFolder).default(''),
  access_key_id: key,
  secret_access_key: key,
});
export type NewBackupBucket = z.infer<typeof newBackupBucket>;

const params = z.object({ id: entityId });

export const BACKUP_BUCKET_CALLS = {
  set: {
    operation: 'setBackupBucket',
    method: 'PUT',
    path: '/deployments/{id}/backups/bucket',
    summary: 'Copy backups into your own bucket',
    description:
      'Checks the bucket by writing, reading and deleting an object. `listBackups` returns the result. Each complete backup is then copied into a restic repository in the bucket. `password` opens the repository and is returned only until the first copy is complete. Owner only.',
    access: 'verified',
    recent_authentication: true,
    params,
    body: newBackupBucket,
    status: 200,
    answer: z.object({ bucket: backupBucket, password: z.string().nullable() }),
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BACKUP_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'backup_bucket',
  },
  check: {
    operation: 'checkBackupBucket',
    method: 'POST',
    path: '/deployments/{id}/backups/bucket/check',
    summary: 'Check your own bucket again',
    description: 'Also copies backups that are not in the bucket yet. Owner only.',
    access: 'verified',
    params,
    status: 202,
    answer: backupBucket,
    errors: ['NOT_FOUND', 'BACKUP_STATE', 'RATE_LIMITED'],
    limit: 'backup_bucket',
  },
  remove: {
    operation: 'removeBackupBucket',
    method: 'DELETE',
    path: '/deployments/{id}/backups/bucket',
    summary: 'Stop copying into your own bucket',
    description: 'Deletes the stored keys and password. The copies in the bucket are kept. Owner only.',
    access: 'verified',
    recent_authentication: true,
    params,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'BACKUP_STATE'],
  },
} as const satisfies Record<string, Call>;
