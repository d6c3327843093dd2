import type { Readable } from 'node:stream';
import type { BackupMode } from '@moorage/domain';

/** The repository of one deployment at the backup target. */
export interface Repository {
  /** `deployments.ref`: the name of the repository. */
  readonly ref: string;
  readonly mode: Exclude<BackupMode, 'off'>;
  /** The password that encrypts the copies. */
  readonly password: string;
  /**
   * The server's password at the target. It allows the server to add copies and read its own, but not to delete or to reach
   * other repositories.
   */
  readonly hostPassword: string;
}

/** A copy as the repository lists it. Its time is the server's word; only our rows say when a copy was taken. */
export interface StoredCopy {
  readonly snapshotId: string;
}

/** A copy that is restored to see whether it can be, with what its row says of it. */
export interface CopyToTest {
  readonly snapshotId: string;
  readonly bytes: number;
  readonly dumps: readonly { readonly name: string; readonly bytes: number }[];
}

/**
 * `silent`: the target does not answer. `refused`: it does not accept our credentials. `password`: it does not accept the
 * repository's. `missing`: there is no such repository. `locked`: somebody else works in it. `full`: it has no room.
 * `damaged`: what it holds is not what was stored. `failed`: anything else.
 */
export type CopyStoreProblem = 'silent' | 'refused' | 'password' | 'missing' | 'locked' | 'full' | 'damaged' | 'failed';

export class CopyStoreError extends Error {
  override readonly name = 'CopyStoreError';
  constructor(
    readonly problem: CopyStoreProblem,
    /** For the log; never for the customer. Holds no secret. */
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * What the platform does in repositories with rights that no server has: it makes them, removes copies from them and reads
 * them whole. Every method throws CopyStoreError.
 */
export abstract class CopyStore {
  /** Makes the repository and lets the server in, unless both is done. */
  abstract open(repository: Repository, signal: AbortSignal): Promise<void>;
  /** The environment that restic on the server reaches the repository with. Secret. */
  abstract hostEnvironment(repository: Repository): Readonly<Record<string, string>>;
  abstract list(repository: Repository, signal: AbortSignal): Promise<StoredCopy[]>;
  /** Removes these copies and frees what only they took. A copy that is not there is passed over. */
  abstract remove(repository: Repository, snapshotIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Bytes that the repository takes at the target. */
  abstract usedBytes(repository: Repository, signal: AbortSignal): Promise<number>;
  /** Looks at the structure; `data`: reads 5 % of the data as well. Throws `damaged`. */
  abstract check(repository: Repository, look: { readonly data: boolean }, signal: AbortSignal): Promise<void>;
  /** The copy as a tar, its paths from `/`. Errors later than the first bytes end the stream. */
  abstract archive(repository: Repository, snapshotId: string, signal: AbortSignal): Promise<Readable>;
  /**
   * Restores a copy on the platform, where nothing else sees it, reads what was restored and removes it again. Resolves with
   * the bytes that were restored; null: it is larger than a test may be here. Throws `damaged`.
   */
  abstract test(repository: Repository, copy: CopyToTest, signal: AbortSignal): Promise<{ bytes: number } | null>;
  /** Removes the repository with everything in it, and the server's access. */
  abstract drop(repository: Repository, signal: AbortSignal): Promise<void>;
}
