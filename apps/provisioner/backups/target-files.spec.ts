import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BackupTarget } from '@moorage/runtime';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { signed, targetFilesOf } from './target-files';

const REF = 'abcdefgh12345678';
const PACK = 'a'.repeat(64);

/** Files at the target by path, and the requests that it received. */
let files: Set<string>;
let requested: string[];
/** Status with which a failing target responds to every request. */
let status: number | null;
let server: Server;
let origin: string;

beforeEach(async () => {
  files = new Set();
  requested = [];
  status = null;
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://target');
    requested.push(`${request.method} ${url.pathname}`);
    response.statusCode = status ?? answer(request.method ?? '', url, (text) => response.write(text));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

/** Responds like a rest-server, or like a bucket named `bucket`. */
function answer(method: string, { pathname, searchParams }: URL, write: (text: string) => void): number {
  if (method === 'DELETE') return files.delete(pathname) ? 200 : 404;
  const prefix = searchParams.get('prefix');
  if (prefix !== null) {
    const keys = [...files].filter((path) => path.startsWith(`/bucket/${prefix}`)).slice(0, 3);
    write(keys.map((path) => `<Contents><Key>${path.slice('/bucket/'.length)}</Key></Contents>`).join(''));
    return 200;
  }
  const names = [...files].filter((path) => path.startsWith(pathname)).map((path) => path.slice(pathname.length));
  if (names.length === 0) return 404;
  write(JSON.stringify(names.map((name) => ({ name, size: 1 }))));
  return 200;
}

const rest = (): BackupTarget => ({ kind: 'rest', url: new URL(`${origin}/`), user: 'platform', password: 'x' });
const bucket = (): BackupTarget => ({
  kind: 's3',
  url: new URL(`${origin}/bucket/some%20where`),
  keyId: 'key',
  key: 'x',
  region: 'us-east-1',
});
const removeAll = (target: BackupTarget): Promise<void> =>
  targetFilesOf(target, fixtureClock()).removeAll(REF, new AbortController().signal);

describe('removing all files of a repository', () => {
  it('deletes them from a rest-server, configuration last', async () => {
    for (const type of ['keys', 'data', 'snapshots']) files.add(`/${REF}/${type}/${PACK}`);
    files.add(`/${REF}/config`).add(`/another/config`);
    await removeAll(rest());
    expect([...files]).toEqual(['/another/config']);
    expect(requested.at(-1)).toBe(`DELETE /${REF}/config`);
    await removeAll(rest());
  });

  it('deletes them from a bucket page by page, and those of no other repository', async () => {
    const folder = `/bucket/some where/${REF}`;
    const names = ['config', ...[1, 2, 3, 4, 5].map((n) => `data/0${n}/${PACK}`)];
    for (const name of names) files.add(`${folder}/${name}`.replace(' ', '%20'));
    files.add('/bucket/some%20where/another/config');
    // Keys are listed unescaped and percent-encoded in URLs.
    const listed = files;
    files = new Set([...listed].map((path) => decodeURIComponent(path)));
    const real = files.delete.bind(files);
    files.delete = (path) => real(decodeURIComponent(path));
    await removeAll(bucket());
    expect([...files]).toEqual(['/bucket/some where/another/config']);
    expect(requested.at(-1)).toBe(`DELETE /bucket/some%20where/${REF}/config`);
  });

  it.each([
    [403, 'refused'],
    [500, 'silent'],
    [302, 'failed'],
  ])('deletes nothing when the target responds with %s', async (code, problem) => {
    status = code;
    for (const target of [rest(), bucket()])
      await expect(removeAll(target)).rejects.toMatchObject({ name: 'CopyStoreError', problem });
  });

  it('deletes nothing when the target does not respond', async () => {
    server.close();
    server.closeAllConnections();
    for (const target of [rest(), bucket()])
      await expect(removeAll(target)).rejects.toMatchObject({ problem: 'silent' });
  });

  it('deletes nothing when the target lists anything unexpected', async () => {
    files.add(`/${REF}/data/../../another/config`).add(`/${REF}/data/x`);
    await expect(removeAll(rest())).rejects.toMatchObject({ problem: 'failed' });
  });
});

describe('AWS signature', () => {
  // Example "GET Bucket (List Objects)" of
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
  it('matches the published example', () => {
    const target = {
      kind: 's3',
      url: new URL('https://examplebucket.s3.amazonaws.com/'),
      keyId: 'AKIAIOSFODNN7EXAMPLE',
      key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
    } as const;
    const url = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J');
    expect(signed('GET', url, target, Date.parse('2013-05-24T00:00:00Z')).authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
        'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });
});
