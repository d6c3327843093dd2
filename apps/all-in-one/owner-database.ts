import { join } from 'node:path';
import type { Settings } from '@moorage/runtime';
import { findEmbeddedPostgres, FolderInUse, lockFolder, type Log, startEmbeddedPostgres } from '@moorage/server';

/** The database as its owner, who runs migrations and creates the roles of the services. */
export interface OwnerDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

const NOTHING = (): Promise<void> => Promise.resolve();
const folderOf = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * Returns DATABASE_URL or starts the embedded server of DATA_DIR, which is supervised and stops with the product. Only
 * the holder of the data folder's lock may stop its server.
 */
export async function productDatabase(settings: Settings, log: Log): Promise<OwnerDatabase> {
  if (settings.DATABASE_URL !== undefined) return { url: settings.DATABASE_URL, stop: NOTHING };
  return startEmbeddedPostgres({
    folder: folderOf(settings),
    supervision: {
      log,
      lost(error) {
        log.error('connection to the database lost', { error });
        process.stderr.write(`${error.message}; see its log for the reason.\n`);
        process.exit(1);
      },
    },
  });
}

/**
 * Returns the database for a single command: the running product's server, which keeps running, or otherwise a
 * temporary server.
 */
export async function commandDatabase(settings: Settings): Promise<OwnerDatabase> {
  if (settings.DATABASE_URL !== undefined) return { url: settings.DATABASE_URL, stop: NOTHING };
  try {
    const lock = await lockFolder(settings.DATA_DIR, 'command');
    const postgres = await startEmbeddedPostgres({ folder: folderOf(settings) });
    return {
      url: postgres.url,
      async stop() {
        await postgres.stop();
        lock.release();
      },
    };
  } catch (error) {
    // Two commands cannot share a server, because the first to end stops it.
    if (!(error instanceof FolderInUse) || error.holder?.use === 'command') throw error;
    return { ...(await findEmbeddedPostgres({ folder: folderOf(settings) })), stop: NOTHING };
  }
}
