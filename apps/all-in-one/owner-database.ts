import { join } from 'node:path';
import type { Settings } from '@moorage/runtime';
import { findEmbeddedPostgres, FolderInUse, lockFolder, type Log, startEmbeddedPostgres } from '@moorage/server';

/** The database as its owner: what migrates, and where services then connect with their roles. */
export interface OwnerDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

const NOTHING = (): Promise<void> => Promise.resolve();
const folderOf = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * DATABASE_URL, or the embedded server of DATA_DIR, which is kept running and ends with the product: whoever holds the
 * lock of the data folder owns its server, and nobody else stops it.
 */
export async function productDatabase(settings: Settings, log: Log): Promise<OwnerDatabase> {
  if (settings.DATABASE_URL !== undefined) return { url: settings.DATABASE_URL, stop: NOTHING };
  return startEmbeddedPostgres({
    folder: folderOf(settings),
    supervision: {
      log,
      lost(error) {
        log.error('the database is lost', { error });
        process.stderr.write(`${error.message}; its log says why.\n`);
        process.exit(1);
      },
    },
  });
}

/** For one command: the running product's server, which goes on, or one of its own where no product runs. */
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
    // two commands would share a server that the first of them ends
    if (!(error instanceof FolderInUse) || error.holder?.use === 'command') throw error;
    return { ...(await findEmbeddedPostgres({ folder: folderOf(settings) })), stop: NOTHING };
  }
}
