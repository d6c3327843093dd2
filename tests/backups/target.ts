import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../journeys/customer';

/** Addresses by which the containers and this machine reach each other. */
const SEEN_BY_SERVERS = '172.28.255.1';
const SEEN_BY_US = '127.0.0.1';

export interface Said {
  readonly exit: number | null;
  readonly out: string;
}

/** A backup target. Servers can add and read, and the platform has full permissions. */
export interface Target {
  /** Creates the repository and gives its server access. Returns the environment for restic. */
  open(ref: string): Promise<Readonly<Record<string, string>>>;
  /** Runs restic with the platform's permissions. */
  asPlatform(ref: string, ...words: string[]): Promise<Said>;
  /** Runs restic with the environment found on a server. */
  asServer(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Said>;
  /** Inverts bytes in the largest pack of a repository. Returns a function that repairs it. */
  damage(ref: string): () => void;
  /** Sends a request without restic, and returns its status. */
  request(environment: Readonly<Record<string, string>>, method: string, path: string): Promise<number>;
  files(ref: string, folder: string): string[];
  stop(): Promise<void>;
}

export async function openTarget({ restic, restServer }: { restic: string; restServer: string }): Promise<Target> {
  const root = mkdtempSync(join(tmpdir(), 'moorage-target-'));
  const data = join(root, 'data');
  const logins = join(root, 'logins');
  writeFileSync(logins, '');
  const servers: ChildProcess[] = [];
  const serve = async (host: string, ...words: string[]): Promise<string> => {
    const address = `${host}:${await freePort(host)}`;
    const child = spawn(restServer, ['--path', data, '--listen', address, ...words], { stdio: 'ignore' });
    servers.push(child);
    await until(`rest-server at ${address}`, () => answers(`http://${address}/`), Boolean, 20_000);
    return address;
  };
  const forServers = await serve(SEEN_BY_SERVERS, '--append-only', '--private-repos', '--htpasswd-file', logins);
  const forUs = await serve(SEEN_BY_US, '--no-auth');
  const passwords = new Map<string, string>();

  const run = (environment: Readonly<Record<string, string>>, words: readonly string[]): Promise<Said> =>
    new Promise((resolve, reject) => {
      const child = spawn(restic, ['--no-cache', ...words], {
        env: { PATH: '/usr/bin:/bin', HOME: root, ...environment },
      });
      let out = '';
      child.stdout.on('data', (chunk) => (out += String(chunk)));
      child.stderr.on('data', (chunk) => (out += String(chunk)));
      child.once('error', reject);
      child.once('close', (exit) => resolve({ exit, out }));
    });
  const ours = (ref: string): Record<string, string> => ({
    RESTIC_REPOSITORY: `rest:http://${forUs}/${ref}/`,
    RESTIC_PASSWORD: passwords.get(ref) ?? '',
  });

  return {
    async open(ref) {
      passwords.set(ref, `key of ${ref}`);
      const login = `login-${ref}`;
      appendFileSync(logins, `${ref}:{SHA}${createHash('sha1').update(login).digest('base64')}\n`);
      const created = await run(ours(ref), ['init']);
      if (created.exit !== 0) throw new Error(created.out);
      const environment = {
        RESTIC_REPOSITORY: `rest:http://${ref}:${login}@${forServers}/${ref}/`,
        RESTIC_PASSWORD: passwords.get(ref) ?? '',
      };
      // The server reloads its logins when their file has changed.
      await until(
        'the login',
        () => run(environment, ['cat', 'config']),
        ({ exit }) => exit === 0,
        60_000,
      );
      return environment;
    },
    asPlatform: (ref, ...words) => run(ours(ref), words),
    asServer: (environment, ...words) => run(environment, words),
    damage(ref) {
      const folder = join(data, ref, 'data');
      const packs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((path) => /\/[0-9a-f]{64}$/.test(path))
        .sort((a, b) => readFileSync(b).length - readFileSync(a).length);
      const [largest = ''] = packs;
      const whole = readFileSync(largest);
      const broken = Buffer.from(whole);
      for (let at = 0; at < Math.min(4_096, broken.length / 2); at++) broken[at] = (broken[at] ?? 0) ^ 0xff;
      rmSync(largest);
      writeFileSync(largest, broken);
      return () => {
        rmSync(largest);
        writeFileSync(largest, whole);
      };
    },
    async request({ RESTIC_REPOSITORY = '' }, method, path) {
      const url = new URL(RESTIC_REPOSITORY.replace('rest:', ''));
      const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
      const answer = await fetch(`http://${url.host}${path}`, { method, headers: { authorization } });
      return answer.status;
    },
    files: (ref, folder) => (existsSync(join(data, ref, folder)) ? readdirSync(join(data, ref, folder)) : []),
    async stop() {
      await Promise.all(
        servers.map(
          (child) =>
            new Promise<void>((resolve) => {
              child.once('close', () => resolve());
              child.kill('SIGKILL');
            }),
        ),
      );
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
