import type { BackupMode } from '@moorage/domain';
import type { CopyStore } from './copy-store';

/** The store of each kind of repository. */
export abstract class CopyStores {
  abstract of(mode: Exclude<BackupMode, 'off'>): CopyStore;
}
