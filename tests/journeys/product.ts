import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loginUrl, SERVICES } from '@moorage/database';
import { startEmbeddedPostgres } from '@moorage/server';
import { makeRunFolder, postgresIn, removeRunFolder } from '@moorage/testing';
import pg from 'pg';
import PostalMime from 'postal-mime';

/**
 * The product as operations staff would run it, with real processes from dist/, a separate data folder, and only
 * loopback addresses.
 */
export interface Product {
  readonly url: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Returns everything the processes have written so far. */
  log(): string;
  sql<R extends object>(text: string, params?: readonly unknown[]): Promise<R[]>;
  /** Returns emails to an address, oldest first, with subject and text. */
  mails(to: string): Promise<{ subject: string; text: string }[]>;
  ops(...args: string[]): Promise<Done>;
  /** Runs a command of operations with these settings. A `code` of null means that it was killed. */
  opsWith(settings: Record<string, string>, ...args: string[]): Promise<Done>;
  readonly processes: readonly Proc[];
  spawn(entry: Entry, environment?: Record<string, string>): Promise<Proc>;
  stop(): Promise<void>;
}

interface Done {
  readonly code: number | null;
  readonly out: string;
}

export type Entry = 'all-in-one' | 'api' | 'provisioner' | 'billing';

export interface Proc {
  readonly entry: Entry;
  readonly child: ChildProcess;
  readonly url: string | null;
  /** Resolves to the exit code or signal with which it ended. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const READY_TIMEOUT_MS = 120_000;

/** Password of every service at the database of one test, which only this machine can reach. */
const PASSWORD = 'the-services-of-a-journey';

/** Option for source positions in logged stack traces. Processes that will be killed soon start faster without it. */
const traces = (settings: Record<string, string>): string[] =>
  settings.FAILPOINT === undefined ? ['--enable-source-maps'] : [];

/**
 * Starts the product.
 *
 * @param settings Environment variables of every process, on top of the embedded defaults.
 * @param options `before` fills the empty database and data folder before the first process starts.
 */
export async function startProduct(
  entries: readonly Entry[],
  settings: Record<string, string> = {},
  {
    before = () => Promise.resolve(),
    database = (folder) => startEmbeddedPostgres({ folder: postgresIn(folder), unsafeFast: true }),
  }: {
    before?: (empty: { databaseUrl: string; dataDir: string }) => Promise<void>;
    /** Starts the server for DATABASE_URL, with its files in the folder. */
    database?: (folder: string) => Promise<{ readonly url: string; stop(): Promise<void> }>;
  } = {},
): Promise<Product> {
  const dataDir = await makeRunFolder();
  const postgres = await database(dataDir);
  await before({ databaseUrl: postgres.url, dataDir });
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? dataDir,
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    DATABASE_SERVICE_PASSWORDS: SERVICES.map((service) => `${service}:${PASSWORD}`).join(),
    PORT: '0',
    ADMIN_PASSWORD: 'journey-admin',
    LOG_LEVEL: 'info',
    // Domain of the mailboxes of the test users.
    DOMAIN_ALLOWED_ZONES: 'example.com',
    ...settings,
  };
  const processes: Proc[] = [];
  let written = '';
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, options: '-c TimeZone=UTC' });
  pool.on('error', () => undefined);

  const opsWith: Product['opsWith'] = (more, ...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...traces(more), 'dist/server/ops.js', ...args], {
        env: { ...environment, ...more },
      });
      let out = '';
      child.stdout.on('data', (chunk) => (out += String(chunk)));
      child.stderr.on('data', (chunk) => (out += String(chunk)));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out }));
    });

  const ops: Product['ops'] = (...args) => opsWith({}, ...args);

  /**
   * Returns the login of a process. A service logs in as itself. The all-in-one logs in as the owner, which migrates.
   */
  const loginOf = (entry: Entry): Record<string, string> =>
    entry === 'all-in-one' ? {} : { DATABASE_URL: loginUrl(postgres.url, entry, PASSWORD) };

  async function spawnProcess(entry: Entry, more: Record<string, string> = {}): Promise<Proc> {
    const child = spawn(process.execPath, [...traces(more), `dist/server/${entry}.js`], {
      env: { ...environment, ...loginOf(entry), ...more },
    });
    const ended = new Promise<number | NodeJS.Signals>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal ?? -1)),
    );
    let own = '';
    // By line, so that the output of several processes is not mixed.
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        own += `${line}\n`;
        written += `${line}\n`;
      });
    const deadline = Date.now() + READY_TIMEOUT_MS;
    let url: string | null = null;
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${entry} ended before it was ready:\n${own}`);
      if (Date.now() > deadline) throw new Error(`${entry} was not ready in two minutes:\n${own}`);
      if (entry === 'api' || entry === 'all-in-one') {
        url ??= /"url":"(http:[^"]+)"/.exec(own)?.[1] ?? null;
        if (
          url !== null &&
          (await fetch(`${url}/api/health/ready`).then(
            (answer) => answer.ok,
            () => false,
          ))
        )
          break;
      } else if (own.includes('"ready"')) {
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const proc = { entry, child, url, ended };
    processes.push(proc);
    return proc;
  }

  await mkdir(join(dataDir, 'mail'), { recursive: true });
  if (!entries.includes('all-in-one')) {
    const { code, out } = await ops('db:init');
    if (code !== 0) throw new Error(`db:init failed:\n${out}`);
  }
  for (const entry of entries) await spawnProcess(entry);

  return {
    get url() {
      const serving = processes.findLast(
        (proc) => proc.url !== null && proc.child.exitCode === null && proc.child.signalCode === null,
      );
      if (serving?.url == null) throw new Error('no api runs');
      return serving.url;
    },
    databaseUrl: postgres.url,
    dataDir,
    log: () => written,
    sql: async <R extends object>(text: string, params: readonly unknown[] = []) =>
      (await pool.query<R>(text, [...params])).rows,
    mails: (to) => readMails(join(dataDir, 'mail'), to),
    ops,
    opsWith,
    processes,
    spawn: spawnProcess,
    async stop() {
      for (const { child } of processes)
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await Promise.all(processes.map((proc) => proc.ended));
      await pool.end();
      await postgres.stop();
      await removeRunFolder(dataDir);
    },
  };
}

export async function readMails(folder: string, address: string): Promise<{ subject: string; text: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
  return mails
    .filter(({ to }) => to?.some((each) => each.address?.toLowerCase() === address.toLowerCase()))
    .map(({ subject = '', text = '' }) => ({ subject, text }));
}
