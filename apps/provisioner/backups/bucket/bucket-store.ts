import type { BackupMode, BucketPlace, Message } from '@moorage/domain';
import type { Repository } from '../copy-store';

/** A customer's bucket with its keys, and the repository in it. */
export interface Bucket extends BucketPlace {
  readonly region: string;
  readonly keyId: string;
  readonly key: string;
  /** `deployments.ref`: the name of the repository in its folder. */
  readonly ref: string;
  /** The password of the repository. */
  readonly password: string;
}

export class BucketError extends Error {
  override readonly name = 'BucketError';
  constructor(
    /** The message for the owner of the bucket. */
    readonly reason: Message,
    /** Details for the log. Contains no secret. */
    detail: string = reason.detail,
  ) {
    super(detail);
  }
}

/** Reaches the buckets of customers. Nothing but locks and the object of a check is ever deleted there. */
export abstract class BucketStore {
  /** Writes an object, reads it and deletes it. Throws BucketError. */
  abstract check(bucket: Bucket, signal: AbortSignal): Promise<void>;
  /** Copies these snapshots of the repository, except those that are in the bucket already. Throws BucketError. */
  abstract copy(
    bucket: Bucket,
    from: { readonly repository: Repository; readonly snapshotIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>;
}

/** The store of each kind of backups. */
export abstract class BucketStores {
  abstract of(mode: Exclude<BackupMode, 'off'>): BucketStore;
}
