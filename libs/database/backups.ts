import { BACKUP_WORK } from '@moorage/contracts';
import {
  BACKED_UP,
  BACKUP_STALE_MS,
  type BackupKind,
  type BackupMode,
  type BackupRemoval,
  type BackupState,
  type Facts,
  type Instant,
  iso,
} from '@moorage/domain';
import type { WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import type { Deployment, User } from './entities';

/** A row of `backups` (instants in milliseconds, sizes in bytes). */
export interface BackupRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly kind: BackupKind;
  readonly state: BackupState;
  readonly requested_at: Instant;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
  readonly retry_at: Instant | null;
  readonly attempts: number;
  /** See `failureOf`. */
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
  /** ID of the backup in the repository. */
  readonly snapshot_id: string | null;
  readonly bytes: number | null;
  readonly added_bytes: number | null;
  readonly files: number | null;
  readonly dumps: readonly { readonly name: string; readonly bytes: number }[];
  readonly percent: number | null;
  readonly bytes_done: number | null;
  /** Version of the package at that time. An older version cannot use the backup. */
  readonly catalogue_version: number | null;
  /** Release of the data. Null stands for the first one. */
  readonly release: string | null;
  readonly removed_at: Instant | null;
  readonly removed_because: BackupRemoval | null;
}

/**
 * A row of `backup_repositories`, where the backups of a deployment are stored. It exists from the first requested
 * backup.
 */
export interface BackupRepositoryRow {
  readonly deployment_id: number;
  readonly mode: Exclude<BackupMode, 'off'>;
  readonly created_at: Instant;
  readonly due_at: Instant | null;
  readonly ends_at: Instant | null;
  readonly removed_at: Instant | null;
  readonly used_bytes: number;
  /** Time at which the newest backup was complete. */
  readonly copied_at: Instant | null;
  /** Time of the next maintenance, or null if there are no backups left. */
  readonly tend_at: Instant | null;
  readonly checked_at: Instant | null;
  readonly check_failure: StoredFailure | null;
  readonly data_checked_at: Instant | null;
  readonly tested_at: Instant | null;
  readonly test_failure: StoredFailure | null;
  readonly test_bytes: number | null;
  readonly test_ms: number | null;
  readonly quota_told_at: Instant | null;
}

/** A message stored as JSON. */
export interface StoredFailure {
  readonly code: string;
  readonly facts: Facts;
  readonly detail: string;
}

export type RestoreState = 'running' | 'done' | 'failed' | 'undoing' | 'undone';

/** A row of `restores`. */
export interface RestoreRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly backup_id: number;
  readonly taken_at: Instant;
  readonly kind: 'in_place' | 'new';
  readonly state: RestoreState;
  readonly requested_at: Instant;
  readonly finished_at: Instant | null;
  /** Time until which the restore can be undone. */
  readonly undo_until: Instant | null;
  /** Time at which the previous data is removed from the server, or null if there is none. */
  readonly tidy_at: Instant | null;
  /** Release of the data before the restore. Null stands for the first one. */
  readonly release_before: string | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

// The driver returns int8 as text. A double is exact for the size of any backup.
const BACKUP_COLUMNS = `b.*, b.bytes::float8 as bytes, b.added_bytes::float8 as added_bytes, b.bytes_done::float8 as bytes_done`;
const REPOSITORY_COLUMNS = `r.*, r.used_bytes::float8 as used_bytes, r.test_bytes::float8 as test_bytes`;

export async function findBackup(tx: Tx, id: number): Promise<BackupRow | null> {
  const [row] = await tx.query<BackupRow>(`select ${BACKUP_COLUMNS} from backups b where b.id = $1`, [id]);
  return row ?? null;
}

/** Returns the backups that a list shows, newest first. Failed and removed backups are included if they ended after `since`. */
export function listedBackups(
  tx: Tx,
  deploymentId: number,
  { since, limit }: { since: Instant; limit: number },
): Promise<BackupRow[]> {
  return tx.query<BackupRow>(
    `select ${BACKUP_COLUMNS} from backups b
     where b.deployment_id = $1 and (b.state not in ('failed', 'removed') or coalesce(b.removed_at, b.finished_at) > $2)
     order by b.id desc limit $3`,
    [deploymentId, iso(since), limit],
  );
}

export async function findRepository(tx: Tx, deploymentId: number): Promise<BackupRepositoryRow | null> {
  const [row] = await tx.query<BackupRepositoryRow>(
    `select ${REPOSITORY_COLUMNS} from backup_repositories r where r.deployment_id = $1`,
    [deploymentId],
  );
  return row ?? null;
}

/** Returns the restore to this deployment that is running or being undone, or null if there is none. */
export async function openRestore(tx: Tx, deploymentId: number): Promise<RestoreRow | null> {
  const [row] = await tx.query<RestoreRow>(
    `select * from restores where deployment_id = $1 and state in ('running', 'undoing')`,
    [deploymentId],
  );
  return row ?? null;
}

/**
 * Returns the in-place restore that can be undone because the previous data still exists, or null if there is none. A
 * later restore may have failed.
 */
export async function undoableRestore(tx: Tx, deploymentId: number): Promise<RestoreRow | null> {
  const [row] = await tx.query<RestoreRow>(
    `select * from restores where deployment_id = $1 and state = 'done' and undo_until is not null order by id desc limit 1`,
    [deploymentId],
  );
  return row ?? null;
}

