import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort, preparePlace, startEmbeddedPostgres } from '@moorage/server';
import { postgresIn } from '@moorage/testing';
import pg from 'pg';

/**
 * A PostgreSQL server as operations staff would run it beside the product. Committed data is on disk, and its address
 * never changes. Only the test restarts it.
 */
export interface DatabaseServer {
  /** URL of the owner. */
  readonly url: string;
  /** Path by which this process reaches its data folder. */
  readonly data: string;
  /** Returns the end of its output. */
  log(): string;
  /** Starts the server, or waits until the server that is starting responds. */
  start(): Promise<void>;
  /**
   * Ends the server. `fast` ends sessions and writes everything. `immediate` and `kill` are a crash, from which the
   * next start recovers.
   */
  end(how: keyof typeof SIGNALS): Promise<void>;
  stop(): Promise<void>;
}

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;
const START_MS = 120_000;
const CHECK_INTERVAL_MS = 20;

export interface DatabaseServerOptions {
  readonly settings?: readonly string[];
  /** Size in MB of a separate disk for the data, which only the server can see. Linux, as root. */
  readonly disk_mb?: number;
}

export async function databaseServer(
  folder: string,
  { settings = [], disk_mb }: DatabaseServerOptions = {},
): Promise<DatabaseServer> {
  // Creates the cluster and its database.
  const first = await startEmbeddedPostgres({ folder: postgresIn(folder) });
  await first.stop();
  const place = await preparePlace(postgresIn(folder));
  const data = join(place.folder, 'pgdata');
  const port = await freePort();
  const url = new URL(first.url);
  url.port = String(port);
  const args = [
    ...['-D', data, '-p', String(port)],
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
  ];
  let running: ChildProcess | undefined;
  let output = '';

  const disk =
    disk_mb === undefined ? undefined : await ownDisk({ folder: data, size_mb: disk_mb, owner: place.identity });

  function launch(): ChildProcess {
    const child =
      disk === undefined
        ? spawn(place.binaries.postgres, args, { ...place.identity, cwd: data, stdio: ['ignore', 'pipe', 'pipe'] })
        : disk.spawn(place.binaries.postgres, args);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output = `${output}${text}`.slice(-1_000_000)));
    return child;
  }

  const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

  const server: DatabaseServer = {
    url: url.href,
    data: disk?.path ?? data,
    log: () => output,
    async start() {
      const deadline = performance.now() + START_MS;
      for (;;) {
        // After a kill it refuses to start beside processes of the previous server.
        if (running === undefined || hasEnded(running)) running = launch();
        if (await answers(url.href)) return;
        if (performance.now() > deadline)
          throw new Error(`the database server does not answer:\n${output.slice(-4_000)}`);
        await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
      }
    },
    async end(how) {
      if (running === undefined || hasEnded(running)) return;
      const ended = once(running, 'close');
      running.kill(SIGNALS[how]);
      await ended;
    },
    async stop() {
      await server.end('immediate');
      await disk?.remove();
    },
  };
  await server.start();
  return server;
}

interface Disk {
  /** Path of the folder from outside. */
  readonly path: string;
  spawn(command: string, args: readonly string[]): ChildProcess;
  remove(): Promise<void>;
}

/**
 * Mounts a disk of this size over the folder, with the content of the folder, only visible to the processes that it
 * starts. It is memory in a mount namespace held by a process that ends with this process, so nothing is left behind.
 */
async function ownDisk({
  folder,
  size_mb,
  owner,
}: {
  folder: string;
  size_mb: number;
  owner: { uid: number; gid: number } | undefined;
}): Promise<Disk> {
  const needs = 'a disk of its own for the database needs Linux, root, and `unshare`, `nsenter`, `setpriv`, `mount`';
  if (process.platform !== 'linux' || owner === undefined) throw new Error(needs);
  const { uid, gid } = owner;
  const script = `set -e
    mkdir "$0.disk"
    mount -t tmpfs -o size=${size_mb}m,uid=${uid},gid=${gid},mode=700 none "$0.disk"
    cp -a "$0/." "$0.disk/"
    mount --move "$0.disk" "$0"
    echo mounted
    exec cat`;
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, folder]);
  let output = '';
  for (const stream of [holder.stdout, holder.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(holder, 'close');
  await Promise.race([once(holder.stdout, 'data'), ended]);
  if (!output.includes('mounted')) throw new Error(`${needs}: ${output}`);
  return {
    path: `/proc/${holder.pid}/root${folder}`,
    spawn: (command, args) =>
      spawn(
        'nsenter',
        [
          ...['--mount', '--target', String(holder.pid)],
          ...['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups', command, ...args],
        ],
        { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    async remove() {
      holder.stdin.end();
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
