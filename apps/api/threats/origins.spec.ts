import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Call } from '@moorage/contracts';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { addressOf, nameOf } from '@moorage/tests/services/api/threats';

const OTHERS = [
  'https://evil.example',
  // The installation's host in another position.
  'https://moorage.test.evil.example',
  'https://evil.example?moorage.test',
  'http://moorage.test@evil.example',
  'https://moorage.test:8443',
  'http://moorage.test.',
  'null',
  '',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  'http://moorage.test, https://evil.example',
];

const CHANGING = ALL_CALLS.filter(({ method }) => method !== 'GET');

/**
 * S24: no call reads a cookie, so a foreign page has no rights to use. (The only cookie opens the board of the queues,
 * which is no call and is read-only, and no foreign page sends it.) No response has a CORS header, so a foreign page
 * reads nothing. Preflights are refused, so it sends neither JSON nor a bearer. Forms remain, and the only form that
 * opens something (login) is refused from another origin. The form of the test checkout is accepted from any origin:
 * its page has no referrer, so browsers send `null`, and its address is the secret.
 */
describe('other origins', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.user();
  });
  afterAll(() => api.close());

  const login = (headers: Record<string, string>, password = jane.password) =>
    api.http.post('/api/auth/login').type('form').set(headers).send({ username: jane.email, password });
  const send = (call: Call, headers: Record<string, string>) =>
    api.api.app.inject({ method: call.method, url: addressOf(call), headers });
  const grants = (headers: Readonly<Record<string, unknown>>): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'set-cookie');
  const code = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];

  it.each(OTHERS)('rejects a login from %j without checking its password', async (origin) => {
    const rows = await api.database.sql(`select key, points from rate_limits where key like 'login%' order by key`);
    const right = await login({ origin });
    const wrong = await login({ origin }, 'wrong-password');
    expect([code(right), code(wrong)]).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ]);
    expect([grants(right.headers), right.body]).toEqual([[], wrong.body]);
    // A foreign page cannot use up the attempts of its visitors.
    expect(await api.database.sql(`select key, points from rate_limits where key like 'login%' order by key`)).toEqual(
      rows,
    );
  });

  it('accepts a login from our own pages and from programs', async () => {
    expect((await login({ origin: 'http://moorage.test' })).status).toBe(200);
    expect((await login({})).status).toBe(200);
  });

  const AT = ['http://127.0.0.1:5173', 'http://localhost:3000', 'http://[::1]:3000', 'http://192.168.1.5:3000'];
  it.each(AT)('accepts a login from a demo reached at %s, but not from another port', async (origin) => {
    const { host } = new URL(origin);
    expect((await login({ origin, host })).status).toBe(200);
    expect(code(await login({ origin, host: `${host}1` }))).toEqual([403, 'FORBIDDEN']);
  });

  it('rejects a foreign name that resolves here, even if the request came to it', async () => {
    for (const name of ['evil.example:3000', 'localhost.evil.example:3000', '127.0.0.1.evil.example'])
      expect(code(await login({ origin: `http://${name}`, host: name }))).toEqual([403, 'FORBIDDEN']);
  });

  it('accepts only the public address in production', async () => {
    const production = await apiHarness({
      beside: api,
      settings: { mode: 'production', stripe: { secretKey: 'sk_live_x', webhookSecrets: ['whsec_x'], apiBase: null } },
    });
    const from = (origin: string) =>
      production.http
        .post('/api/auth/login')
        .type('form')
        .set({ origin, host: new URL(origin).host })
        .send({ username: jane.email, password: jane.password });
    expect(code(await from('http://127.0.0.1:3000'))).toEqual([403, 'FORBIDDEN']);
    expect((await from('http://moorage.test')).status).toBe(200);
    await production.close();
  });

  it.each(CHANGING.map((call) => [nameOf(call), call] as const))(
    '%s: no preflight, no CORS header, no cookie',
    async (_, call) => {
      for (const origin of ['https://evil.example', 'null', 'http://moorage.test']) {
        const preflight = await api.api.app.inject({
          method: 'OPTIONS',
          url: addressOf(call),
          headers: {
            origin,
            'access-control-request-method': call.method,
            'access-control-request-headers': 'authorization,content-type',
            'access-control-request-private-network': 'true',
          },
        });
        expect([preflight.statusCode, grants(preflight.headers)]).toEqual([405, []]);
        const { headers } = await send(call, { origin });
        expect(grants(headers)).toEqual([]);
      }
    },
  );

  // A callback of a cloud may be plain text. It has a verification of its own and involves no visitor.
  it.each(
    CHANGING.filter(({ form, plain_text: text }) => form !== true && text !== true).map(
      (call) => [nameOf(call), call] as const,
    ),
  )('%s: rejects what a page can send without a preflight', async (_, call) => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const { statusCode } = await api.api.app.inject({
        method: call.method,
        url: addressOf(call),
        headers: { origin: 'https://evil.example', 'content-type': type },
        payload: '{"email":"jane@example.com"}',
      });
      expect([401, 415]).toContain(statusCode);
    }
  });

  it('grants nothing for a cookie', async () => {
    const cookie = ['authorization', 'token', 'access_token', 'session'].map((name) => `${name}=${jane.token}`);
    const answer = await api.http.get('/api/auth/me').set('cookie', cookie.join('; '));
    expect(code(answer)).toEqual([401, 'UNAUTHENTICATED']);
  });
});
