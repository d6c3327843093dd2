import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Log } from './log';
import { exists, findPlace, type PostgresDataFolder, preparePlace, writeDurably } from './postgres-data-folder';
import { isAlive, isPostgresOf } from './processes';

/**
 * A real PostgreSQL from the npm package's binaries, without the package's own starter (docs/adr/0004). It survives
 * `kill -9` of its parent and is taken over at the next start, and Ctrl-C does not reach it before us. The starting
 * process holds the lock of the data folder (`lockFolder`), so a running server was left by a process that has ended.
 */
export interface EmbeddedPostgres {
  /** URL of the database `moorage` with the owner of the cluster. It does not change while this process runs. */
  readonly url: string;
  /** True if the server was already running, left behind by a killed process. */
  readonly tookOver: boolean;
  stop(): Promise<void>;
}

/** Restarts the server whenever it ends unexpectedly. */
export interface Supervision {
  readonly log: Log;
  /** Called when the server could not be kept running. No further attempts are made. */
  readonly lost: (error: Error) => void;
  /** Delay in milliseconds before the second attempt. It doubles after that. */
  readonly restartDelay_ms?: number;
}

const START_TIMEOUT_MS = 60_000;
const ANSWER_EVERY_MS = 25;
/**
 * Time for a fast shutdown, which writes everything. An immediate shutdown follows, from which the next start recovers.
 */
const STOP_FAST_MS = 12_000;
const STOP_TIMEOUT_MS = 20_000;
const STOP_POLL_MS = 20;
/** Time for the processes of a killed server to end. PostgreSQL refuses to start beside them. */
const PREDECESSOR_GOES_MS = 30_000;
const PREDECESSOR = /shared memory block .* is still in use|lock file ".*" already exists/;
const DRAFT = 'pgdata.draft-';
const PORTS_TRIED_MAX = 5;
const SUPERVISE_EVERY_MS = 500;
const RESTARTS_MAX = 10;
const RESTART_DELAY_MS = 200;
const RESTART_DELAY_MAX_MS = 15_000;
/** Uptime after which earlier restarts of the server are no longer counted. */
const RESTARTS_FORGOTTEN_MS = 60_000;

interface Options {
  /**
   * Folder `postgres` in the data folder, created if missing. It contains `pgdata` and `pgpassword`, or `where` beside
   * it names the folder that does.
   */
  readonly folder: string;
  readonly database?: string;
  /** For tests only. A crash of the machine may lose data, and the password's hash is weak. */
  readonly unsafeFast?: boolean;
  readonly settings?: readonly string[];
  readonly supervision?: Supervision;
}

/**
 * Starts the server, or takes over the running server. Creates the cluster and the database if they are missing.
 *
 * @throws PlaceRefused for a problem that the operator can solve.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const database = options.database ?? 'moorage';
  const place = await preparePlace(options.folder);
  const data = join(place.folder, 'pgdata');
  const password = await passwordOf(place);
  await makeCluster(place, options);

  const found = await runningServer(data);
  const server = new EmbeddedServer(place, password, options);
  const tookOver = found !== undefined && (await server.untilAnswering(found));
  const port = tookOver ? found.port : await server.startAnywhere();
  const url = urlOf({ password, port, database });
  await makeDatabase(urlOf({ password, port, database: 'postgres' }), database);
  const unsupervise =
    options.supervision === undefined ? () => Promise.resolve() : supervise(server, port, options.supervision);
  return {
    url,
    tookOver,
    async stop() {
      await unsupervise();
      await stopServer(data);
    },
  };
}

/** Finds the server that another process runs on this folder, and waits while it starts. */
export async function findEmbeddedPostgres({
  folder,
  database = 'moorage',
}: {
  folder: string;
  database?: string;
}): Promise<{ readonly url: string }> {
  const place = await findPlace(folder);
  const data = join(place, 'pgdata');
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const running = await runningServer(data);
    const password = await readFile(join(place, 'pgpassword'), 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
    if (running !== undefined && password !== '') {
      const url = urlOf({ password, port: running.port, database });
      if ((await tryConnect(url)) === undefined) return { url };
    }
    if (Date.now() > deadline) throw new Error(`No PostgreSQL server responds on ${data}`);
    await sleep(SUPERVISE_EVERY_MS);
  }
}

/** Stops a server that a killed process left running on this folder. Does nothing if there is none. */
export async function stopEmbeddedPostgres(folder: string): Promise<void> {
  await stopServer(join(await findPlace(folder), 'pgdata'));
}

interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

/**
 * Returns the server that runs on this folder (postmaster.pid has the pid in line 1 and the port in line 4), verified
 * by its command line.
 */
async function runningServer(data: string): Promise<RunningServer | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && isPostgresOf(pid, data) ? { pid, port } : undefined;
}

