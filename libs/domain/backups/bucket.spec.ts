import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../time';
import {
  bucketEndpoint,
  bucketFolder,
  bucketHost,
  bucketRepository,
  bucketRetryAt,
  checkBucketEndpoint,
  checkBucketFolder,
  checkBucketKey,
  checkBucketName,
  checkBucketRegion,
  refusalOfBucket,
} from './bucket';

const code = (refusal: { readonly code: string } | null): string | null => refusal?.code ?? null;

describe('bucket address', () => {
  it.each([
    ['https://s3.eu-central-1.amazonaws.com', null],
    ['https://minio.example.com:9000', null],
    ['s3.example.com/', null],
    ['https://5.9.9.9', null],
    ['https://[2a01:4f8::1]:9000', null],
    ['http://s3.example.com', 'backup.bucket_endpoint'],
    ['https://s3.example.com/bucket', 'backup.bucket_endpoint'],
    ['https://jane:secret@s3.example.com', 'backup.bucket_endpoint'],
    ['https://s3.example.com?x=1', 'backup.bucket_endpoint'],
    ['https://s3.example.com:0', 'backup.bucket_endpoint'],
    ['https://s3.example.com:65536', 'backup.bucket_endpoint'],
    ['https://localhost', 'backup.bucket_endpoint'],
    ['https://intranet', 'backup.bucket_endpoint'],
    ['', 'backup.bucket_endpoint'],
    ['https://127.0.0.1', 'backup.bucket_private'],
    ['https://10.0.0.8:9000', 'backup.bucket_private'],
    ['https://169.254.169.254', 'backup.bucket_private'],
    ['https://2130706433', 'backup.bucket_private'],
    ['https://0177.0.0.1', 'backup.bucket_private'],
    ['https://[::1]', 'backup.bucket_private'],
    ['https://[::ffff:10.0.0.1]', 'backup.bucket_private'],
    ['https://[fd00::1]', 'backup.bucket_private'],
  ])('%s', (endpoint, refusal) => {
    expect(code(checkBucketEndpoint(endpoint))).toBe(refusal);
  });

  it('is stored with its scheme and without a trailing slash', () => {
    expect(bucketEndpoint(' S3.Example.com/ ')).toBe('https://s3.example.com');
    expect(bucketHost('https://[2a01:4f8::1]:9000')).toEqual({ host: '2a01:4f8::1', port: 9000 });
    expect(bucketHost('https://s3.example.com')).toEqual({ host: 's3.example.com', port: 443 });
  });
});

describe('other bucket fields', () => {
  it.each([
    [checkBucketName, 'janes-backups', null],
    [checkBucketName, 'ab', 'backup.bucket_name'],
    [checkBucketName, 'Jane', 'backup.bucket_name'],
    [checkBucketName, 'a/b', 'backup.bucket_name'],
    [checkBucketName, 'a..b', 'backup.bucket_name'],
    [checkBucketRegion, 'eu-central-1', null],
    [checkBucketRegion, 'eu central', 'backup.bucket_region'],
    [checkBucketRegion, '', 'backup.bucket_region'],
    [checkBucketFolder, '', null],
    [checkBucketFolder, '/moorage/pangolin_1/', null],
    [checkBucketFolder, '../other', 'backup.bucket_folder'],
    [checkBucketFolder, 'a//b', 'backup.bucket_folder'],
    [checkBucketFolder, 'a b', 'backup.bucket_folder'],
    [checkBucketFolder, 'a'.repeat(201), 'backup.bucket_folder'],
    [checkBucketKey, 'AKIAIOSFODNN7EXAMPLE', null],
    [checkBucketKey, 'wJalr/XUtn+FEMI=', null],
    [checkBucketKey, 'two words', 'backup.bucket_key'],
    [checkBucketKey, '', 'backup.bucket_key'],
    [checkBucketKey, 'a'.repeat(201), 'backup.bucket_key'],
  ])('%p accepts %s', (check, text, refusal) => {
    expect(code(check(text))).toBe(refusal);
  });

  it('name a repository for this deployment only', () => {
    const place = { endpoint: 'https://s3.example.com', bucket: 'jane', folder: bucketFolder('/moorage/') };
    expect(bucketRepository(place, 'abc')).toBe('s3:https://s3.example.com/jane/moorage/abc');
    expect(bucketRepository({ ...place, folder: '' }, 'abc')).toBe('s3:https://s3.example.com/jane/abc');
  });
});

it('retries a failed copy at growing intervals and then with the next backup', () => {
  expect([1, 2, 3, 4, 5, 6].map((failures) => bucketRetryAt(failures, 0))).toEqual([
    5 * MINUTE_MS,
    20 * MINUTE_MS,
    HOUR_MS,
    4 * HOUR_MS,
    null,
    null,
  ]);
});

describe('bucket for a deployment', () => {
  const READY = {
    mode: 'real',
    level: 2,
    status: 'READY',
    desired: 'running',
    isBeingRestored: false,
    copiesIn: 'real',
  } as const;
  it.each<[string, Partial<Parameters<typeof refusalOfBucket>[0]>, string | null]>([
    ['that is backed up', {}, null],
    ['that is new and running', { copiesIn: null }, null],
    ['that is restarting', { status: 'RESTARTING' }, null],
    ['that is being built', { status: 'PROVISIONING', copiesIn: null }, 'backup.not_running'],
    ['at a level without backups', { level: 1 }, 'backup.level'],
    ['without a backup target', { mode: 'off' }, 'backup.off'],
    ['that is being removed', { desired: 'destroyed' }, 'backup.bucket_gone'],
  ])('%s', (_, change, refusal) => {
    expect(code(refusalOfBucket({ ...READY, ...change }))).toBe(refusal);
  });
});
