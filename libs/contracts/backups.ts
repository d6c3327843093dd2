import {
  BACKUP_KINDS,
  BACKUP_MODES,
  BACKUP_REMOVALS,
  BACKUP_STATES,
  asciiDomain,
  CONFIG_VALUE_LENGTH_MAX,
} from '@moorage/domain';
import { z } from 'zod';
import { actReason } from './account-fields';
import { backupBucket } from './backup-bucket';
import type { Call } from './call';
import { BACKUP_EXAMPLE } from './examples';
import { deployment } from './deployments';
import { entityId, optionalText, supportLevel } from './fields';
import { message } from './message';
import { texts } from './package-manifest';
import { amount } from './wallet';

const instant = z.iso.datetime();

/** A backup of a deployment. */
export const backup = z
  .object({
    id: z.int(),
    kind: z.enum(BACKUP_KINDS),
    /** `removed` marks a backup that was complete until its data was deleted. */
    state: z.enum(BACKUP_STATES),
    requested_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    /** Reason why it failed or is waiting for its next attempt. */
    failure: message.nullable(),
    /** Time of the next attempt, if it is waiting for an attempt. */
    retry_at: instant.nullable(),
    /** Total size of its contents, or null until it is known. */
    bytes: z.int().nullable(),
    /** Storage that it added, which is the changed data after compression. */
    added_bytes: z.int().nullable(),
    files: z.int().nullable(),
    /** Databases in the backup, each as a consistent dump, with their size in bytes. */
    dumps: z.array(z.object({ name: z.string(), bytes: z.int() })),
    /** Progress from 0 to 100 while it runs. `bytes_done` is the number of bytes read so far. */
    percent: z.int().nullable(),
    bytes_done: z.int().nullable(),
    removed_at: instant.nullable(),
    removed_because: z.enum(BACKUP_REMOVALS).nullable(),
    /** It can be restored to this deployment or as a new deployment. */
    restorable: z.boolean(),
    /** Version of its data, to which a restore returns. Null until the backup has started. */
    release: z.string().nullable(),
    /** That version was withdrawn. Its data can still be restored, because no other version is certain to read it. */
    is_withdrawn: z.boolean(),
  })
  .meta({ id: 'Backup', examples: [BACKUP_EXAMPLE] });
export type BackupAnswer = z.infer<typeof backup>;

/** An in-place restore that can still be undone, or the last failed restore. */
export const restore = z
  .object({
    id: z.int(),
    backup_id: z.int(),
    /** Time at which the backup was taken. */
    taken_at: instant,
    state: z.enum(['running', 'done', 'failed', 'undone']),
    requested_at: instant,
    finished_at: instant.nullable(),
    /** Time until which it can be undone, or null if it cannot. */
    undo_until: instant.nullable(),
    failure: message.nullable(),
    /** While `running`, the restore is being undone by its owner or because the software did not become healthy. */
    undoing: z.boolean(),
  })
  .meta({ id: 'Restore' });
export type RestoreAnswer = z.infer<typeof restore>;

/** Result of an automatic check or test. */
const proof = z.object({
  at: instant,
  ok: z.boolean(),
  failure: message.nullable(),
});

/** Content of a deployment's *Backups* page. */
export const backups = z
  .object({
    deployment_id: z.int(),
    /** `simulated` belongs to a simulated server. `off` means that this installation has no backup target. */
    mode: z.enum(BACKUP_MODES),
    /** Version that the deployment runs. Null if its package is no longer offered. */
    release: z.string().nullable(),
    /** Number of daily backups retained, or 0 if the support level has no backups. */
    days: z.int(),
    /** Time of the next daily backup, or null if none is planned. */
    next_at: instant.nullable(),
    /**
     * Time until which backups are retained. Set after backups have ended, because the level has none or the deployment
     * is gone.
     */
    kept_until: instant.nullable(),
    /**
     * Time until which backups would be retained if the deployment were deleted now. Null if there are none or
     * `kept_until` is set.
     */
    kept_until_if_deleted: instant.nullable(),
    used_bytes: z.int(),
    quota_bytes: z.int(),
    /** Backups are on, but the newest is older than 36 hours. */
    stale: z.boolean(),
    /** Newest first, at most 200. Stored backups, and failed or removed backups of the last 28 days. */
    copies: z.array(backup),
    /** Contents of a backup of this package, and what it leaves out. */
    included: z.array(texts),
    not_included: z.array(texts),
    /** Last weekly check of the repository's structure, or null if there was none. */
    checked: proof.nullable(),
    /** Last monthly restore test with the restored size, or null if there was none. */
    tested: proof.extend({ bytes: z.int(), duration_ms: z.int() }).nullable(),
    /** The in-place restore that is running or can be undone, or null if there is none. */
    restore: restore.nullable(),
    /** Latest in-place restore if it failed within the last 24 hours. */
    failed_restore: restore.nullable(),
    /** Customer's own bucket to which the backups are copied, or null if none is set. */
    bucket: backupBucket.nullable(),
    /** Reason why no bucket can be set now, or null if it can. */
    bucket_refused: message.nullable(),
    /** Reason why no backup can be requested now, or null if it can. */
    backup_refused: message.nullable(),
    /** Reason why no in-place restore can be requested now, or null if it can. */
    restore_refused: message.nullable(),
    /** Reason why no restore can be undone now, or null if it can. */
    undo_refused: message.nullable(),
  })
  .meta({ id: 'Backups' });
