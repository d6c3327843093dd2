import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BackupTarget, backupTargetOf, parseSettings } from '@moorage/runtime';
import { systemClock, systemRandom, LOWER_ALPHANUMERIC } from '@moorage/server';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { copyStoreSuite, type CopyStoreFixture } from '@moorage/tests/suites/copy-store.suite';
import type { CopyToTest, Repository } from './copy-store';
import { admission, type HostAccess } from './host-access';
import { Restic } from './restic';
import { ResticStore } from './restic-store';
import { targetFilesOf } from './target-files';

/**
 * Platform side of backups with real restic. It uses a real rest-server with one listener for the platform and one for
 * servers, and an S3 API if one is configured. RESTIC and REST_SERVER are the programs. S3_TARGET (`s3:http://...`) is
 * an existing bucket, with S3_KEY_ID and S3_KEY.
 */
const { RESTIC = 'restic', REST_SERVER = 'rest-server', S3_TARGET, S3_KEY_ID = 'key', S3_KEY = 'key' } = process.env;
const run = promisify(execFile);
const clock = systemClock();
const PLATFORM = 'the password of the platform';

let folder: string;
const started: ChildProcess[] = [];
let platformUrl: string;
let hostsUrl: URL;

beforeAll(async () => {
  folder = await makeRunFolder();
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'platform'), `${admission('platform', PLATFORM)}\n`);
  await writeFile(join(folder, 'hosts'), '');
  platformUrl = await restServer('--htpasswd-file', join(folder, 'platform'));
  hostsUrl = new URL(await restServer('--htpasswd-file', join(folder, 'hosts'), '--append-only', '--private-repos'));
}, 60_000);
afterAll(async () => {
  for (const child of started) child.kill();
  await removeRunFolder(folder);
});

async function restServer(...options: string[]): Promise<string> {
  const port = await freePort();
  const child = spawn(REST_SERVER, ['--listen', `127.0.0.1:${port}`, '--path', join(folder, 'data'), ...options]);
  started.push(child);
  const url = `http://127.0.0.1:${port}/`;
  while (child.exitCode === null && (await fetch(url).catch(() => null)) === null) await clock.sleep(50);
  return url;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Writes the password file without a database. It signals rest-server, which otherwise checks the file every 30 s. */
function access(): Pick<HostAccess, 'grant' | 'write'> {
  return {
    async grant({ ref, hostPassword }: Repository) {
      await writeFile(join(folder, 'hosts'), `${admission(ref, hostPassword)}\n`);
      for (const child of started) child.kill('SIGHUP');
      const login = Buffer.from(`${ref}:${hostPassword}`).toString('base64');
      const request = () => fetch(new URL(`${ref}/config`, hostsUrl), { headers: { authorization: `Basic ${login}` } });
      while ((await request()).status === 401) await clock.sleep(50);
      return true;
    },
    async write() {
      await writeFile(join(folder, 'hosts'), '');
      for (const child of started) child.kill('SIGHUP');
    },
  };
}

function storeAt(target: BackupTarget, testBytesMax = 1_000_000_000): ResticStore {
  return new ResticStore(
    { target, hostsUrl, testBytesMax },
    new Restic(RESTIC, join(folder, 'restic'), clock),
    access(),
    targetFilesOf(target, clock),
  );
}

const places = () => ({ BACKUP_HOSTS_URL: `rest:${hostsUrl.href}`, BACKUP_HTPASSWD_FILE: join(folder, 'hosts') });
function restTarget(): BackupTarget {
  const target = backupTargetOf(
    parseSettings({
      ...places(),
      BACKUP_TARGET: `rest:${platformUrl}`,
      BACKUP_TARGET_USER: 'platform',
      BACKUP_TARGET_PASSWORD: PLATFORM,
    }),
  );
  if (target === null) throw new Error('no target');
  return target;
}

const newRef = (): string => systemRandom().text(16, LOWER_ALPHANUMERIC);

/**
 * Takes a backup with the layout of infra/host/copy-start.sh. restic runs in the folder that represents the container's
 * root.
 */
async function backUp(environment: Readonly<Record<string, string>>, database: string): Promise<CopyToTest> {
  const root = join(folder, 'server');
  const dumps = join(root, 'copy', 'dumps');
  await rm(root, { recursive: true, force: true });
  await mkdir(dumps, { recursive: true });
  await mkdir(join(root, 'copy', 'stack', 'closed'), { recursive: true });
  const content = `SQLite format 3\0${database}`;
  const hash = createHash('sha256').update(content).digest('hex');
  await writeFile(join(dumps, 'database'), content);
  await writeFile(join(dumps, 'list'), `sqlite database ${content.length} ${hash}\nend\n`);
  await writeFile(join(root, 'copy', 'stack', 'closed', 'config.yml'), 'a: 1\n', { mode: 0o400 });
  const env = { PATH: process.env.PATH, RESTIC_CACHE_DIR: join(folder, 'server-cache'), ...environment };
  const { stdout } = await run(RESTIC, ['backup', '--json', '--quiet', 'copy'], { cwd: root, env });
  const output = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, never>;
  return {
    snapshotId: output.snapshot_id ?? '',
    bytes: output.total_bytes_processed ?? 0,
    dumps: [{ name: 'database', bytes: content.length }],
  };
}

/** Flips the bits of one byte in every pack. */
async function damagePacks(ref: string): Promise<void> {
  const data = join(folder, 'data', ref, 'data');
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    content.writeUInt8(content.readUInt8(20) ^ 0xff, 20);
    await rm(path);
    await writeFile(path, content);
  }
}

