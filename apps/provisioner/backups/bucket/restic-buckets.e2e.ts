import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bucketRepository, parseCidr } from '@moorage/domain';
import { LOWER_ALPHANUMERIC, systemClock, systemRandom } from '@moorage/server';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { openS3Api, type S3Api } from '@moorage/tests/fakes/s3-api';
import type { Repository } from '../copy-store';
import { Restic } from '../restic';
import { ResticStore } from '../restic-store';
import { openBucketProxy } from './bucket-proxy';
import { type Bucket, BucketError } from './bucket-store';
import { BucketCheck } from './check-bucket';
import { PublicRoute, type Resolve } from '@moorage/dns';
import { ResticBuckets } from './restic-buckets';

/**
 * Copies into a customer's bucket with real restic, from a real rest-server into an S3 API on loopback. Only the proxy
 * resolves the name of the bucket's host. RESTIC and REST_SERVER are the programs.
 */
const { RESTIC = 'restic', REST_SERVER = 'rest-server' } = process.env;
const run = promisify(execFile);
const clock = systemClock();
const random = systemRandom();
const HOST = 's3.example.test';
const KEYS = { keyId: 'AKIAEXAMPLE', key: 'wJalr/XUtn+FEMI', region: 'eu-central-1' };
const allowed = [parseCidr('127.0.0.1/32')].filter((range) => range !== null);
const toLoopback: Resolve = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

let folder: string;
let restServer: ChildProcess;
let source: ResticStore;
let restic: Restic;
let s3: S3Api;
let repository: Repository;
let bucket: Bucket;

beforeAll(async () => {
  folder = await makeRunFolder();
  const port = await freePort();
  restServer = spawn(REST_SERVER, ['--no-auth', '--listen', `127.0.0.1:${port}`, '--path', join(folder, 'data')]);
  const url = new URL(`http://127.0.0.1:${port}/`);
  while (restServer.exitCode === null && (await fetch(url).catch(() => null)) === null) await clock.sleep(50);
  s3 = await openS3Api({ host: HOST, buckets: ['janes-backups'], ...KEYS });
  await writeFile(join(folder, 'ca.pem'), s3.ca);
  restic = new Restic(RESTIC, join(folder, 'restic'), clock);
  source = new ResticStore(
    { target: { kind: 'rest', url, user: 'platform', password: 'unused' }, hostsUrl: url, testBytesMax: 1e9 },
    restic,
    { grant: () => Promise.resolve(true), write: () => Promise.resolve() },
    { removeAll: () => Promise.resolve() },
  );
}, 60_000);
afterAll(async () => {
  restServer.kill();
  await s3.close();
  await removeRunFolder(folder);
});
beforeEach(() => {
  const ref = random.text(16, LOWER_ALPHANUMERIC);
  repository = { ref, mode: 'real', password: 'ours', hostPassword: 'unused' };
  bucket = {
    endpoint: `https://${HOST}:${s3.port}`,
    bucket: 'janes-backups',
    folder: 'moorage',
    ...KEYS,
    ref,
    password: 'theirs',
  };
  s3.objects.clear();
  s3.requests.length = 0;
  s3.denied = [];
  s3.before = () => undefined;
});

const bucketsBy = (route: PublicRoute): ResticBuckets =>
  new ResticBuckets(
    restic,
    source,
    new BucketCheck(route, clock, random, s3.ca),
    route,
    { clock, random },
    {
      RESTIC_CACERT: join(folder, 'ca.pem'),
    },
  );
const buckets = (): ResticBuckets => bucketsBy(new PublicRoute(allowed, toLoopback));
const copy = (snapshotIds: readonly string[], by = buckets(), signal = new AbortController().signal): Promise<void> =>
  by.copy(bucket, { repository, snapshotIds }, signal);

/** Takes a backup of the platform and resolves with the id of its snapshot. */
async function backUp(content: string): Promise<string> {
  await source.open(repository, new AbortController().signal);
  const data = join(folder, 'server', repository.ref);
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'database'), content);
  const env = {
    PATH: process.env.PATH,
    RESTIC_CACHE_DIR: join(folder, 'cache'),
    ...source.hostEnvironment(repository),
  };
  const { stdout } = await run(RESTIC, ['backup', '--json', '--quiet', 'database'], { cwd: data, env });
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { snapshot_id: string }).snapshot_id;
}