export type BackupsAnswer = z.infer<typeof backups>;

/** A deployment without a backup from the last 36 hours. */
export const staleBackup = z
  .object({
    deployment_id: z.int(),
    client_name: z.string(),
    username: z.string(),
    support_level: supportLevel,
    package: z.string(),
    cloud_provider: z.string().nullable(),
    /** Null if it has no backup. */
    newest_at: instant.nullable(),
    /** Reason why the last attempt failed. */
    failure: message.nullable(),
  })
  .meta({ id: 'StaleBackup' });
export type StaleBackupAnswer = z.infer<typeof staleBackup>;

/** Placement of a new deployment created from a backup. Everything else is copied from the backup's deployment. */
export const deployCopy = z.object({
  server_type: z.enum(['new', 'vps']),
  cloud_provider: optionalText(60),
  region: optionalText(60),
  instance_type: optionalText(60),
  vps_ip_address: optionalText(100),
  support_level: supportLevel.optional(),
  client_name: optionalText(100),
  /** New domain, by default the same domain. */
  domain: optionalText(CONFIG_VALUE_LENGTH_MAX, asciiDomain),
  /** Price from `pricing/calculate`. If the actual price differs, nothing is ordered (PRICE_CHANGED). */
  expected_hourly_cost: amount.nonnegative().optional(),
});
export type DeployCopy = z.infer<typeof deployCopy>;

const params = z.object({ id: entityId });
const copyParams = z.object({ id: entityId, backup_id: entityId });

export const BACKUPS_CALLS = {
  list: {
    operation: 'listBackups',
    method: 'GET',
    path: '/deployments/{id}/backups',
    summary: 'List the backups of a deployment',
    description: 'Also works for a destroyed deployment while its backups are retained.',
    access: 'user',
    params,
    status: 200,
    answer: backups,
    errors: ['NOT_FOUND'],
  },
  create: {
    operation: 'createBackup',
    method: 'POST',
    path: '/deployments/{id}/backups',
    summary: 'Back up a deployment now',
    description: 'Only one backup runs at a time (`BACKUP_STATE`).',
    access: 'verified',
    params,
    status: 201,
    answer: backup,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BACKUP_STATE', 'RATE_LIMITED'],
    limit: 'backup',
  },
  restore: {
    operation: 'restoreBackup',
    method: 'POST',
    path: '/deployments/{id}/backups/{backup_id}/restore',
    summary: 'Restore a backup',
    description:
      'Replaces the data of a running deployment. A new backup is taken first. The chosen backup is then restored next to the running data, checked and swapped in. Can be undone for 24 hours.',
    access: 'verified',
    recent_authentication: true,
    params: copyParams,
    body: z.object({ reason: actReason.nullish() }),
    optional_body: true,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BACKUP_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'restore',
  },
  undoRestore: {
    operation: 'undoRestore',
    method: 'POST',
    path: '/deployments/{id}/undo-restore',
    summary: 'Undo the last restore',
    description: 'Possible for 24 hours after the restore.',
    access: 'verified',
    recent_authentication: true,
    params,
    body: z.object({ reason: actReason.nullish() }),
    optional_body: true,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BACKUP_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'undo_restore',
  },
  deploy: {
    operation: 'createDeploymentFromBackup',
    method: 'POST',
    path: '/deployments/{id}/backups/{backup_id}/deployments',
    summary: 'Create a deployment from a backup',
    description:
      'To any provider, size or own server, even if the original deployment was destroyed. Owner only. Without an `Idempotency-Key`, repeating the call within 60 seconds returns the same deployment.',
    access: 'verified',
    recent_authentication: true,
    idempotency_key: true,
    params: copyParams,
    body: deployCopy,
    status: 201,
    answer: deployment,
    errors: [
      'NOT_FOUND',
      'BACKUP_STATE',
      'BALANCE_TOO_LOW',
      'BALANCE_OWED',
      'CREDIT_ONLY_LIMIT',
      'VPS_IN_USE',
      'DEPLOYMENT_LIMIT',
      'PLATFORM_DOMAIN_FULL',
      'PRICE_CHANGED',
      'FIELDS_INVALID',
      'VPS_CHECK_NEEDED',
    ],
    limit: 'create_deployment',
  },
  stale: {
    operation: 'listStaleBackups',
    method: 'GET',
    path: '/admin/stale-backups',
    summary: 'List deployments without a recent backup',
    description: 'Deployments whose newest backup is older than 36 hours, oldest first, at most 200.',
    access: 'admin',
    status: 200,
    answer: z.array(staleBackup),
    errors: [],
  },
} as const satisfies Record<string, Call>;