copyStoreSuite('a rest-server', (): Promise<CopyStoreFixture> =>
  Promise.resolve({ store: storeAt(restTarget()), ref: newRef(), backUp, damage: damagePacks }),
);

describe('compromised server', () => {
  it('cannot remove copies or access those of another deployment', async () => {
    const store = storeAt(restTarget());
    const never = new AbortController().signal;
    const [mine, other] = [newRef(), newRef()].map((ref): Repository => ({
      ref,
      mode: 'real',
      password: 'key',
      hostPassword: `${ref}-password`,
    })) as [Repository, Repository];
    await store.open(other, never);
    await store.open(mine, never);
    const copy = await backUp(store.hostEnvironment(mine), 'data');
    const asServer = async (environment: Readonly<Record<string, string>>, ...args: string[]): Promise<string> => {
      const env = { PATH: process.env.PATH, RESTIC_CACHE_DIR: join(folder, 'server-cache'), ...environment };
      return run(RESTIC, args, { env }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    };
    await asServer(store.hostEnvironment(mine), 'forget', '--prune', copy.snapshotId);
    expect(await store.list(mine, never)).toEqual([{ snapshotId: copy.snapshotId }]);
    const elsewhere = { ...store.hostEnvironment(mine), RESTIC_REPOSITORY: `rest:${hostsUrl.href}${other.ref}/` };
    expect(await asServer(elsewhere, 'cat', 'config')).toMatch(/401/);
  });
});

describe('copy larger than the test limit', () => {
  it('is not restored', async () => {
    const store = storeAt(restTarget(), 10);
    const repository: Repository = { ref: newRef(), mode: 'real', password: 'key', hostPassword: 'host' };
    const never = new AbortController().signal;
    await store.open(repository, never);
    const copy = await backUp(store.hostEnvironment(repository), 'data');
    expect(await store.test(repository, copy, never)).toBeNull();
    expect(await store.test(repository, { ...copy, bytes: 5 }, never)).toBeNull();
  });
});

if (S3_TARGET !== undefined)
  copyStoreSuite('a bucket', (): Promise<CopyStoreFixture> => {
    const target = backupTargetOf(
      parseSettings({
        ...places(),
        BACKUP_TARGET: S3_TARGET,
        BACKUP_S3_ACCESS_KEY_ID: S3_KEY_ID,
        BACKUP_S3_SECRET_ACCESS_KEY: S3_KEY,
      }),
    );
    if (target?.kind !== 's3') throw new Error('S3_TARGET is no bucket');
    const store = storeAt(target);
    const asPlatform = (repository: string): Record<string, string> => ({
      RESTIC_REPOSITORY: `s3:${target.url.href}/${repository}`,
      AWS_ACCESS_KEY_ID: target.keyId,
      AWS_SECRET_ACCESS_KEY: target.key,
      AWS_DEFAULT_REGION: target.region,
    });
    return Promise.resolve({
      store,
      ref: newRef(),
      // Servers reach a bucket through a relay, which is not tested here.
      backUp: ({ RESTIC_REST_USERNAME: ref = '', RESTIC_PASSWORD: password = '' }, database) =>
        backUp({ ...asPlatform(ref), RESTIC_PASSWORD: password }, database),
      damage: async (ref) => {
        const { stdout } = await run(RESTIC, ['list', 'packs', '--no-lock', '-q'], {
          env: {
            PATH: process.env.PATH,
            RESTIC_CACHE_DIR: join(folder, 'server-cache'),
            ...asPlatform(ref),
            RESTIC_PASSWORD: 'the key of the copies',
          },
        });
        for (const pack of stdout.trim().split('\n'))
          await overwrite(target, `${ref}/data/${pack.slice(0, 2)}/${pack}`);
      },
    });
  });

/** Overwrites an object. The test API checks the login but not the signature. */
async function overwrite(target: Extract<BackupTarget, { kind: 's3' }>, key: string): Promise<void> {
  const url = `${target.url.href}/${key}`;
  const scope = `${target.keyId}/20261201/${target.region}/s3/aws4_request`;
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0` };
  const content = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
  content.writeUInt8(content.readUInt8(20) ^ 0xff, 20);
  const answer = await fetch(url, { method: 'PUT', body: content, headers });
  if (!answer.ok) throw new Error(`the bucket answered ${answer.status}`);
}
