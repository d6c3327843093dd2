import type { BackupMode, BucketPlace, Message } from '@moorage/domain';
import type { Repository } from '../copy-store';

/** A customer's bucket with its keys, and the repository in it. */
export interface Bucket extends BucketPlace {
  readonly region: string;
  readonly keyId: string;
  readonly key: string;
  /** `deployments.ref`, the name of the repository in its folder. */
  readonly ref: string;
  /** Password of the repository. */
  readonly password: string;
}

export class BucketError extends Error {
  override readonly name = 'BucketError';
  constructor(
    /** Message for the owner of the bucket. */
    readonly reason: Message,
    /** Details for the log. Contains no secret. */
    detail: string = reason.detail,
  ) {
    super(detail);
  }
}

/** Accesses the buckets of customers. Deletes nothing there except locks and the object written by a check. */
export abstract class BucketStore {
  /** Writes an object, reads it and deletes it. Throws BucketError. */
  abstract check(bucket: Bucket, signal: AbortSignal): Promise<void>;
  /** Copies the snapshots of the repository that are not in the bucket yet. Throws BucketError. */
  abstract copy(
    bucket: Bucket,
    from: { readonly repository: Repository; readonly snapshotIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Returns the store for each backup mode. */
export abstract class BucketStores {
  abstract of(mode: Exclude<BackupMode, 'off'>): BucketStore;
}