/** Returns the latest in-place restore, or null if there was none. */
export async function lastRestore(tx: Tx, deploymentId: number): Promise<RestoreRow | null> {
  const [row] = await tx.query<RestoreRow>(
    `select * from restores where deployment_id = $1 and kind = 'in_place' order by id desc limit 1`,
    [deploymentId],
  );
  return row ?? null;
}

/** Returns whether the deployment has complete backups. */
export async function hasCopies(tx: Tx, deploymentId: number): Promise<boolean> {
  const rows = await tx.query(`select 1 from backups where deployment_id = $1 and state = 'complete' limit 1`, [
    deploymentId,
  ]);
  return rows.length > 0;
}

const COUNTED_MAX = 1_000;

/** Selects planned deployments without a new backup since `$1`. `$2` are the statuses in which backups are taken. */
const IS_STALE = `r.due_at is not null and r.ends_at is null and greatest(r.copied_at, r.created_at) < $1 and d.status = any($2)`;

/** A deployment without a recent backup, with the failure of the last attempt (see `failureOf`). */
export interface StaleBackupRow
  extends Pick<Deployment, 'client_name' | 'support_level' | 'package' | 'cloud_provider'>, Pick<User, 'username'> {
  readonly deployment_id: number;
  readonly newest_at: Instant | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

/** Returns the deployments with stale backups, oldest first. */
export function staleBackups(tx: Tx, { now, limit }: { now: Instant; limit: number }): Promise<StaleBackupRow[]> {
  return tx.query<StaleBackupRow>(
    `select d.id as deployment_id, d.client_name, u.username, d.support_level, d.package, d.cloud_provider,
       (select max(b.finished_at) from backups b where b.deployment_id = d.id and b.state = 'complete') as newest_at,
       f.failure_reason, f.failure_code, f.failure_facts
     from backup_repositories r join deployments d on d.id = r.deployment_id join users u on u.id = d.user_id
     left join lateral (
       select b.failure_reason, b.failure_code, b.failure_facts from backups b
       where b.deployment_id = d.id order by b.id desc limit 1) f on true
     where ${IS_STALE} order by newest_at nulls first, d.id limit $3`,
    [iso(now - BACKUP_STALE_MS), [...BACKED_UP], limit],
  );
}

/** Counts the deployments that `staleBackups` lists, up to 1,000. */
export async function countStaleBackups(tx: Tx, now: Instant): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select from backup_repositories r join deployments d on d.id = r.deployment_id where ${IS_STALE} limit ${COUNTED_MAX}) s`,
    [iso(now - BACKUP_STALE_MS), [...BACKED_UP]],
  );
  return row?.count ?? 0;
}

export async function isStale(tx: Tx, deploymentId: number, now: Instant): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from backup_repositories r join deployments d on d.id = r.deployment_id where ${IS_STALE} and d.id = $3`,
    [iso(now - BACKUP_STALE_MS), [...BACKED_UP], deploymentId],
  );
  return rows.length > 0;
}

/** Returns the waiting or running backup, or null if there is none. */
export async function openBackup(tx: Tx, deploymentId: number): Promise<BackupRow | null> {
  const [row] = await tx.query<BackupRow>(
    `select * from backups where deployment_id = $1 and state in ('waiting', 'running')`,
    [deploymentId],
  );
  return row ?? null;
}

/**
 * Requests a backup.
 *
 * @returns the backup's ID, or null while another backup is waiting or running
 */
export async function requestBackup(
  tx: Tx,
  work: WorkSchedule,
  { deploymentId, kind, at }: { deploymentId: number; kind: BackupKind; at: Instant },
): Promise<number | null> {
  const [row] = await tx.query<Pick<Deployment, 'id'>>(
    `insert into backups (deployment_id, kind, state, requested_at) values ($1, $2, 'waiting', $3)
     on conflict (deployment_id) where state in ('waiting', 'running') do nothing returning id`,
    [deploymentId, kind, iso(at)],
  );
  if (row === undefined) return null;
  await work.schedule(tx, { kind: BACKUP_WORK, key: String(row.id), due_at: at });
  return row.id;
}

/**
 * Starts a restore to a deployment, to be carried out by the deployment's run.
 *
 * @returns the restore's ID, or null while another restore is running
 */
export async function requestRestore(
  tx: Tx,
  {
    deploymentId,
    backup,
    kind,
    at,
  }: { deploymentId: number; backup: BackupRow; kind: RestoreRow['kind']; at: Instant },
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `insert into restores (deployment_id, backup_id, taken_at, kind, state, requested_at, release_before)
     values ($1, $2, $3, $4, 'running', $5, (select release from deployments where id = $1))
     on conflict (deployment_id) where state in ('running', 'undoing') do nothing returning id`,
    [deploymentId, backup.id, iso(backup.started_at ?? backup.requested_at), kind, iso(at)],
  );
  return row?.id ?? null;
}

/** Returns the size of the newest complete backup in bytes, or null if there is none. */
export async function lastBackupBytes(tx: Tx, deploymentId: number): Promise<number | null> {
  const [row] = await tx.query<{ bytes: number | null }>(
    `select bytes::float8 as bytes from backups
     where deployment_id = $1 and state in ('complete', 'removed') order by id desc limit 1`,
    [deploymentId],
  );
  return row?.bytes ?? null;
}
