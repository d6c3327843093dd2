import type { BackupMode, SupportLevel } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';

/** Settings of the installation for backups. */
export abstract class BackupOptions {
  /** Returns where the copies of a deployment are stored. */
  abstract readonly modeOf: (deployment: Pick<DeploymentRow, 'server_type' | 'cloud_provider'>) => BackupMode;
  /** Returns whether the newest copy of each deployment is test-restored every month. */
  abstract readonly testsOf: (mode: Exclude<BackupMode, 'off'>) => boolean;
  /** Returns the maximum number of bytes for the copies of a deployment. */
  abstract readonly quotaOf: (level: SupportLevel) => number;
  /** Docker image with restic for servers. */
  abstract readonly image: string;
  /** Resource limits for a backup or restore on a server. */
  abstract readonly limits: CopyLimits;
  /** Folder in which archives are prepared for download, and their maximum size. The api reads the folder. */
  abstract readonly downloads: { readonly folder: string; readonly bytes_max: number };
}

export interface CopyLimits {
  /** Number of processor cores, for example `0.5`. */
  readonly cpus: string;
  readonly memory_mb: number;
  /** KiB per second. 0 means no limit. */
  readonly upload_kib: number;
  readonly download_kib: number;
}
