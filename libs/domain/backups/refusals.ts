import type { DeploymentStatus } from '../deployment/status';
import type { SupportLevel } from '../deployment/support-level';
import { BACKUP_MESSAGES } from '../messages/backups';
import type { Message } from '../messages/message';
import type { Instant } from '../time';
import { BACKED_UP, type BackupMode, type BackupState, hasBackups, RESTORABLE } from './backups';

/** Facts that decide whether a deployment can be backed up or restored. */
export interface BackedUp {
  readonly mode: BackupMode;
  readonly level: SupportLevel;
  readonly status: DeploymentStatus;
  readonly desired: 'running' | 'destroyed';
  /** A backup is waiting or running. */
  readonly isBeingBackedUp: boolean;
  /** A running backup is reading the files, so they must not be moved. */
  readonly isBeingCopied: boolean;
  /** A restore is in progress. */
  readonly isBeingRestored: boolean;
  /** Location of the backups, or null if there are none. */
  readonly copiesIn: Exclude<BackupMode, 'off'> | null;
}

/** Returns why a backup cannot be taken now, or null if it can. */
export function refusalToBackUp({ mode, level, status, desired, isBeingBackedUp }: BackedUp): Message | null {
  if (mode === 'off') return BACKUP_MESSAGES.off;
  if (!hasBackups(level)) return BACKUP_MESSAGES.level;
  if (desired === 'destroyed' || !BACKED_UP.includes(status)) return BACKUP_MESSAGES.not_running;
  return isBeingBackedUp ? BACKUP_MESSAGES.already : null;
}

/**
 * Returns why the data of a deployment cannot be replaced by one of its backups now, or null if it can. The support
 * level does not matter, because backups that are still stored can be restored on a level without backups.
 */
export function refusalToRestore({
  mode,
  status,
  desired,
  isBeingCopied,
  isBeingRestored,
  copiesIn,
}: BackedUp): Message | null {
  if (mode === 'off') return BACKUP_MESSAGES.off;
  if (isBeingRestored) return BACKUP_MESSAGES.restoring;
  if (isBeingCopied) return BACKUP_MESSAGES.copying;
  if (desired === 'destroyed' || !RESTORABLE.includes(status)) return BACKUP_MESSAGES.restore_needs_running;
  return copiesIn === null ? null : refusalOfPlace({ copiesIn, mode });
}

/** A restore that kept the earlier data. */
interface Undoable {
  readonly state: string;
  readonly undo_until: Instant | null;
}

/** Returns whether the time to undo a restore has not passed. */
export const isUndoOpen = (restore: Undoable | null, now: Instant): boolean =>
  restore?.state === 'done' && restore.undo_until !== null && now < restore.undo_until;

/**
 * Returns why a restore cannot be undone now, or null if it can. `restore` is the restore that kept the earlier data.
 */
export function refusalToUndo(
  deployment: Pick<BackedUp, 'status' | 'desired' | 'isBeingCopied' | 'isBeingRestored'>,
  restore: Undoable | null,
  now: Instant,
): Message | null {
  if (deployment.isBeingRestored) return BACKUP_MESSAGES.restoring;
  if (restore?.state !== 'done') return BACKUP_MESSAGES.nothing_to_undo;
  if (!isUndoOpen(restore, now)) return BACKUP_MESSAGES.undo_over;
  if (deployment.isBeingCopied) return BACKUP_MESSAGES.copying;
  const isReady = deployment.desired === 'running' && RESTORABLE.includes(deployment.status);
  return isReady ? null : BACKUP_MESSAGES.restore_needs_running;
}

/**
 * Returns why a backup cannot be restored to any deployment, or null if it can. `pack` is the package installed here,
 * or null if it is no longer offered.
 */
export function refusalOfCopy(
  copy: {
    readonly state: BackupState;
    readonly catalogue_version: number | null;
    /** Release of its data. Null stands for the first one. */
    readonly release: string | null;
  },
  pack: { readonly name: string; readonly version: number; readonly releases: readonly string[] } | null,
): Message | null {
  if (copy.state === 'removed') return BACKUP_MESSAGES.copy_unknown;
  if (copy.state !== 'complete') return BACKUP_MESSAGES.copy_incomplete;
  if (pack === null) return BACKUP_MESSAGES.package_gone;
  const isNewer =
    (copy.catalogue_version ?? 0) > pack.version || (copy.release !== null && !pack.releases.includes(copy.release));
  return isNewer ? BACKUP_MESSAGES.copy_newer({ package: pack.name }) : null;
}

/**
 * Returns why a backup cannot be restored to this place. Simulated backups can only be restored to simulated servers,
 * and real backups to real servers.
 */
export function refusalOfPlace({
  copiesIn,
  mode,
}: {
  copiesIn: Exclude<BackupMode, 'off'>;
  mode: BackupMode;
}): Message | null {
  if (copiesIn === mode) return null;
  if (copiesIn === 'simulated') return BACKUP_MESSAGES.simulated_copy;
  return mode === 'off' ? BACKUP_MESSAGES.off : BACKUP_MESSAGES.real_copy;
}

const GIGABYTE = 1_000_000_000;
/** Disk space that the system and the images of a package need at least. */
const DISK_TAKEN_GB = 5;

/**
 * Returns why a backup does not fit the disk of a size. Null means that it fits, or that the disk is unknown until the
 * server exists.
 */
export function refusalOfDisk({ bytes, diskGb }: { bytes: number | null; diskGb: number | null }): Message | null {
  const needed = Math.ceil((bytes ?? 0) / GIGABYTE);
  return diskGb === null || needed + DISK_TAKEN_GB <= diskGb ? null : BACKUP_MESSAGES.disk_too_small({ needed });
}
