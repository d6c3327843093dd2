import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../database/migrate';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../server/embedded-postgres';

const FOLDER = 'moorage-tests-';
/** The process that made the folder. */
const OWNER = 'owner';

/**
 * One real PostgreSQL for the whole run; suites copy the migrated template database. `TEST_DATABASE_URL` (an owner's url
 * to the database to use as template) takes another server.
 */
export default async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  await removeLeftBehind();
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  await writeFile(join(folder, OWNER), String(process.pid));
  await chmod(folder, 0o755); // the unprivileged server must pass when we are root
  const postgres = await startEmbeddedPostgres({ folder, database: 'moorage_template', unsafeFast: true });
  await migrate(postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  (globalThis as { moorageTestPostgres?: unknown }).moorageTestPostgres = { postgres, folder };
}

/** A run that was killed could not stop its server: the next one does. What does not say whose it is stays. */
async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER)) continue;
    const folder = join(tmpdir(), name);
    try {
      const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
      if (!(owner > 0) || isAlive(owner)) continue;
      if (await isServerOf(folder)) await stopEmbeddedPostgres(folder);
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
