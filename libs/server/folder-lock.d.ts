/** What holds a folder: the product itself, or an operator's command. */
export type FolderUse = 'product' | 'command';

export interface FolderLock {
  readonly folder: string;
  /** Somebody else may take the folder from now on. */
  release(): void;
}

/** The folder is in use by another process; the message is the sentence to end with. */
export class FolderInUse extends Error {
  readonly holder: { readonly pid: number; readonly use: FolderUse } | undefined;
}

/**
 * Takes a folder for this process alone, or throws `FolderInUse`. Asked again in the same process, it answers the lock
 * that is held already.
 */
export function lockFolder(folder: string, use: FolderUse): Promise<FolderLock>;
