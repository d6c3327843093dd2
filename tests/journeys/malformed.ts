import { gzipSync } from 'node:zlib';

/**
 * Requests that cannot be parsed, with the expected response in every way of running (M3 of the second security
 * review).
 */
export interface Malformed {
  readonly what: string;
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly type?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly encoding?: string;
  readonly status: number;
  readonly code: string;
}

const KB = 1024;

export const MALFORMED: readonly Malformed[] = [
  { what: 'no JSON', body: 'not json', status: 400, code: 'BODY_MALFORMED' },
  { what: 'half JSON', body: '{"username":', status: 400, code: 'BODY_MALFORMED' },
  {
    what: 'a form',
    type: 'application/x-www-form-urlencoded',
    body: 'a=b',
    status: 415,
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  {
    what: 'multipart',
    type: 'multipart/form-data; boundary=x',
    body: '--x--',
    status: 415,
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  { what: 'an archive', type: 'application/gzip', body: 'x', status: 415, code: 'MEDIA_TYPE_UNSUPPORTED' },
  {
    what: 'a compressed body',
    encoding: 'gzip',
    body: new Uint8Array(gzipSync('{"username":"jane"}')),
    status: 400,
    code: 'BODY_MALFORMED',
  },
  {
    what: 'bytes that are not UTF-8',
    body: new Uint8Array([...Buffer.from('{"username":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    status: 400,
    code: 'BODY_MALFORMED',
  },
  { what: 'no media type', type: '', body: new Uint8Array([0x7b]), status: 415, code: 'MEDIA_TYPE_UNSUPPORTED' },
  { what: 'lists in lists', body: '['.repeat(20_000) + ']'.repeat(20_000), status: 422, code: 'FIELDS_INVALID' },
  {
    what: 'half JSON for the board',
    path: '/api/admin/queues/session',
    body: '{"name":',
    status: 400,
    code: 'BODY_MALFORMED',
  },
  { what: 'too much', body: `"${'x'.repeat(65 * KB)}"`, status: 413, code: 'BODY_TOO_LARGE' },
  { what: 'an address that cannot be decoded', method: 'GET', path: '/api/%zz', status: 400, code: 'BODY_MALFORMED' },
  { what: 'an address of nothing', method: 'GET', path: '/api/nothing', status: 404, code: 'NOT_FOUND' },
  {
    what: 'a method that the address does not take',
    path: '/api/pricing',
    body: '{}',
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
  },
];

/** Returns the problems of the response, or an empty list if it is correct. */
export async function faultsOf(
  base: string,
  { method = 'POST', path = '/api/users', type = 'application/json', encoding, body, ...expected }: Malformed,
) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body === undefined || type === '' ? {} : { 'content-type': type }),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const reported = (await answer.json()) as { detail?: unknown; code?: unknown };
  const faults: string[] = [];
  if (answer.status !== expected.status) faults.push(`status ${answer.status}`);
  if (reported.code !== expected.code) faults.push(`code ${String(reported.code)}`);
  if (typeof reported.detail !== 'string' || !reported.detail.endsWith('.') || reported.detail.includes('_'))
    faults.push('no sentence');
  if ('statusCode' in reported || 'error' in reported) faults.push('fields of the framework');
  for (const header of ['x-correlation-id', 'x-content-type-options', 'content-security-policy', 'x-frame-options'])
    if (!answer.headers.has(header)) faults.push(`no ${header}`);
  return faults.map((fault) => `${expected.what}: ${fault}`);
}
