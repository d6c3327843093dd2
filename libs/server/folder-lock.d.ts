/** Holder of a folder, which is the product itself or an operator's command. */
export type FolderUse = 'product' | 'command';

export interface FolderLock {
  readonly folder: string;
  /** Releases the folder for other processes. */
  release(): void;
}

/** Thrown when the folder is in use by another process. The message is suitable as the last output of a command. */
export class FolderInUse extends Error {
  readonly holder: { readonly pid: number; readonly use: FolderUse } | undefined;
}

/**
 * Locks a folder for this process. A second call in the same process returns the same lock.
 *
 * @throws FolderInUse when another process holds the folder.
 */
export function lockFolder(folder: string, use: FolderUse): Promise<FolderLock>;
