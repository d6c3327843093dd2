import type { BackupMode, SupportLevel } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';

/** The installation's settings for backups. */
export abstract class BackupOptions {
  /** Where the copies of a deployment go. */
  abstract readonly modeOf: (deployment: Pick<DeploymentRow, 'server_type' | 'cloud_provider'>) => BackupMode;
  /** Returns whether the newest copy of each deployment is test-restored every month. */
  abstract readonly testsOf: (mode: Exclude<BackupMode, 'off'>) => boolean;
  /** Bytes that the copies of a deployment may take. */
  abstract readonly quotaOf: (level: SupportLevel) => number;
  /** The image with restic in it, on servers. */
  abstract readonly image: string;
  /** The limits for a backup or restore on a server. */
  abstract readonly limits: CopyLimits;
  /** The folder in which archives are prepared for download, and their maximum size. The api reads the folder. */
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
