import { BACKUP_WORK } from '@moorage/contracts';
import type { BackupKind, BackupMode, BackupRemoval, BackupState, Facts, Instant } from '@moorage/domain';
import { iso } from '@moorage/domain';
import type { WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';

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
  /** The id of the copy in the repository. */
  readonly snapshot_id: string | null;
  readonly bytes: number | null;
  readonly added_bytes: number | null;
  readonly files: number | null;
  readonly dumps: readonly { readonly name: string; readonly bytes: number }[];
  readonly percent: number | null;
  readonly bytes_done: number | null;
  /** Of the package at that time; the same package in an older version does not understand the copy. */
  readonly catalogue_version: number | null;
  readonly removed_at: Instant | null;
  readonly removed_because: BackupRemoval | null;
}

/** A row of `backup_repositories`: where the copies of a deployment are kept. There is one once the first was asked for. */
export interface BackupRepositoryRow {
  readonly deployment_id: number;
  readonly mode: Exclude<BackupMode, 'off'>;
  readonly created_at: Instant;
  readonly due_at: Instant | null;
  readonly ends_at: Instant | null;
  readonly removed_at: Instant | null;
  readonly used_bytes: number;
  /** When its newest copy was complete. */
  readonly copied_at: Instant | null;
  /** When somebody looks after the copies next; null: there are none any more. */
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

/** A message as JSON. */
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
  readonly undo_until: Instant | null;
  readonly before_removed_at: Instant | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

// int8 arrives as text, and no copy is so large that a double would not do
const BACKUP_COLUMNS = `b.*, b.bytes::float8 as bytes, b.added_bytes::float8 as added_bytes, b.bytes_done::float8 as bytes_done`;
const REPOSITORY_COLUMNS = `r.*, r.used_bytes::float8 as used_bytes, r.test_bytes::float8 as test_bytes`;

export async function findBackup(tx: Tx, id: number): Promise<BackupRow | null> {
  const [row] = await tx.query<BackupRow>(`select ${BACKUP_COLUMNS} from backups b where b.id = $1`, [id]);
  return row ?? null;
}

/** Newest first. */
export function backupsOf(tx: Tx, deploymentId: number, limit: number): Promise<BackupRow[]> {
  return tx.query<BackupRow>(
    `select ${BACKUP_COLUMNS} from backups b where b.deployment_id = $1 order by b.id desc limit $2`,
    [deploymentId, limit],
  );
}

export async function findRepository(tx: Tx, deploymentId: number): Promise<BackupRepositoryRow | null> {
  const [row] = await tx.query<BackupRepositoryRow>(
    `select ${REPOSITORY_COLUMNS} from backup_repositories r where r.deployment_id = $1`,
    [deploymentId],
  );
  return row ?? null;
}

/** The restore onto this deployment that runs or is being undone; null when none does. */
export async function openRestore(tx: Tx, deploymentId: number): Promise<RestoreRow | null> {
  const [row] = await tx.query<RestoreRow>(
    `select * from restores where deployment_id = $1 and state in ('running', 'undoing')`,
    [deploymentId],
  );
  return row ?? null;
}

/** The latest restore in place; null when there was none. */
export async function lastRestore(tx: Tx, deploymentId: number): Promise<RestoreRow | null> {
  const [row] = await tx.query<RestoreRow>(
    `select * from restores where deployment_id = $1 and kind = 'in_place' order by id desc limit 1`,
    [deploymentId],
  );
  return row ?? null;
}

/** Asks for a backup. Resolves with its id, or with null while another one waits or runs. */
export async function requestBackup(
  tx: Tx,
  work: WorkSchedule,
  { deploymentId, kind, at }: { deploymentId: number; kind: BackupKind; at: Instant },
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `insert into backups (deployment_id, kind, state, requested_at) values ($1, $2, 'waiting', $3)
     on conflict (deployment_id) where state in ('waiting', 'running') do nothing returning id`,
    [deploymentId, kind, iso(at)],
  );
  if (row === undefined) return null;
  await work.schedule(tx, { kind: BACKUP_WORK, key: String(row.id), due_at: at });
  return row.id;
}

/** Begins a restore onto a deployment, whose run reads it. Resolves with its id, or with null while another one runs. */
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
    `insert into restores (deployment_id, backup_id, taken_at, kind, state, requested_at)
     values ($1, $2, $3, $4, 'running', $5)
     on conflict (deployment_id) where state in ('running', 'undoing') do nothing returning id`,
    [deploymentId, backup.id, iso(backup.started_at ?? backup.requested_at), kind, iso(at)],
  );
  return row?.id ?? null;
}
