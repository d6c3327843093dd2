import type { BackupMode, SupportLevel } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';

/** What an installation decides about backups. */
export abstract class BackupOptions {
  /** Where the copies of a deployment go. */
  abstract readonly modeOf: (deployment: Pick<DeploymentRow, 'server_type' | 'cloud_provider'>) => BackupMode;
  /** Is the newest copy of each deployment restored every month to see whether it can be? */
  abstract readonly testsOf: (mode: Exclude<BackupMode, 'off'>) => boolean;
  /** Bytes that the copies of a deployment may take. */
  abstract readonly quotaOf: (level: SupportLevel) => number;
  /** The image with restic in it, on servers. */
  abstract readonly image: string;
  /** What a backup or restore may take of a server. */
  abstract readonly limits: CopyLimits;
  /** Where archives of backups are prepared for download, and how large one may be. The api reads the folder. */
  abstract readonly downloads: { readonly folder: string; readonly bytes_max: number };
}

export interface CopyLimits {
  /** Processor cores, for example `0.5`. */
  readonly cpus: string;
  readonly memory_mb: number;
  /** KiB a second; 0: no limit. */
  readonly upload_kib: number;
  readonly download_kib: number;
}
