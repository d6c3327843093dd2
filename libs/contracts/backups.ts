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
import { deployment } from './deployments';
import { entityId, optionalText, supportLevel } from './fields';
import { message } from './message';
import { texts } from './package-manifest';
import { amount } from './wallet';

const instant = z.iso.datetime();

/** One backup of a deployment. */
export const backup = z
  .object({
    id: z.int(),
    kind: z.enum(BACKUP_KINDS),
    /** `removed`: it was complete, and its data is no longer kept. */
    state: z.enum(BACKUP_STATES),
    requested_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    /** The reason why it failed or waits for its next attempt. */
    failure: message.nullable(),
    /** The time of the next attempt, while it waits for one. */
    retry_at: instant.nullable(),
    /** The size of everything in it, or null until it is known. */
    bytes: z.int().nullable(),
    /** The storage it added: the changed data, compressed. */
    added_bytes: z.int().nullable(),
    files: z.int().nullable(),
    /** The databases in it, each as a consistent dump, with their bytes. */
    dumps: z.array(z.object({ name: z.string(), bytes: z.int() })),
    /** The progress while it runs, 0 to 100; `bytes_done` counts the bytes read so far. */
    percent: z.int().nullable(),
    bytes_done: z.int().nullable(),
    removed_at: instant.nullable(),
    removed_because: z.enum(BACKUP_REMOVALS).nullable(),
    /** It can be restored onto this deployment, or as a new one. */
    restorable: z.boolean(),
  })
  .meta({ id: 'Backup' });
export type BackupAnswer = z.infer<typeof backup>;

/** A restore in place that can still be undone, or the last one that failed. */
export const restore = z
  .object({
    id: z.int(),
    backup_id: z.int(),
    /** The time at which the copy was taken. */
    taken_at: instant,
    state: z.enum(['running', 'done', 'failed', 'undone']),
    requested_at: instant,
    finished_at: instant.nullable(),
    /** The time until which it can be undone; null if it cannot. */
    undo_until: instant.nullable(),
    failure: message.nullable(),
    /** `running`: it is being undone, by its owner or because the software did not become healthy. */
    undoing: z.boolean(),
  })
  .meta({ id: 'Restore' });
export type RestoreAnswer = z.infer<typeof restore>;

/** The outcome of a check or test that runs by itself. */
const proof = z.object({
  at: instant,
  ok: z.boolean(),
  failure: message.nullable(),
});

/** Everything the page *Backups* of a deployment shows. */
export const backups = z
  .object({
    deployment_id: z.int(),
    /** `simulated`: the server is simulated, and so are its backups. `off`: this installation has no backup target. */
    mode: z.enum(BACKUP_MODES),
    /** The number of daily copies that are kept; 0 if the support level has no backups. */
    days: z.int(),
    /** The time of the next daily backup; null if none is planned. */
    next_at: instant.nullable(),
    /** Set when backups have ended, because the level has none or the deployment is gone: until when copies are kept. */
    kept_until: instant.nullable(),
    /** Until when copies would be kept if the deployment were deleted now; null: there are none, or `kept_until` says it. */
    kept_until_if_deleted: instant.nullable(),
    used_bytes: z.int(),
    quota_bytes: z.int(),
    /** The newest copy is older than 36 hours although backups are on. */
    stale: z.boolean(),
    /** Newest first, at most 200: those that are kept, and failed or removed ones of the last 28 days. */
    copies: z.array(backup),
    /** The contents of a copy of this package, and what it leaves out. */
    included: z.array(texts),
    not_included: z.array(texts),
    /** The last look at the structure of the repository (weekly); null: none yet. */
    checked: proof.nullable(),
    /** The last restore test (monthly), with what it restored; null: none yet. */
    tested: proof.extend({ bytes: z.int(), duration_ms: z.int() }).nullable(),
    /** The restore in place that runs or can be undone, or null if there is none. */
    restore: restore.nullable(),
    /** The latest restore in place, if it failed within the last 24 hours. */
    failed_restore: restore.nullable(),
    /** The customer's own bucket into which the copies are copied; null: none is set. */
    bucket: backupBucket.nullable(),
    /** The reason why no bucket can be set now, or null if one can. */
    bucket_refused: message.nullable(),
    /** The reason why no backup can be requested now, or null if one can. */
    backup_refused: message.nullable(),
    /** The same for a restore in place. */
    restore_refused: message.nullable(),
    /** The reason why no restore can be undone now, or null if one can. */
    undo_refused: message.nullable(),
  })
  .meta({ id: 'Backups' });
export type BackupsAnswer = z.infer<typeof backups>;

/** A deployment whose newest copy is older than 36 hours. */
export const staleBackup = z
  .object({
    deployment_id: z.int(),
    client_name: z.string(),
    username: z.string(),
    support_level: supportLevel,
    package: z.string(),
    cloud_provider: z.string().nullable(),
    /** null: it has no copy at all. */
    newest_at: instant.nullable(),
    /** The reason why the last attempt failed. */
    failure: message.nullable(),
  })
  .meta({ id: 'StaleBackup' });
export type StaleBackupAnswer = z.infer<typeof staleBackup>;

/** The place of a new deployment with the data of a copy. Everything else is taken from the deployment the copy belongs to. */
export const deployCopy = z.object({
  server_type: z.enum(['new', 'vps']),
  cloud_provider: optionalText(60),
  region: optionalText(60),
  instance_type: optionalText(60),
  vps_ip_address: optionalText(100),
  support_level: supportLevel.optional(),
  client_name: optionalText(100),
  /** Another domain; without it the same. */
  domain: optionalText(CONFIG_VALUE_LENGTH_MAX, asciiDomain),
  /** As `pricing/calculate` answers it: where it differs from what would be charged, nothing is ordered (PRICE_CHANGED). */
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
    description: 'Also works for a destroyed deployment while its backups are kept.',
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
      'Replaces the data of a running deployment. A backup is taken first; the copy is restored beside the running data, checked and then swapped in. Can be undone for 24 hours.',
    access: 'verified',
    recent_authentication: true,
    params: copyParams,
    body: z.object({ reason: actReason.nullish() }),
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
      'At any provider, size or own server, also after the original was destroyed. Owner only. Without an `Idempotency-Key`, a repeat within 60 seconds returns the same deployment.',
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
