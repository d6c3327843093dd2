import {
  type BackupMode,
  backupMode,
  type BackupModes,
  backupModes,
  hasBackups,
  isSimulated,
  type ServerType,
  type SupportLevel,
} from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

interface Place {
  readonly server_type: ServerType;
  readonly cloud_provider: string | null;
}

/** Backups offered by this installation. */
@Injectable()
export class BackupPromises {
  constructor(private readonly settings: ApiSettings) {}

  /** Returns how deployments in this place are backed up. */
  modeOf({ server_type, cloud_provider }: Place): BackupMode {
    // Without its address, so that a simulated own server has the backups that orders of own servers are promised.
    const simulated = isSimulated(this.settings.clouds, { server_type, cloud_provider });
    return backupMode({ simulated, target: this.settings.backups.hasTarget });
  }

  /** Returns whether a deployment has backups, by its level and its place. */
  areOn(row: Place & { readonly support_level: SupportLevel }): boolean {
    return hasBackups(row.support_level) && this.modeOf(row) !== 'off';
  }

  /** Returns the number of bytes that the copies of a deployment may use. */
  quotaOf(level: SupportLevel): number {
    return this.settings.backups.quotaOf(level);
  }

  /** Returns the backup mode of every place that can be ordered. */
  modes(): BackupModes {
    return backupModes((place) => this.modeOf(place));
  }
}
