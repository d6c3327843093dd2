import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopEmbeddedPostgres } from '../server/embedded-postgres';
import { removePlace } from '../server/postgres-data-folder';
import { isAlive } from '../server/processes';

const PREFIX = 'moorage-run-';
/** File with the id of the process that created the folder. */
const OWNER = 'owner';

/** Creates a temporary folder for this run. PostgreSQL runs in `postgresIn(folder)`. */
export async function makeRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER), String(process.pid));
  await chmod(folder, 0o755); // lets the unprivileged server in when we are root
  return folder;
}

export const postgresIn = (folder: string): string => join(folder, 'postgres');

/** Stops PostgreSQL in the folder, if it runs, and removes everything. */
export async function removeRunFolder(folder: string): Promise<void> {
  await stopEmbeddedPostgres(postgresIn(folder));
  await removePlace(postgresIn(folder));
  await rm(folder, { recursive: true, force: true });
}

/** Stops servers and removes folders left behind by killed runs. A folder without an owner file is kept. */
export async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
      if (!(owner > 0) || isAlive(owner)) continue;
      await removeRunFolder(folder);
    } catch (error) {
      console.warn(`${folder} was left behind by a killed run and could not be removed`, error);
    }
  }
}
