import { CLOUD_NAMES, type CloudName } from '../catalogue/providers';
import type { ServerType } from '../deployment/server-type';
import type { DeploymentStatus } from '../deployment/status';
import type { SupportLevel } from '../deployment/support-level';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time';

/**
 * Reason for a backup. `scheduled` is the daily backup and `on_request` is started by the owner. The `before_*` kinds
 * precede a change that can be undone. `last` is taken before a deployment is destroyed because its owner deleted it or
 * its charges can no longer be paid.
 */
export const BACKUP_KINDS = [
  'scheduled',
  'on_request',
  'before_restore',
  'before_update',
  'before_move',
  'before_resize',
  'last',
] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** `removed` marks a backup that was complete until its data was deleted. */
export const BACKUP_STATES = ['waiting', 'running', 'complete', 'failed', 'removed'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];

/**
 * `quota` means that the backups exceeded the quota of the support level. `ended` means that backups ended and their
 * retention time is over.
 */
export const BACKUP_REMOVALS = ['retention', 'quota', 'ended'] as const;
export type BackupRemoval = (typeof BACKUP_REMOVALS)[number];

/**
 * Destination of backups. `real` is the operator's backup target. `simulated` belongs to a simulated server. `off`
 * means that the installation has no backup target, so nothing is backed up and no backups are promised.
 */
export const BACKUP_MODES = ['real', 'simulated', 'off'] as const;
export type BackupMode = (typeof BACKUP_MODES)[number];

/** Number of days for which a support level retains a daily backup, or 0 if the level has no backups. */
export const BACKUP_DAYS: Readonly<Record<SupportLevel, number>> = { 1: 0, 2: 7, 3: 28 };

export const hasBackups = (level: SupportLevel): boolean => BACKUP_DAYS[level] > 0;

/** Retention after a deployment has changed to a level without backups. */
export const BACKUP_RETENTION_AFTER_LEAVING_MS = 7 * DAY_MS;

/** Age of the newest backup above which a deployment is reported to administrators. */
export const BACKUP_STALE_MS = 36 * HOUR_MS;

/** Time for which the data from before a restore stays on the server, so that the restore can be undone. */
export const RESTORE_UNDO_MS = DAY_MS;

/** States in which a deployment can be backed up. Its files and containers exist and no other work is in progress. */
export const BACKED_UP: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_FAILED'];

/** Returns whether a deployment that its owner deletes in this state gets a last backup first. */
export const getsLastBackup = ({
  mode,
  level,
  status,
}: {
  readonly mode: BackupMode;
  readonly level: SupportLevel;
  readonly status: DeploymentStatus;
}): boolean => mode !== 'off' && hasBackups(level) && BACKED_UP.includes(status);

/** States in which the data of a deployment can be replaced. */
export const RESTORABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

/** Largest archive, in bytes, that is prepared for download. Archives pass through the platform's disk. */
export const DOWNLOAD_BYTES_MAX = 20_000_000_000;

/** Alphabet of passwords that users copy, without characters that are easily confused. */
export const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Time for which an archive prepared for download is stored. */
export const DOWNLOAD_RETENTION_MS = DAY_MS;

/** Validity of a download link, long enough to start the download. */
export const DOWNLOAD_LINK_MS = 5 * MINUTE_MS;

/**
 * Number of PBKDF2 iterations of an archive. Archives use the format of `openssl enc` (AES-256-CBC, key derived by
 * PBKDF2 with SHA-256, https://docs.openssl.org/master/man1/openssl-enc/).
 */
export const ARCHIVE_ROUNDS = 600_000;

/** Returns the command that decrypts and unpacks an archive. It prompts for the password. */
export const archiveCommand = (fileName: string): string =>
  `openssl enc -d -aes-256-cbc -pbkdf2 -iter ${ARCHIVE_ROUNDS} -in ${fileName} | tar -xz`;

/** Returns where the backups of a deployment go. */
export function backupMode({ simulated, target }: { simulated: boolean; target: boolean }): BackupMode {
  if (simulated) return 'simulated';
  return target ? 'real' : 'off';
}

/** Destination of the backups of a new order, per provider for new servers and once for customers' own servers. */
export interface BackupModes {
  readonly new: Readonly<Record<CloudName, BackupMode>>;
  readonly own: BackupMode;
}

/**
 * Returns where the backups of new orders would go.
 *
 * @param modeOf returns the mode of a placement
 */
export function backupModes(
  modeOf: (place: { readonly server_type: ServerType; readonly cloud_provider: string | null }) => BackupMode,
): BackupModes {
  const ofProviders = CLOUD_NAMES.map((name) => [name, modeOf({ server_type: 'new', cloud_provider: name })] as const);
  return {
    new: Object.fromEntries(ofProviders) as Record<CloudName, BackupMode>,
    own: modeOf({ server_type: 'vps', cloud_provider: null }),
  };
}
