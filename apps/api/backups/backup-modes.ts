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

const GIGABYTE = 1_000_000_000;
/** Bytes that the copies of a deployment may take. */
const QUOTAS: Readonly<Record<SupportLevel, number>> = { 1: 20 * GIGABYTE, 2: 20 * GIGABYTE, 3: 100 * GIGABYTE };

interface Place {
  readonly server_type: ServerType;
  readonly cloud_provider: string | null;
}

/** What this installation promises of backups. */
@Injectable()
export class BackupPromises {
  /** The operator has configured a backup target. */
  private readonly hasTarget = false;

  constructor(private readonly settings: ApiSettings) {}

  /** Where the copies of a deployment there go. */
  modeOf(place: Place): BackupMode {
    return backupMode({ simulated: isSimulated(this.settings.clouds, place), target: this.hasTarget });
  }

  quotaOf(level: SupportLevel): number {
    return QUOTAS[level];
  }

  /** The same for everything that can be ordered. */
  modes(): BackupModes {
    return backupModes((place) => this.modeOf(place));
  }
}