async function passwordOf({ folder, identity }: PostgresDataFolder): Promise<string> {
  const file = join(folder, 'pgpassword');
  if (!(await exists(file)))
    await writeDurably(file, randomBytes(24).toString('hex'), { mode: 0o600, owner: identity });
  return (await readFile(file, 'utf8')).trim();
}

/**
 * Creates the cluster in a draft folder and renames it when it is complete, because `initdb` may be killed at any
 * point.
 */
async function makeCluster({ folder, binaries, identity }: PostgresDataFolder, { unsafeFast }: Options): Promise<void> {
  const data = join(folder, 'pgdata');
  if (await exists(join(data, 'PG_VERSION'))) return;
  for (const name of await readdir(folder)) {
    // An `initdb` whose starter was killed may still write there. The next start removes what remains.
    if (name.startsWith(DRAFT)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const draft = await mkdtemp(join(folder, DRAFT));
  if (identity !== undefined) await chown(draft, identity.uid, identity.gid);
  const created = promisify(execFile)(
    binaries.initdb,
    [
      '-D',
      draft,
      '-U',
      'moorage',
      '--encoding=UTF8',
      '--locale=C',
      '--auth=scram-sha-256',
      '--pwfile',
      join(folder, 'pgpassword'),
      // 4 096 rounds on both sides of each connection protect a stolen hash from being guessed.
      ...(unsafeFast ? ['--set=scram_iterations=1', '--no-sync'] : []),
    ],
    { ...identity, cwd: draft },
  );
  const onExit = (): void => void created.child.kill();
  process.on('exit', onExit);
  await created.finally(() => process.off('exit', onExit));
  await rename(draft, data);
}

/** The server process on a data folder. */
class EmbeddedServer {
  readonly data: string;
  private readonly log: string;
  private readonly settings: readonly string[];
  private abandoned = false;
  private latest: ChildProcess | undefined;

  constructor(
    private readonly place: PostgresDataFolder,
    private readonly password: string,
    options: Options,
  ) {
    this.data = join(place.folder, 'pgdata');
    this.log = join(place.folder, 'start.log');
    this.settings = serverSettings(options);
    if (options.supervision !== undefined) process.on('exit', () => this.stopOnExit());
  }

  /** Starts the server on a free port. */
  async startAnywhere(): Promise<number> {
    for (let tried = 1; ; tried++) {
      const port = await freePort();
      try {
        await this.start(port);
        return port;
      } catch (error) {
        // Another process may have taken the port in the meantime.
        if (tried === PORTS_TRIED_MAX || (await canListen(port))) throw error;
      }
    }
  }

  /**
   * Starts the server on this port.
   *
   * @throws when it does not start.
   */
  async start(port: number): Promise<void> {
    const deadline = Date.now() + PREDECESSOR_GOES_MS;
    for (;;) {
      const child = await this.launch(port);
      const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (await this.responds(port, () => hasEnded() || this.abandoned)) return;
      if (this.abandoned) {
        child.kill('SIGINT');
        while (!hasEnded()) await sleep(STOP_POLL_MS);
      }
      const why = (await readFile(this.log, 'utf8')).trim();
      if (this.abandoned || Date.now() > deadline || !PREDECESSOR.test(why)) {
        throw new Error(
          `PostgreSQL exited immediately (${why.split('\n', 1).join('')}); its log is in ${join(this.data, 'log')}`,
        );
      }
      await sleep(100);
    }
  }

  /** Aborts a start in progress and the process that it created. */
  abandon(): void {
    this.abandoned = true;
  }

  /** Resolves to false if the server ended before it responded. */
  untilAnswering({ pid, port }: RunningServer): Promise<boolean> {
    return this.responds(port, () => !isPostgresOf(pid, this.data));
  }

  /** Returns the server's process if this process started it and it has not ended. */
  runningChild(): ChildProcess | undefined {
    const { latest } = this;
    return latest?.exitCode === null && latest.signalCode === null ? latest : undefined;
  }

  /** Stops the server synchronously, because asynchronous work is not possible in the exit handler. */
  private stopOnExit(): void {
    const child = this.runningChild();
    if (child !== undefined) child.kill('SIGINT');
    else stopNow(this.data);
  }

  private async launch(port: number): Promise<ChildProcess> {
    const { place, data, log } = this;
    await freeReusedNumber(data, place);
    // Output until the server's own log is open. The file is created anew, because the server may own the folder and
    // must not be able to redirect our writes.
    await rm(log, { force: true });
    const output = await open(log, 'wx');
    try {
      const child = spawn(place.binaries.postgres, ['-D', data, '-p', String(port), ...this.settings], {
        ...place.identity,
        cwd: data,
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
      });
      child.on('error', () => undefined);
      child.unref();
      return (this.latest = child);
    } finally {
      await output.close();
    }
  }

  /** Waits until the server responds. Resolves to false if it ended before. */
  private async responds(port: number, hasEnded: () => boolean): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const error = await tryConnect(urlOf({ password: this.password, port, database: 'postgres' }));
      if (hasEnded()) return false;
      if (error === undefined) return true;
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL did not respond within a minute; its log is in ${join(this.data, 'log')}`, {
          cause: error,
        });
      await sleep(ANSWER_EVERY_MS);
    }
  }
}

function serverSettings(options: Options): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Seven log files, each overwritten a week later.
    'logging_collector=on',
    'log_filename=postgresql-%a.log',
    'log_truncate_on_rotation=on',
    // Error details are left out, because they contain row values such as an email address.
    'log_error_verbosity=terse',
    'max_connections=200',
    ...(options.unsafeFast ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...(options.settings ?? []),
  ].flatMap((setting) => ['-c', setting]);
}

/** Supervises the server on this port until the returned function is called. */
function supervise(
  server: EmbeddedServer,
  port: number,
  { log, lost, restartDelay_ms = RESTART_DELAY_MS }: Supervision,
): () => Promise<void> {
  let stopping = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, stopping ? 0 : ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const untilEnded = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      wake = resolve;
    });
  const restart = async (): Promise<boolean> => {
    try {
      await server.start(port);
      return true;
    } catch (error) {
      log.error('PostgreSQL did not start; retrying', { error });
      return false;
    }
  };
  const watch = async (): Promise<void> => {
    let failures = 0;
    let steadySince = Date.now();
    while (!stopping) {
      const running = await runningServer(server.data);
      if (running !== undefined) {
        const child = server.runningChild();
        // Only a process that is not a child has to be polled.
        await (child === undefined ? pause(SUPERVISE_EVERY_MS) : untilEnded(child));
        continue;
      }
      if (Date.now() - steadySince > RESTARTS_FORGOTTEN_MS) failures = 0;
      if (failures === RESTARTS_MAX)
        return lost(new Error(`PostgreSQL was started ${RESTARTS_MAX} times and stopped each time`));
      await pause(failures === 0 ? 0 : Math.min(restartDelay_ms * 2 ** failures, RESTART_DELAY_MAX_MS));
      if (stopping) return;
      failures++;
      log.error('PostgreSQL stopped unexpectedly; restarting', { attempt: failures });
      if (await restart()) log.info('PostgreSQL running again');
      steadySince = Date.now();
    }
  };
  const watching = watch().catch((error: unknown) => lost(error instanceof Error ? error : new Error(String(error))));
  return async () => {
    stopping = true;
    wake();
    server.abandon();
    await watching;
  };
}

/**
 * Replaces a reused process id in postmaster.pid. PostgreSQL refuses to start while the process with this id exists,
 * whichever program that is now. If it is proven to be another program, the id of this process takes its place, because
 * PostgreSQL ignores the id of its own parent. All other checks of PostgreSQL (such as shared memory still in use by
 * processes of the old server) remain in effect.
 */
async function freeReusedNumber(data: string, { identity }: PostgresDataFolder): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const [pid = '', ...rest] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  if (!(Number(pid) > 0) || !isAlive(Number(pid)) || isPostgresOf(Number(pid), data)) return;
  await writeDurably(file, [process.pid, ...rest].join('\n'), { mode: 0o600, owner: identity });
}

/** Stops the server with SIGINT, PostgreSQL's "fast shutdown", which ends sessions and writes everything. */
async function stopServer(data: string): Promise<void> {
  const running = await runningServer(data);
  if (running === undefined) return;
  const began = Date.now();
  let signal: NodeJS.Signals = 'SIGINT';
  process.kill(running.pid, signal);
  while (isPostgresOf(running.pid, data)) {
    const waited_ms = Date.now() - began;
    if (waited_ms > STOP_TIMEOUT_MS)
      throw new Error(`PostgreSQL did not stop within ${STOP_TIMEOUT_MS / 1000} seconds`);
    if (waited_ms > STOP_FAST_MS && signal === 'SIGINT') process.kill(running.pid, (signal = 'SIGQUIT'));
    await sleep(STOP_POLL_MS);
  }
}

function stopNow(data: string): void {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (isPostgresOf(pid, data)) process.kill(pid, 'SIGINT');
  } catch {
    // It has already ended.
  }
}

/** Returns the error, or undefined if the server responds. */
async function tryConnect(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error ?? new Error('no answer');
  } finally {
    await client.end().catch(() => undefined);
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

function urlOf({ password, port, database }: { password: string; port: number; database: string }): string {
  return `postgres://moorage:${password}@127.0.0.1:${port}/${database}`;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function canListen(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
}

/** Returns a TCP port of loopback that is currently free. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
