import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive, stopEmbeddedPostgres } from '../server/embedded-postgres';

const PREFIX = 'moorage-run-';
/** Names the process that made the folder. */
const OWNER = 'owner';

/** A folder of this run's own under the system's temporary one; a PostgreSQL in it lies in `postgresIn(folder)`. */
export async function makeRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER), String(process.pid));
  await chmod(folder, 0o755); // the unprivileged server must pass when we are root
  return folder;
}

export const postgresIn = (folder: string): string => join(folder, 'postgres');

/** A run that was killed could not stop its servers: the next one does. What does not say whose it is stays. */
export async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
      if (!(owner > 0) || isAlive(owner)) continue;
      if (await isServerOf(postgresIn(folder))) await stopEmbeddedPostgres(postgresIn(folder));
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      console.warn(`${folder} was left behind by a killed run and could not be removed`, error);
    }
  }
}

/** Does the process that the folder names still serve it? Its number may be somebody else's by now. */
async function isServerOf(folder: string): Promise<boolean> {
  const [pid = ''] = (await readFile(join(folder, 'pgdata', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  if (!(Number(pid) > 0) || !isAlive(Number(pid))) return false;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', pid]);
  return stdout.includes(folder);
}
