import type { BackupMode } from '@moorage/domain';
import type { CopyStore } from './copy-store';

/** Returns the store for each backup mode. */
export abstract class CopyStores {
  abstract of(mode: Exclude<BackupMode, 'off'>): CopyStore;
}
