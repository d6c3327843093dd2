import { BACKUP_MESSAGES } from '@moorage/domain';
import { readCopy } from '../../clouds/sandbox/copies';
import type { Repository } from '../copy-store';
import type { SimulatedCopies } from '../../clouds/sandbox/simulated-copies';
import { type Bucket, BucketError, BucketStore } from './bucket-store';

/**
 * Buckets for simulated servers. They open no connections and send no data out of the installation, but require copies
 * to be readable.
 */
export class SimulatedBuckets extends BucketStore {
  constructor(private readonly copies: SimulatedCopies) {
    super();
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  copy(
    _: Bucket,
    { repository, snapshotIds }: { readonly repository: Repository; readonly snapshotIds: readonly string[] },
  ): Promise<void> {
    const isReadable = (snapshotId: string): boolean =>
      readCopy(this.copies.read(repository.ref, snapshotId))?.password === repository.password;
    return snapshotIds.every(isReadable)
      ? Promise.resolve()
      : Promise.reject(new BucketError(BACKUP_MESSAGES.bucket_failed, 'a simulated copy cannot be read'));
  }
}
