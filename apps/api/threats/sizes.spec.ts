import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Call } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { z } from 'zod';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { addressOf, EXAMPLES, nameOf } from '@moorage/tests/services/api/threats';

const CHANGING = ALL_CALLS.filter(({ method }) => method !== 'GET');
const WITH_BODY = ALL_CALLS.filter(({ body }) => body !== undefined);
const WITH_QUERY = ALL_CALLS.filter(({ query }) => query !== undefined);
const KB = 1024;

const shapeOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** Oversized values, each within 64 kB. */
const TOO_MUCH: Readonly<Record<string, unknown>> = {
  'a long text': 'x'.repeat(60_000),
  'a long number': '9'.repeat(60_000),
  'a long text of two bytes a letter': 'é'.repeat(30_000),
  'a long name': `${'a.'.repeat(30_000)}example.com`,
  'many spaces': ' '.repeat(60_000),
  'a long list of texts': Array.from({ length: 10_000 }, () => 'x'),
  'a long list of lists': Array.from({ length: 10_000 }, () => []),
  'many fields': Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`field${n}`, n])),
  'a huge number': 1e308,
  'a huge debt': -1e308,
  'a number that is not exact': 2 ** 53,
  'more decimals than money has': 0.000_000_1,
};

/** Tries each field of these schemas with each value. Returns those accepted, unless trimming leaves nothing. */
function taken(rows: readonly (readonly [name: string, schema: z.ZodType | undefined, example: object])[]): string[] {
  return rows.flatMap(([name, schema, example]) =>
    shapeOf(schema).flatMap((field) =>
      Object.entries(TOO_MUCH)
        .filter(([, value]) => {
          const parsed = schema?.safeParse({ ...example, [field]: value });
          const left = parsed?.success === true ? (parsed.data as Record<string, unknown>)[field] : '';
          return left !== '' && left !== undefined;
        })
        .map(([what]) => `${name}: ${field} takes ${what}`),
    ),
  );
}

