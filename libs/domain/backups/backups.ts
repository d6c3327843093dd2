import { CLOUD_NAMES, type CloudName } from '../catalogue/providers';
import type { ServerType } from '../deployment/server-type';
import type { DeploymentStatus } from '../deployment/status';
import type { SupportLevel } from '../deployment/support-level';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time';

/**
 * Why a copy was taken. `scheduled`: the daily one; `on_request`: by its owner; `before_*`: before a change that can be
 * taken back; `last`: before a deployment is destroyed because its charges can no longer be paid.
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

/** `removed`: it was complete, and its data is no longer kept. */
export const BACKUP_STATES = ['waiting', 'running', 'complete', 'failed', 'removed'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];

/** `quota`: the copies took more than the level includes; `ended`: backups ended, and the time for which copies are kept. */
export const BACKUP_REMOVALS = ['retention', 'quota', 'ended'] as const;
export type BackupRemoval = (typeof BACKUP_REMOVALS)[number];

/**
 * `real`: on the operator's backup target. `simulated`: the server is simulated, and so is its backup. `off`: this
 * installation has no backup target, so nothing is backed up and nothing is promised.
 */
export const BACKUP_MODES = ['real', 'simulated', 'off'] as const;
export type BackupMode = (typeof BACKUP_MODES)[number];

/** For how many days a level keeps a daily copy; 0: it has no backups. */
export const BACKUP_DAYS: Readonly<Record<SupportLevel, number>> = { 1: 0, 2: 7, 3: 28 };

export const hasBackups = (level: SupportLevel): boolean => BACKUP_DAYS[level] > 0;

/** How long copies are kept after their deployment has left backups for a level without them. */
export const BACKUPS_KEPT_AFTER_LEAVING_MS = 7 * DAY_MS;

/** A deployment whose newest copy is older is told to administrators. */
export const BACKUP_STALE_MS = 36 * HOUR_MS;

/** How long the data from before a restore is kept on the server, so that the restore can be undone. */
export const RESTORE_UNDO_MS = DAY_MS;

/** Its files and containers are there and nothing else is being done to them. */
export const BACKED_UP: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_FAILED'];

/** In these the data of a deployment can be replaced. */
export const RESTORABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

/** No larger archive is prepared for download: it passes the disk of the platform. */
export const DOWNLOAD_BYTES_MAX = 20_000_000_000;

/** The characters of passwords that people copy. None can be confused with another. */
export const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** How long an archive that was prepared for download is kept. */
export const DOWNLOAD_KEPT_MS = DAY_MS;

/** How long the address of an archive leads anywhere: long enough to begin the download. */
export const DOWNLOAD_LINK_MS = 5 * MINUTE_MS;

/**
 * How an archive is encrypted, in the format of `openssl enc`: AES-256-CBC with a key by PBKDF2, SHA-256 and so many rounds
 * (https://docs.openssl.org/master/man1/openssl-enc/).
 */
export const ARCHIVE_ROUNDS = 600_000;

/** The command that opens an archive; it asks for the password. */
export const archiveCommand = (fileName: string): string =>
  `openssl enc -d -aes-256-cbc -pbkdf2 -iter ${ARCHIVE_ROUNDS} -in ${fileName} | tar -xz`;

/** Where the backups of a deployment go. */
export function backupMode({ simulated, target }: { simulated: boolean; target: boolean }): BackupMode {
  if (simulated) return 'simulated';
  return target ? 'real' : 'off';
}

/** Where the backups go of what can be ordered: on a new server of each provider, and on a server of one's own. */
export interface BackupModes {
  readonly new: Readonly<Record<CloudName, BackupMode>>;
  readonly own: BackupMode;
}

export function backupModes(
  modeOf: (place: { readonly server_type: ServerType; readonly cloud_provider: string | null }) => BackupMode,
): BackupModes {
  const ofProviders = CLOUD_NAMES.map((name) => [name, modeOf({ server_type: 'new', cloud_provider: name })] as const);
  return {
    new: Object.fromEntries(ofProviders) as Record<CloudName, BackupMode>,
    own: modeOf({ server_type: 'vps', cloud_provider: null }),
  };
}
