import type {
  BackupAnswer,
  BackupBucketAnswer,
  PackageFacts,
  RestoreAnswer,
  StaleBackupAnswer,
} from '@moorage/contracts';
import {
  type BackupBucketRow,
  type BackupRow,
  failureOf,
  type RestoreRow,
  type StaleBackupRow,
} from '@moorage/database';
import { bucketRepository, type Instant, iso, isoOrNull, refusalOfCopy } from '@moorage/domain';
import type { Offers } from '../catalogue/release-offers.service';

/** Returns why a copy cannot be restored with the installed packages, or null if it can. */
export const copyRefusal = (copy: BackupRow, facts: PackageFacts | null) =>
  refusalOfCopy(
    copy,
    facts === null
      ? null
      : {
          name: facts.display_name,
          version: facts.catalogue_version,
          releases: facts.releases.map(({ version }) => version),
        },
  );

/** Returns the name of a stored release. Null stands for the first one of the package. */
export const releaseName = (release: string | null, facts: PackageFacts | null): string | null =>
  release ?? facts?.releases[0]?.version ?? null;

/** Converts a backup for responses. `isWithdrawn` decides about releases of the package. */
export function backupAnswer(
  row: BackupRow,
  facts: PackageFacts | null,
  isWithdrawn: Offers['isWithdrawn'],
): BackupAnswer {
  // The release is stored together with the version of the package.
  const name = row.catalogue_version === null ? null : releaseName(row.release, facts);
  const release = facts?.releases.find(({ version }) => version === name);
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    requested_at: iso(row.requested_at),
    started_at: isoOrNull(row.started_at),
    finished_at: isoOrNull(row.finished_at),
    failure: failureOf(row),
    retry_at: isoOrNull(row.retry_at),
    bytes: row.bytes,
    added_bytes: row.added_bytes,
    files: row.files,
    dumps: row.dumps.map(({ name, bytes }) => ({ name, bytes })),
    percent: row.percent,
    bytes_done: row.bytes_done,
    removed_at: isoOrNull(row.removed_at),
    removed_because: row.removed_because,
    restorable: copyRefusal(row, facts) === null,
    release: name,
    is_withdrawn: release !== undefined && isWithdrawn(release),
  };
}

/** Converts a customer's bucket for responses. */
export function bucketAnswer(row: BackupBucketRow, ref: string): BackupBucketAnswer;
export function bucketAnswer(row: BackupBucketRow | null, ref: string): BackupBucketAnswer | null;
export function bucketAnswer(row: BackupBucketRow | null, ref: string): BackupBucketAnswer | null {
  if (row === null) return null;
  const { endpoint, region, bucket, folder, state } = row;
  return {
    endpoint,
    region,
    bucket,
    folder,
    repository: bucketRepository(row, ref),
    state,
    checked_at: isoOrNull(row.checked_at),
    copying: row.copying_since !== null,
    copied_at: isoOrNull(row.copied_at),
    copied_backup_id: row.copied_backup_id,
    failure: failureOf(row),
    retry_at: isoOrNull(row.retry_at),
  };
}

/** Converts a restore for responses. Returns null if it is over and needs no action. */
export function restoreAnswer(row: RestoreRow | null, now: Instant): RestoreAnswer | null {
  if (row === null || row.state === 'undone') return null;
  if (row.state === 'done' && (row.undo_until === null || now >= row.undo_until)) return null;
  return {
    id: row.id,
    backup_id: row.backup_id,
    taken_at: iso(row.taken_at),
    state: row.state === 'undoing' ? 'running' : row.state,
    requested_at: iso(row.requested_at),
    finished_at: isoOrNull(row.finished_at),
    undo_until: isoOrNull(row.undo_until),
    failure: failureOf(row),
    undoing: row.state === 'undoing',
  };
}

export function staleAnswer(row: StaleBackupRow): StaleBackupAnswer {
  const { deployment_id, client_name, username, support_level, package: name, cloud_provider, newest_at } = row;
  const newest = isoOrNull(newest_at);
  return {
    deployment_id,
    client_name,
    username,
    support_level,
    package: name,
    cloud_provider,
    newest_at: newest,
    failure: failureOf(row),
  };
}