/** S27: the size of input is limited in every call. */
describe('size limits', () => {
  let api: ApiHarness;
  let admin: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    admin = await api.admin();
  });
  afterAll(() => api.close());

  const send = (call: Call, payload: string, type = 'application/json') =>
    api.api.app.inject({
      method: call.method,
      url: addressOf(call),
      headers: { ...admin.auth, 'content-type': type },
      payload,
    });
  const code = ({ statusCode, body }: { statusCode: number; body: string }) => [
    statusCode,
    (JSON.parse(body) as { code?: string }).code,
  ];

  it.each(CHANGING.map((call) => [nameOf(call), call] as const))(
    '%s rejects a body that is one byte too long',
    async (name, call) => {
      const most = (call.access === 'webhook' ? 512 : 64) * KB;
      const json = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
      expect(code(await send(call, json(most + 1)))).toEqual([413, 'BODY_TOO_LARGE']);
      // Logging out would end the session of the other calls.
      if (name !== 'POST /auth/logout') expect((await send(call, json(most))).statusCode).not.toBe(413);
      if (call.form === true) {
        const form = `username=${'x'.repeat(most)}`;
        expect(code(await send(call, form, 'application/x-www-form-urlencoded'))).toEqual([413, 'BODY_TOO_LARGE']);
      }
    },
  );

  it('cuts off a body without a declared length', async () => {
    const { port } = api.api.app.getHttpServer().address() as AddressInfo;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const requested = request({
        port,
        host: '127.0.0.1',
        path: '/api/users',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      });
      requested.once('response', (answer) => (answer.resume(), resolve(answer.statusCode)));
      requested.once('error', reject);
      requested.write(`{"username":"${'x'.repeat(40 * KB)}`);
      requested.end(`${'x'.repeat(40 * KB)}"}`);
    });
    expect(status).toBe(413);
  });

  it.each(WITH_BODY.map((call) => [nameOf(call), call] as const))('%s rejects deep nesting', async (name, call) => {
    for (const depth of [13, 5_000]) {
      const beside = JSON.stringify({ ...EXAMPLES[name], deep: 0 }).slice(0, -'0}'.length);
      for (const [open, shut] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const deep = `${beside}${open.repeat(depth)}1${shut.repeat(depth)}}`;
        expect(code(await send(call, deep))).toEqual([422, 'FIELDS_INVALID']);
      }
    }
  });

  it('limit every field of a body to a realistic length', () => {
    expect(taken(WITH_BODY.map((call) => [nameOf(call), call.body, EXAMPLES[nameOf(call)] ?? {}]))).toEqual([]);
  });

  it('limit every part of a path and every query field', () => {
    const ids = {
      id: '1',
      backup_id: '1',
      key_id: '1',
      name: 'x',
      provider: 'x',
      region: 'x',
      code: 'x',
      session_id: 'cs_test_0000000000000000000',
    };
    expect(taken(ALL_CALLS.map((call) => [nameOf(call), call.params, ids]))).toEqual([]);
    const queries = { token: 'a-token-of-nobody-0000', user: 'jane', level: '2' };
    expect(taken(WITH_QUERY.map((call) => [nameOf(call), call.query, queries]))).toEqual([]);
  });

  it.each(WITH_BODY.map((call) => [nameOf(call), call] as const))(
    '%s: responds with a short message when all fields are too long',
    async (_, call) => {
      const fields = shapeOf(call.body);
      const each = Math.floor((60 * KB) / fields.length) - 60;
      const long = Object.fromEntries(fields.map((field) => [field, 'y'.repeat(each)]));
      const answer = await send(call, JSON.stringify(long));
      expect(code(answer)).toEqual([422, 'FIELDS_INVALID']);
      expect(answer.body.length).toBeLessThan(12 * KB);
      expect(answer.body).not.toContain('yyyyyy');
    },
  );

  describe('lists', () => {
    const most: Readonly<Record<string, number>> = {
      page: CONSTANTS.pagedRowsMax,
      per_page: 100,
      days_per_page: 100,
    };
    const paged = WITH_QUERY.flatMap((call) =>
      shapeOf(call.query)
        .filter((field) => most[field] !== undefined)
        .map((field) => [nameOf(call), field, call] as const),
    );
    const searched = WITH_QUERY.flatMap((call) =>
      shapeOf(call.query)
        .filter((field) => ['search', 'user'].includes(field))
        .map((field) => [nameOf(call), field, call] as const),
    );

    it('exist', () => {
      expect([paged.length > 6, searched.length > 3]).toEqual([true, true]);
    });

    it.each(paged)('%s: limits the page with %s', async (_, field, call) => {
      for (const value of [
        `${Math.max(most[field] ?? 0, 100_000) + 1}`,
        '0',
        '-1',
        '1e3',
        '0x10',
        '9'.repeat(15_000),
      ]) {
        const url = `${addressOf(call)}?user=nobody&${field}=${value}`;
        expect(code(await api.api.app.inject({ url, headers: admin.auth }))).toEqual([422, 'FIELDS_INVALID']);
      }
      if (field !== 'page') {
        const url = `${addressOf(call)}?user=nobody&${field}=101`;
        expect(code(await api.api.app.inject({ url, headers: admin.auth }))).toEqual([422, 'FIELDS_INVALID']);
      }
    });

    it.each(searched)('%s: limits the search with %s', async (_, field, call) => {
      const url = `${addressOf(call)}?${field}=${'x'.repeat(255)}`;
      expect(code(await api.api.app.inject({ url, headers: admin.auth }))).toEqual([422, 'FIELDS_INVALID']);
    });
  });

  it.each([
    ['a long address', `/api/${'x'.repeat(14_000)}`, 404],
    ['a long id', `/api/deployments/${'1'.repeat(14_000)}`, 404],
    ['a long unused query parameter', `/api/auth/me?x=${'x'.repeat(14_000)}`, 200],
    ['many unused query parameters', `/api/auth/me?${'x&'.repeat(7_000)}`, 200],
  ])('handles %s', async (_, url, status) => {
    expect((await api.api.app.inject({ url, headers: admin.auth })).statusCode).toBe(status);
  });

  it('rejects a URL or headers of more than 16 kB before reading anything', async () => {
    expect((await api.http.get(`/api/auth/me?x=${'x'.repeat(17 * KB)}`)).status).toBe(431);
    expect((await api.http.get('/api/auth/me').set('authorization', `Bearer ${'x'.repeat(17 * KB)}`)).status).toBe(431);
    expect((await api.http.get('/api/auth/me').set('authorization', `Bearer ${'x'.repeat(15 * KB)}`)).status).toBe(401);
  });
});
