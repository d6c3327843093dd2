// The certificate library requires this import first.
import 'reflect-metadata';
import { createHash, createHmac, webcrypto } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface S3Api {
  readonly port: number;
  /** The certificate, which is its own authority. */
  readonly ca: string;
  /** Objects by bucket and key, such as `janes-backups/folder/name`. */
  readonly objects: Map<string, Buffer>;
  /** Requests with a valid signature, such as `PUT bucket/key`. */
  readonly requests: string[];
  /** Methods that the keys may not use. */
  denied: readonly string[];
  /** Called before the response to a request. */
  before: (request: string) => void | Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** Host names in the certificate. */
  readonly host: string;
  readonly buckets: readonly string[];
  readonly keyId: string;
  readonly key: string;
  readonly region: string;
}

/**
 * Opens an API with the parts of S3 that restic and a check use, over https on loopback. It verifies signatures as S3
 * does.
 */
export async function openS3Api(options: Options): Promise<S3Api> {
  const { cert, key } = await certificateOf(options.host);
  const server = createServer({ cert, key }, (request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: S3Api = {
    port: (server.address() as AddressInfo).port,
    ca: cert,
    objects: new Map(),
    requests: [],
    denied: [],
    before: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', `https://${options.host}`);
    const path = decodeURIComponent(url.pathname).slice(1);
    const [bucket = ''] = path.split('/');
    const refuse = (status: number, code: string): void =>
      void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
    const content = contentOf(headers, await bodyOf(request));
    const wrong = refusalOf(request, options);
    if (wrong !== null) return refuse(...wrong);
    api.requests.push(`${method} ${path}`);
    await api.before(`${method} ${path}`);
    if (!options.buckets.includes(bucket)) return refuse(404, 'NoSuchBucket');
    if (api.denied.includes(method)) return refuse(403, 'AccessDenied');
    if (method === 'HEAD' && path.replace(/\/$/, '') === bucket) return void response.end();
    if (method === 'GET' && path.split('/').length < 3 && url.searchParams.has('list-type'))
      return void response.end(listing(api.objects, bucket, url.searchParams.get('prefix') ?? ''));
    switch (method) {
      case 'PUT':
        api.objects.set(path, content);
        return void response.writeHead(200, { etag: etagOf(content) }).end();
      case 'DELETE':
        api.objects.delete(path);
        return void response.writeHead(204).end();
      default: {
        const found = api.objects.get(path);
        return found === undefined ? refuse(404, 'NoSuchKey') : send(request, response, found);
      }
    }
  }
  return api;
}

function send({ method, headers }: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const last = to === '' ? content.length - 1 : Math.min(Number(to), content.length - 1);
  const part = content.subarray(Number(from), last + 1);
  response.writeHead(headers.range === undefined ? 200 : 206, {
    'content-length': part.length,
    'content-range': `bytes ${from}-${last}/${content.length}`,
    'last-modified': new Date(0).toUTCString(),
    etag: etagOf(content),
  });
  response.end(method === 'HEAD' ? undefined : part);
}

const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`;

function listing(objects: ReadonlyMap<string, Buffer>, bucket: string, prefix: string): string {
  const found = [...objects].filter(([path]) => path.startsWith(`${bucket}/${prefix}`));
  const rows = found.map(
    ([path, content]) =>
      `<Contents><Key>${path.slice(bucket.length + 1)}</Key><Size>${content.length}</Size><ETag>${etagOf(content)}</ETag><LastModified>2026-12-01T00:00:00.000Z</LastModified></Contents>`,
  );
  return `<ListBucketResult><Name>${bucket}</Name><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Extracts the content from `aws-chunked`. */
function contentOf(headers: IncomingMessage['headers'], body: Buffer): Buffer {
  if (!String(headers['x-amz-content-sha256']).startsWith('STREAMING')) return body;
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, end), 16);
    if (!(length > 0)) break;
    parts.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return Buffer.concat(parts);
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the error for an invalid signature
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
 */
function refusalOf({ method, url = '/', headers }: IncomingMessage, options: Options): [number, string] | null {
  const [, keyId, day, region, names = '', signature] =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (keyId !== options.keyId) return [403, 'InvalidAccessKeyId'];
  if (region !== options.region) return [400, 'AuthorizationHeaderMalformed'];
  const [path = '', query = ''] = url.split('?');
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const sorted = query
    .split('&')
    .filter(Boolean)
    .sort()
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const hash = String(headers['x-amz-content-sha256']);
  const canonical = [method, path, sorted.join('&'), signedHeaders.join(''), names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>((so, part) => hmac(so, part), `AWS4${options.key}`);
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  return hmac(key, text).toString('hex') === signature ? null : [403, 'SignatureDoesNotMatch'];
}

async function certificateOf(host: string): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${host}`,
      notBefore: new Date('2020-01-01T00:00:00Z'),
      notAfter: new Date('2120-01-01T00:00:00Z'),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      ],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}
