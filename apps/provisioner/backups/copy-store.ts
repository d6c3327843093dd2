import type { Readable } from 'node:stream';
import type { BackupMode } from '@moorage/domain';

/** The repository of one deployment at the backup target. */
export interface Repository {
  /** `deployments.ref`, the name of the repository. */
  readonly ref: string;
  readonly mode: Exclude<BackupMode, 'off'>;
  /** Password that encrypts the copies. */
  readonly password: string;
  /**
   * Password of the server at the target. It allows the server to add copies and to read its own, but not to delete
   * copies or to reach other repositories.
   */
  readonly hostPassword: string;
}

/**
 * A copy as listed by the repository. Its time is not used because the server sets it. Only the rows in the database
 * record when a copy was taken.
 */
export interface StoredCopy {
  readonly snapshotId: string;
}

/** A copy to be test-restored, with the facts from its row. */
export interface CopyToTest {
  readonly snapshotId: string;
  readonly bytes: number;
  readonly dumps: readonly { readonly name: string; readonly bytes: number }[];
}

/**
 * Problem of a repository or its target. The target does not respond (`silent`), rejects the platform's credentials
 * (`refused`) or the repository password (`password`), or is out of space (`full`). The repository does not exist
 * (`missing`), is in use by another process (`locked`), or its content is not what was stored (`damaged`). `failed` is
 * anything else.
 */
export type CopyStoreProblem = 'silent' | 'refused' | 'password' | 'missing' | 'locked' | 'full' | 'damaged' | 'failed';

export class CopyStoreError extends Error {
  override readonly name = 'CopyStoreError';
  constructor(
    readonly problem: CopyStoreProblem,
    /** Details for the log, never for the customer. Contains no secret. */
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * Operations on repositories that need more rights than any server has: creating them, removing copies and reading
 * whole repositories. Every method throws CopyStoreError.
 */
export abstract class CopyStore {
  /** Creates the repository and grants the server access, unless both are already done. */
  abstract open(repository: Repository, signal: AbortSignal): Promise<void>;
  /** Returns the environment with which restic on the server reaches the repository. Contains secrets. */
  abstract hostEnvironment(repository: Repository): Readonly<Record<string, string>>;
  abstract list(repository: Repository, signal: AbortSignal): Promise<StoredCopy[]>;
  /** Removes these copies and frees the space that only they used. Ignores copies that do not exist. */
  abstract remove(repository: Repository, snapshotIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Returns the bytes that the repository uses at the target. */
  abstract usedBytes(repository: Repository, signal: AbortSignal): Promise<number>;
  /** Checks the structure and, with `data`, also reads 5 % of the data. Throws `damaged`. */
  abstract check(repository: Repository, options: { readonly data: boolean }, signal: AbortSignal): Promise<void>;
  /** Returns the copy as a tar with paths from `/`. Errors after the first bytes end the stream. */
  abstract archive(repository: Repository, snapshotId: string, signal: AbortSignal): Promise<Readable>;
  /**
   * Restores a copy on the platform in a private folder, reads the restored files and removes them again. Resolves with
   * the number of restored bytes, or null if the copy exceeds the size limit for tests. Throws `damaged`.
   */
  abstract test(repository: Repository, copy: CopyToTest, signal: AbortSignal): Promise<{ bytes: number } | null>;
  /** Removes the repository with its content, and the server's access to it. */
  abstract drop(repository: Repository, signal: AbortSignal): Promise<void>;
}