/** Runs restic as the owner of the bucket. */
async function asOwner(...args: string[]): Promise<string> {
  const proxy = await openBucketProxy(new PublicRoute(allowed, toLoopback), random);
  try {
    const { stdout } = await run(RESTIC, ['--no-cache', ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HTTPS_PROXY: proxy.url,
        RESTIC_CACERT: join(folder, 'ca.pem'),
        RESTIC_REPOSITORY: bucketRepository(bucket, bucket.ref),
        RESTIC_PASSWORD: 'theirs',
        AWS_ACCESS_KEY_ID: KEYS.keyId,
        AWS_SECRET_ACCESS_KEY: KEYS.key,
        AWS_DEFAULT_REGION: KEYS.region,
      },
    });
    return stdout;
  } finally {
    await proxy.close();
  }
}
const snapshots = async (): Promise<number> => (JSON.parse(await asOwner('snapshots', '--json')) as object[]).length;

async function problem(copying: Promise<void>): Promise<string> {
  const error = await copying.catch((thrown: unknown) => thrown);
  if (!(error instanceof BucketError)) throw new Error(`it threw ${String(error)}`);
  return error.reason.code;
}

describe("copy into the customer's own bucket", () => {
  it('can be restored with restic and the password alone, and is never deleted from', async () => {
    const first = await backUp('the first day');
    await buckets().check(bucket, new AbortController().signal);
    await copy([first]);
    const second = await backUp('the second day');
    await copy([second]);
    expect(await snapshots()).toBe(2);
    await asOwner('check', '--read-data');
    await asOwner('restore', 'latest', '--target', 'restored');
    expect(await readFile(join(folder, 'restored', 'database'), 'utf8')).toBe('the second day');
    const deleted = s3.requests.filter((request) => request.startsWith('DELETE'));
    expect(deleted.filter((request) => !/\/locks\/|\/moorage-check-/.test(request))).toEqual([]);
    expect([...s3.objects.keys()].every((path) => path.startsWith(`janes-backups/moorage/${bucket.ref}/`))).toBe(true);
  }, 120_000);

  it('adds nothing when repeated', async () => {
    const snapshot = await backUp('once');
    await copy([snapshot]);
    const stored = [...s3.objects.keys()].filter((path) => !path.includes('/locks/')).sort();
    await copy([snapshot]);
    expect([...s3.objects.keys()].filter((path) => !path.includes('/locks/')).sort()).toEqual(stored);
  }, 120_000);

  it('is completed by the next copy after a crash, without damage', async () => {
    const snapshot = await backUp(random.text(300_000));
    const over = new AbortController();
    let isKilled = false;
    s3.before = async (request) => {
      if (isKilled || !/^PUT .*\/(data|index)\//.test(request)) return;
      isKilled = true;
      const { stdout } = await run('pgrep', ['-f', `restic --json --retry-lock 10m copy ${snapshot}`]);
      for (const pid of stdout.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    };
    expect(await problem(copy([snapshot], buckets(), over.signal))).toMatch(/^backup\.bucket_/);
    expect(isKilled).toBe(true);
    expect(await snapshots()).toBe(0);
    await copy([snapshot]);
    expect(await snapshots()).toBe(1);
    await asOwner('check', '--read-data');
    // Our own repository has no blocking lock.
    await source.remove(repository, [snapshot], new AbortController().signal);
    expect(await source.list(repository, new AbortController().signal)).toEqual([]);
  }, 180_000);

  it('is not sent to a non-public address, even if an earlier check accepted it', async () => {
    const snapshot = await backUp('secret');
    const rebound: Resolve = (_, __, callback) => callback(null, [{ address: '127.0.0.2', family: 4 }]);
    expect(await problem(copy([snapshot], bucketsBy(new PublicRoute(allowed, rebound))))).toBe(
      'backup.bucket_not_public',
    );
    expect(s3.requests).toEqual([]);
  }, 180_000);

  it('does not bypass the proxy to the platform storage', async () => {
    const snapshot = await backUp('secret');
    bucket = { ...bucket, endpoint: 'https://127.0.0.1' };
    expect(await problem(copy([snapshot]))).toBe('backup.bucket_not_public');
  }, 60_000);

  it('is not mixed with a repository that has another password', async () => {
    const snapshot = await backUp('data');
    await copy([snapshot]);
    bucket = { ...bucket, password: 'another' };
    expect(await problem(copy([snapshot]))).toBe('backup.bucket_password');
  }, 120_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
