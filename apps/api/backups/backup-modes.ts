import {
  type BackupMode,
  backupMode,
  type BackupModes,
  backupModes,
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

/** What this installation promises of backups. */
@Injectable()
export class BackupPromises {
  constructor(private readonly settings: ApiSettings) {}

  /** Where the copies of a deployment there go. */
  modeOf(place: Place): BackupMode {
    return backupMode({ simulated: isSimulated(this.settings.clouds, place), target: this.settings.backups.hasTarget });
  }

  /** Bytes that the copies of a deployment may take. */
  quotaOf(level: SupportLevel): number {
    return this.settings.backups.quotaOf(level);
  }

  /** The same for everything that can be ordered. */
  modes(): BackupModes {
    return backupModes((place) => this.modeOf(place));
  }
}
