import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCidr } from '@moorage/domain';
import { systemClock, systemRandom } from '@moorage/server';
import { openS3Api, type S3Api } from '@moorage/tests/fakes/s3-api';
import { type Bucket, BucketError } from './bucket-store';
import { BucketCheck } from './check-bucket';
import { PublicRoute, type Resolve } from '@moorage/dns';

const HOST = 's3.example.test';
const KEYS = { keyId: 'AKIAEXAMPLE', key: 'wJalr/XUtn+FEMI' };
const LOOPBACK = [parseCidr('127.0.0.1/32')].filter((range) => range !== null);

let s3: S3Api;
beforeAll(async () => {
  s3 = await openS3Api({ host: HOST, buckets: ['janes-backups'], ...KEYS, region: 'eu-central-1' });
});
afterEach(() => {
  s3.objects.clear();
  s3.requests.length = 0;
  s3.denied = [];
  s3.before = () => undefined;
});
afterAll(() => s3.close());

/** Resolves every name to the S3 API of the test. */
const toLoopback: Resolve = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

function check({ allowed = LOOPBACK, isTrusted = true, resolve = toLoopback } = {}): BucketCheck {
  return new BucketCheck(
    new PublicRoute(allowed, resolve),
    systemClock(),
    systemRandom(),
    isTrusted ? s3.ca : undefined,
  );
}

const bucketOf = (change: Partial<Bucket> = {}): Bucket => ({
  endpoint: `https://${HOST}:${s3.port}`,
  bucket: 'janes-backups',
  folder: 'moorage/pangolin',
  region: 'eu-central-1',
  ...KEYS,
  ref: 'abcdefgh12345678',
  password: 'open sesame',
  ...change,
});

async function problem(change: Partial<Bucket> = {}, by = check()): Promise<string> {
  const error = await by.run(bucketOf(change), new AbortController().signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof BucketError)) throw new Error(`it threw ${String(error)}`);
  return error.reason.detail;
}

describe('bucket check', () => {
  it('writes an object, reads it and deletes it', async () => {
    await check().run(bucketOf(), new AbortController().signal);
    const path = 'janes-backups/moorage/pangolin/moorage-check-abcdefgh12345678';
    expect(s3.requests).toEqual([`PUT ${path}`, `GET ${path}`, `DELETE ${path}`]);
    expect(s3.objects.size).toBe(0);
  });

  it.each<[string, Partial<Bucket>, string]>([
    ['another access key', { keyId: 'AKIAOTHER' }, 'The storage does not accept these keys.'],
    ['a wrong secret key', { key: 'guessed' }, 'The storage does not accept these keys.'],
    ['a missing bucket', { bucket: 'others' }, 'The storage has no bucket named others.'],
    ['another region', { region: 'us-east-1' }, 'The bucket is not in the region us-east-1.'],
  ])('reports the problem: %s', async (_, change, sentence) => {
    expect(await problem(change)).toBe(sentence);
  });

  it.each([
    ['PUT', "These keys can't write to the bucket."],
    ['GET', "These keys can write to the bucket, but can't read from it."],
    ['DELETE', expect.stringContaining("These keys can't delete in the bucket.")],
  ])('reports the missing permission: %s', async (method, sentence) => {
    s3.denied = [method];
    expect(await problem()).toEqual(sentence);
  });

  it('does not accept a service that returns other data than was written', async () => {
    s3.before = (request) => {
      if (request.startsWith('GET')) for (const path of s3.objects.keys()) s3.objects.set(path, Buffer.from('hello'));
    };
    expect(await problem()).toBe(`${HOST} responded with status 200, which S3 storage doesn't do here.`);
  });

  it('reports an invalid certificate', async () => {
    expect(await problem({}, check({ isTrusted: false }))).toBe(`The certificate of ${HOST} is not valid.`);
    expect(s3.requests).toEqual([]);
  });

  it('reports an address that does not respond', async () => {
    expect(await problem({ endpoint: `https://${HOST}:1` })).toBe(`${HOST} is not responding.`);
  });
});

describe('bucket at a non-public address', () => {
  const strict = () => check({ allowed: [] });

  it.each(['127.0.0.1', '10.0.0.8', '169.254.169.254', '[::1]', '[fd00::1]'])(
    'is not connected to: %s',
    async (host) => {
      expect(await problem({ endpoint: `https://${host}:${s3.port}` }, strict())).toMatch(
        /does not resolve to a public address/,
      );
      expect(s3.requests).toEqual([]);
    },
  );

  it('is not connected to by a name that resolves to it', async () => {
    expect(await problem({}, strict())).toBe(`${HOST} does not resolve to a public address.`);
    expect(s3.requests).toEqual([]);
  });

  it('is not connected to by a name that resolves to it from the second connection', async () => {
    let requested = 0;
    const rebound: Resolve = (_, __, callback) =>
      callback(null, [{ address: ++requested === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    expect(await problem({}, check({ resolve: rebound }))).toBe(`${HOST} does not resolve to a public address.`);
    expect(s3.requests.map((request) => request.split(' ')[0])).toEqual(['PUT']);
  });
});
