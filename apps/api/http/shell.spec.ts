import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, type DynamicModule, Get, Module } from '@nestjs/common';
import { ALL_CALLS, CALLS } from '@moorage/contracts';
import { SCHEMA_VERSION } from '@moorage/database';
import { systemClock } from '@moorage/server';
import type { FastifyInstance } from 'fastify';
import { answerTo } from './error-answer';
import { addGuardedRoutes } from './guarded-routes';
import { apiModuleOf } from '@moorage/tests/services/api';
import { createHttpApp, type HttpApp } from './http-app';
import { createHttpListener } from './http-listener';
import { LIMITS } from './limits';
import type { Pages } from './pages';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

@Controller()
class ForgottenController {
  @Get('forgotten')
  forgotten() {
    return 'open to everybody';
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

describe('HTTP shell', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.user('jane');
  });
  afterAll(() => api.close());

  /**
   * Returns the lines with this correlation id, once the line of the response is among them. It is written after the
   * response was sent.
   */
  async function linesOf(id: string): Promise<Record<string, unknown>[]> {
    for (;;) {
      const lines = api
        .logged()
        .split('\n')
        .filter((line) => line.includes(`"${id}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      if (lines.at(-1)?.message === 'request answered') return lines;
      await systemClock().sleep(5);
    }
  }

  describe('at start-up', () => {
    const opened = async (root: DynamicModule, settings = api.settings): Promise<HttpApp['app']> => {
      const http = await createHttpApp(root, { settings, random: api.deps.random, listener: createHttpListener() });
      await http.init();
      return http.app;
    };

    it('fails for a controller method without a row in the table of calls', async () => {
      const root = { module: ForgottenModule, imports: [apiModuleOf(api.deps)] };
      await expect(opened(root)).rejects.toThrow(/GET \/api\/forgotten declares no access/);
    });

    it.each(['/api/beside', '/*', '*', '/:anything/docs-json'])('fails for a page of the shell at %s', async (path) => {
      const pages = {
        add: async (fastify: { get(path: string, handler: () => string): unknown }) =>
          void fastify.get(path, () => 'open'),
        fallback: () => undefined,
      };
      await expect(opened(apiModuleOf(api.deps, { pages }))).rejects.toThrow(/declares no access/);
    });

    it('allows a guarded part to read behind its guard, but not to write', async () => {
      const part = (method: 'GET' | 'POST'): Pages => ({
        add: (fastify) =>
          addGuardedRoutes(fastify, {
            path: '/api/beside',
            guard: async ({ headers }, reply) => {
              if (headers.cookie !== 'mine') await reply.status(401).send('closed');
            },
            routes: async (inside: FastifyInstance) =>
              void inside.route({ method, url: '/page', handler: () => 'open' }),
          }),
        fallback: () => undefined,
      });
      const app = await opened(apiModuleOf(api.deps, { pages: part('GET') }));
      const requested = async (cookie?: string) =>
        (await app.inject({ url: '/api/beside/page', headers: cookie === undefined ? {} : { cookie } })).body;
      expect([await requested(), await requested('mine')]).toEqual(['closed', 'open']);
      await app.close();
      const writing = opened(apiModuleOf(api.deps, { pages: part('POST') }));
      await expect(writing).rejects.toThrow(/POST \/api\/beside\/page declares no access/);
    });

    it('serves pages beside the api, and leaves all unmatched routes to the console', async () => {
      const pages: Pages = {
        add: async (fastify) => void fastify.get('/assets/app.js', () => 'script'),
        fallback: (_request, reply) => void reply.type('text/html').send('<!doctype html>'),
      };
      const app = await opened(apiModuleOf(api.deps, { pages }));
      expect((await app.inject('/assets/app.js')).body).toBe('script');
      expect((await app.inject('/dashboard')).body).toBe('<!doctype html>');
      expect((await app.inject({ url: '/dashboard', method: 'POST' })).statusCode).toBe(404);
      const unknown = await app.inject('/api/nothing');
      expect([unknown.statusCode, unknown.json()]).toEqual([
        404,
        {
          detail: 'There is nothing at this address.',
          code: 'NOT_FOUND',
          message_code: 'access.nothing_here',
          facts: {},
          errors: [],
        },
      ]);
      await app.close();
    });

    it('sends HSTS for a year with every response over https, including pages, files and 404s', async () => {
      const secured = { ...api.deps, settings: { ...api.settings, publicUrl: 'https://moorage.test' } };
      const pages: Pages = {
        add: async (fastify) => void fastify.get('/assets/app.js', () => 'script'),
        fallback: (_request, reply) => void reply.type('text/html').send('<!doctype html>'),
      };
      for (const [deps, expected] of [
        [secured, 'max-age=31536000; includeSubDomains'],
        [api.deps, undefined],
      ] as const) {
        const app = await opened(apiModuleOf(deps, { pages }), deps.settings);
        for (const path of ['/', '/dashboard', '/assets/app.js', '/api/nothing'])
          expect([path, (await app.inject(path)).headers['strict-transport-security']]).toEqual([path, expected]);
        await app.close();
      }
    });

    it('serves every row of the table', () => {
      const served = new Set(api.api.served().map(({ method, path }) => `${method} ${path}`));
      expect(ALL_CALLS.map(({ method, path }) => `${method} ${path}`).filter((row) => !served.has(row))).toEqual([]);
    });

    it('has no duplicate method and path, and only known limits', () => {
      const rows = ALL_CALLS.map(({ method, path }) => `${method} ${path}`);
      expect(new Set(rows).size).toBe(rows.length);
      expect(ALL_CALLS.map(({ limit }) => limit).filter((limit) => limit !== undefined && !(limit in LIMITS))).toEqual(
        [],
      );
    });
  });

  describe('paths', () => {
    it.each(['/api/auth/me', '/api/auth/me/', '/api/auth/me?x=1'])('serves %s', async (path) => {
      expect((await api.http.get(path).set(jane.auth)).status).toBe(200);
    });

    // Path tricks must not bypass the guard (S25). Without a token each of them is refused or unknown, never served.
    it.each([
      '//api/auth/me',
      '/api//auth/me',
      '/api/auth//me',
      '/api/auth/me//',
      '/api/auth%2fme',
      '/api%2fauth%2fme',
      '/%61pi/auth/me',
      '/api/auth/%6de',
      '/API/auth/me',
      '/api/AUTH/me',
      '/api/auth/me;x=1',
      '/api/auth/me%00',
      '/api/auth/./me',
      '/api/x/../auth/me',
      '/api/auth/me/..%2fme',
      '/api/auth/me%20',
      '/api/auth/me#x',
      '/api/auth/me?',
    ])('returns nothing of the account without a token at %s', async (path) => {
      const text = await raw(api, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 (400|401|404) /);
      expect(text).toMatch(/"code":"(UNAUTHENTICATED|NOT_FOUND|BODY_MALFORMED)"/);
    });

    it('treats an absolute URL in the request line like any other', async () => {
      const text = await raw(
        api,
        'GET http://evil.example/api/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      );
      expect(text).toMatch(/^HTTP\/1.1 (400|401|404) /);
    });

    it('rejects HEAD and OPTIONS', async () => {
      expect((await api.http.head('/api/auth/me').set(jane.auth)).status).toBe(405);
      expect((await api.http.options('/api/auth/me')).status).toBe(405);
    });

    it('rejects another method than the declared one and lists the allowed ones', async () => {
      const answer = await api.http.put('/api/auth/login').send({});
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(answer.body).toMatchObject({ code: 'METHOD_NOT_ALLOWED', detail: 'This address accepts POST only.' });
    });

    it.each(['abc', '0', '-1', '1.5', '01', '99999999999999999999', '1e3', '%00', '1%27or%271', '%F0%9F'])(
      'treats the invalid id %s like a missing one',
      async (id) => {
        const answer = await api.http.get(`/api/users/${id}/balance`).set(jane.auth);
        expect([400, 404]).toContain(answer.status);
        expect(answer.body).toMatchObject({ code: expect.stringMatching(/NOT_FOUND|BODY_MALFORMED/) });
      },
    );
  });

  describe('every response', () => {
    it('carries the correlation id of the request, or a new one', async () => {
      const given = await api.http.get('/api/health/live').set('x-correlation-id', 'from-the-gateway.1');
      expect(given.headers['x-correlation-id']).toBe('from-the-gateway.1');
      for (const odd of ['short', 'x'.repeat(65), 'with space 12', 'a"b{}12345']) {
        const answer = await api.http.get('/api/nothing').set('x-correlation-id', odd);
        expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    });

    it('is logged in one line with its path template', async () => {
      await api.http
        .get('/api/users/4711/balance?month=may')
        .set(jane.auth)
        .set('x-correlation-id', 'balance-of-another');
      expect(await linesOf('balance-of-another')).toEqual([
        {
          level: 'debug',
          time: expect.any(String),
          service: 'api',
          message: 'request answered',
          correlation_id: 'balance-of-another',
          method: 'GET',
          route: '/users/{id}/balance',
          status: 404,
          ms: expect.any(Number),
        },
      ]);
    });

    it('publishes events with the same correlation id', async () => {
      await api.http
        .post('/api/users')
        .set('x-correlation-id', 'signup-of-carla')
        .send({ username: 'carla', email: 'carla@example.com', password: 'secret-1' });
      expect(await api.database.sql(`select event_name from outbox where correlation_id = 'signup-of-carla'`)).toEqual([
        { event_name: 'user.registered' },
      ]);
    });

    it.each(['/api/health/live', '/api/nothing', '/api/auth/me', '/api/stripe/test-checkout/x', '/%61pi/health/live'])(
      'has restrictive browser headers at %s',
      async (path) => {
        const { headers } = await api.http.get(path);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      },
    );

    it('allows no other origin', async () => {
      const answer = await api.http
        .options('/api/auth/login')
        .set({ origin: 'https://evil.example', 'access-control-request-method': 'POST' });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('unexpected errors', () => {
    it('reveal no internals and are found in the log by their correlation id', () => {
      const answer = answerTo(new TypeError("Cannot read properties of undefined (reading 'secret-value')"));
      expect([answer.status, answer.body.code, answer.unexpected]).toEqual([500, 'INTERNAL_ERROR', true]);
      expect(JSON.stringify(answer.body)).not.toContain('secret-value');
    });

    it.each([
      { code: 'ECONNREFUSED' },
      { driverError: { code: '57P01' } },
      { driverError: { code: '55P03' } },
      { driverError: { code: '57014' } },
      { driverError: { code: '53100' } },
      { driverError: { code: '53300' } },
      { driverError: { code: '25006' } },
      { driverError: { code: '08006' } },
      { driverError: { code: '40P01' } },
      new Error('Connection terminated unexpectedly'),
    ])('are reported as an unavailable database for %p', (error) => {
      const answer = answerTo(error);
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '5',
      ]);
    });

    it('are not reported as an unavailable database after a mistake in our SQL', () => {
      expect(answerTo({ driverError: { code: '42P01' } }).status).toBe(500);
      expect(answerTo({ driverError: { code: '23505' } }).status).toBe(500);
    });

    it('return 500 with a message when a table fails, and log the call without values', async () => {
      await api.database.sql('alter table sessions rename to sessions_away');
      const answer = await api.http.get('/api/auth/me').set(jane.auth).set('x-correlation-id', 'broken-sessions');
      await api.database.sql('alter table sessions_away rename to sessions');
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([500, 'INTERNAL_ERROR']);
      const lines = await linesOf('broken-sessions');
      expect(lines[0]).toMatchObject({ message: 'request failed', call: 'GET /auth/me', sql_state: '42P01' });
      expect(lines[1]).toMatchObject({ level: 'info', message: 'request answered', status: 500 });
      expect(JSON.stringify(lines)).not.toContain(jane.token);
    });
  });

  it('documents every call with the schemas that validate it', async () => {
    const { body } = (await api.http.get('/api/docs-json')) as {
      body: { openapi: string; paths: Record<string, Record<string, { summary: string }>> };
    };
    expect(body.openapi).toBe('3.1.0');
    for (const call of ALL_CALLS)
      expect(body.paths[call.path]?.[call.method.toLowerCase()]?.summary).toBe(call.summary);
    expect(body.paths['/users']?.post).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { required: ['username', 'email', 'password'] } } } },
      responses: {
        201: {},
        409: { description: '`ACCOUNT_EXISTS`: The username or email address is already in use.' },
      },
    });
    expect(CALLS.users.signup.path).toBe('/users');
  });

  it('returns 304 to a client that already has the description', async () => {
    const first = await api.http.get('/api/docs-json');
    const again = (tag: string) => api.http.get('/api/docs-json').set('if-none-match', tag);
    const { etag = '' } = first.headers as { etag?: string };
    expect(first.headers['cache-control']).toContain('public');
    expect([(await again(etag)).status, (await again(`W/${etag}`)).status, (await again('"other"')).status]).toEqual([
      304, 304, 200,
    ]);
  });

  it('is ready when all required migrations are applied, and not when one is missing', async () => {
    expect((await api.http.get('/api/health/ready')).body).toMatchObject({ status: 'ready' });
    await api.database.sql(`insert into migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`);
    expect((await api.http.get('/api/health/ready')).body).toMatchObject({ status: 'ready' });
    await api.database.sql(`delete from migrations where name = 'Later9999999999999'`);
    await api.database.sql(`update migrations set name = 'gone ' || name where name = $1`, [SCHEMA_VERSION]);
    const answer = await api.http.get('/api/health/ready');
    await api.database.sql(`update migrations set name = $1 where name = 'gone ' || $1`, [SCHEMA_VERSION]);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});

describe('client keys', () => {
  it('are required by every call except webhooks and links that browsers open', async () => {
    const api = await apiHarness({ settings: { clientKeys: ['console-key', 'next-key'] } });
    try {
      const status = async (path: string, headers: Record<string, string> = {}) =>
        (await api.http.get(path).set(headers)).status;
      expect(await status('/api/auth/me')).toBe(401);
      expect((await api.http.get('/api/auth/me')).body).toMatchObject({ code: 'CLIENT_KEY_WRONG' });
      expect((await api.http.get('/api/auth/me').set('x-api-key', 'other')).body).toMatchObject({
        code: 'CLIENT_KEY_WRONG',
      });
      expect((await api.http.get('/api/auth/me').set('x-api-key', 'next-key')).body).toMatchObject({
        code: 'UNAUTHENTICATED',
      });
      expect(await status('/api/health/ready')).toBe(200);
      expect((await api.http.post('/api/webhooks/stripe').type('json').send('{}')).body).toMatchObject({
        code: 'SIGNATURE_INVALID',
      });
    } finally {
      await api.close();
    }
  });
});

/** Sends a request verbatim, for addresses that clients would normalise. */
function raw(api: ApiHarness, request: string): Promise<string> {
  const { port } = api.api.app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
