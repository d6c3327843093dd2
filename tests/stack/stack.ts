import { execFile, spawn } from 'node:child_process';
import { chown, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@moorage/server';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import pg from 'pg';
import { until } from '../journeys/customer';
import { noonOffset } from '../journeys/first-deployment';
import { type Product, readMails } from '../journeys/product';

/** Names of our services in docker-compose.yml. */
export type StackService = 'gateway' | 'api' | 'provisioner' | 'billing' | 'postgres' | 'redis' | 'kafka';

/** The product in the Docker stack, behind its gateway. */
export interface Stack extends Product {
  /** Runs `docker compose <args>` in its folder and returns the output. Throws if it fails. */
  compose(...args: readonly string[]): Promise<string>;
  /** Returns the ids of the running containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Kills the main process of a container of each service at the same time, like a crash. Docker starts them again. */
  kill(...services: readonly StackService[]): Promise<void>;
  /** Returns the metrics of each container of a service. */
  metrics(service: 'api' | 'provisioner' | 'billing'): Promise<string[]>;
  /** Returns the path of a volume on this machine. */
  mountOf(volume: string): Promise<string>;
  /** Waits until everything is healthy again. */
  healthy(): Promise<void>;
  /** Applies other settings and restarts what has changed. */
  change(settings: Readonly<Record<string, string>>): Promise<void>;
  /** Folder with its settings and secrets. */
  readonly folder: string;
}

const run = promisify(execFile);
const PROJECT = 'moorage-test';
const UP_S = 300;
const URL_OF_DEMO = 'https://localhost:8443';
const METRICS_URL = 'http://127.0.0.1:9464/metrics';
const OUTPUT_MAX = 2 ** 28;

async function docker(args: readonly string[], cwd = '.'): Promise<string> {
  const { stdout } = await run('docker', [...args], { cwd, maxBuffer: OUTPUT_MAX });
  return stdout;
}

/**
 * Writes settings and secrets like `stack:init --demo`, starts the stack with the given number of processes of each
 * service, and waits until all are healthy. It uses existing images, and nothing is built or pulled.
 */
export async function startStack({
  scale = {},
  settings = {},
}: {
  scale?: Partial<Record<StackService, number>>;
  settings?: Record<string, string>;
} = {}): Promise<Stack> {
  const root = process.cwd();
  const folder = await makeRunFolder();
  const port = await freePort();
  await copyFile('docker-compose.yml', join(folder, 'docker-compose.yml'));
  await writeFile(join(folder, 'docker-compose.override.yml'), overrideOf(port));
  await symlink(join(root, 'infra'), join(folder, 'infra'));
  await run(process.execPath, [join(root, 'dist/server/ops.js'), 'stack:init', '--demo'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      LAB_CLOCK_OFFSET_MS: noonOffset(),
      ADMIN_PASSWORD: 'journey-admin',
      DOMAIN_ALLOWED_ZONES: 'example.com',
      LOG_LEVEL: 'info',
      ...settings,
    },
  });
  const compose = (...args: readonly string[]): Promise<string> =>
    docker(['compose', '--project-name', PROJECT, ...args], folder);
  const healthy = async (): Promise<void> => {
    const scaled = Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`]);
    await compose('up', '--detach', '--no-build', '--pull=never', '--wait', `--wait-timeout=${UP_S}`, ...scaled).catch(
      async (error: unknown) => {
        throw new Error(
          `the stack did not come up\n${await compose('ps', '--all')}\n${await compose('logs', '--tail=20')}`,
          {
            cause: error,
          },
        );
      },
    );
  };
  const mountOf = async (volume: string): Promise<string> =>
    (await docker(['volume', 'inspect', '--format', '{{.Mountpoint}}', `${PROJECT}_${volume}`])).trim();
  await compose('create', '--no-build', '--pull=never');
  await seedAuthority(await mountOf('certificates'));
  await healthy();
  const password = (await readSecret(folder, 'postgres_password')).trim();
  const databaseUrl = `postgres://moorage:${password}@127.0.0.1:${port}/moorage`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: '-c TimeZone=UTC' });
  pool.on('error', () => undefined);
  let written = '';
  const follow = spawn(
    'docker',
    [
      'compose',
      '--project-name',
      PROJECT,
      'logs',
      '--follow',
      '--no-color',
      '--no-log-prefix',
      'api',
      'provisioner',
      'billing',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  follow.stdout.on('data', (chunk) => (written += String(chunk)));
  const dataDir = await mountOf('data');
  const ops: Product['ops'] = async (...args) => {
    try {
      return { code: 0, out: await compose('run', '--rm', '--no-deps', '-T', 'ops', ...args) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: `${stdout}${stderr}` };
    }
  };
  const ids = async (...args: readonly string[]): Promise<string[]> =>
    (await compose('ps', '--quiet', ...args)).split('\n').filter((line) => line !== '');
  return {
    url: URL_OF_DEMO,
    databaseUrl,
    dataDir,
    folder,
    log: () => written,
    async sql<R extends object>(text: string, params: readonly unknown[] = []) {
      const rows = (): Promise<R[]> => pool.query<R>(text, [...params]).then((result) => result.rows);
      // The database may have been killed, so the query is repeated once it is available again.
      return rows().catch(
        () =>
          until(
            'the database',
            () => rows().catch(() => null),
            (found) => found !== null,
          ) as Promise<R[]>,
      );
    },
    mails: (to) => readMails(join(dataDir, 'mail'), to),
    ops,
    opsWith: () => Promise.reject(new Error('the stack has its settings in .env')),
    processes: [],
    spawn: () => Promise.reject(new Error('a stack is scaled')),
    compose,
    containers: (service) => ids(service),
    async kill(...services) {
      const first = await Promise.all(services.map(async (service) => (await ids(service))[0] ?? ''));
      const pids = await docker(['inspect', '--format', '{{.State.Pid}}', ...first]);
      for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    },
    metrics: async (service) =>
      Promise.all(
        (await ids(service)).map((id) =>
          docker(['exec', id, 'node', '-e', `fetch('${METRICS_URL}').then(async (a) => console.log(await a.text()))`]),
        ),
      ),
    mountOf,
    healthy,
    async change(changed) {
      const file = join(folder, '.env');
      const lines = (await readFile(file, 'utf8'))
        .split('\n')
        .filter((line) => !((line.split('=')[0] ?? '') in changed));
      await writeFile(
        file,
        [...lines, ...Object.entries(changed).map(([name, value]) => `${name}=${value}`)].join('\n'),
      );
      await healthy();
    },
    async stop() {
      follow.kill();
      await pool.end();
      await compose('down', '--volumes', '--timeout', '40');
      await removeRunFolder(folder);
    },
  };
}

export function readSecret(folder: string, name: string): Promise<string> {
  return readFile(join(folder, 'secrets', name), 'utf8');
}

/** Stores the authority that this process was configured to trust where the gateway expects its own. */
async function seedAuthority(certificates: string): Promise<void> {
  const folders = ['caddy', 'pki', 'authorities', 'local'].map((_, index, all) =>
    join(certificates, ...all.slice(0, index + 1)),
  );
  const [local = ''] = folders.slice(-1);
  await mkdir(local, { recursive: true });
  await copyFile('dist/stack/authority.pem', join(local, 'root.crt'));
  await copyFile('dist/stack/authority.key', join(local, 'root.key'));
  for (const path of [...folders, join(local, 'root.crt'), join(local, 'root.key')]) await chown(path, 1000, 1000);
}

/**
 * Returns an override that exposes the database to the tests, and makes the gateway trust the authority of a non-public
 * ACME server.
 */
const overrideOf = (port: number): string => `
services:
  postgres:
    ports: ['127.0.0.1:${port}:5432']
    networks: [data, tests]
  gateway:
    environment: { SSL_CERT_FILE: /run/authority.pem }
    volumes: ['${resolve('dist/stack/authority.pem')}:/run/authority.pem:ro']
networks:
  tests: {}
`;
