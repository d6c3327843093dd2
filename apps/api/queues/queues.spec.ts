import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

const BOARD = '/api/admin/queues/';
const CLOSED = 'Open the queues from the console.';
/** An address without a server. The page needs no Redis, only its requests do. */
const REDIS = { url: 'redis://127.0.0.1:1', password: 'redis-secret' };

describe('queue board', () => {
  let api: ApiHarness;
  let admin: TestAccount;
  beforeAll(async () => {
    api = await apiHarness({ settings: { queues: REDIS } });
    admin = await api.admin();
  });
  afterAll(() => api.close());

  const opened = async (account: TestAccount, on = api): Promise<{ header: string; cookie: string }> => {
    const { status, headers } = await on.http.post('/api/admin/queues/session').set(account.auth);
    expect(status).toBe(201);
    const [header = ''] = headers['set-cookie'] as unknown as string[];
    return { header, cookie: header.split(';')[0] ?? '' };
  };
  const check = (cookie: string, path = '') => api.http.get(`${BOARD}${path}`).set('cookie', cookie);

  it('is opened by a call that returns its URL and expiry', async () => {
    const { status, body, headers } = await api.http.post('/api/admin/queues/session').set(admin.auth);
    const expires_at = new Date(Math.floor(api.deps.clock.localNow() / 1000) * 1000 + 10 * MINUTE_MS).toISOString();
    expect([status, body]).toEqual([201, { path: BOARD, expires_at }]);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^moorage_queues=[\w-]+\.[\w-]+\.[\w-]+; HttpOnly; SameSite=Strict; Path=\/api\/admin\/queues; Max-Age=600$/,
      ),
    ]);
  });

  it('has a secure cookie only when the installation uses TLS', async () => {
    const secured = await apiHarness({ beside: api, settings: { queues: REDIS, publicUrl: 'https://moorage.test' } });
    const { header, cookie } = await opened(admin, secured);
    expect(header).toMatch(/^__Secure-moorage_queues=.*; Path=\/api\/admin\/queues; .*; Secure$/);
    const status = async (sent: string) => (await secured.http.get(BOARD).set('cookie', sent)).status;
    expect([await status(cookie), await status(cookie.replace('__Secure-', ''))]).toEqual([200, 401]);
    await secured.close();
  });

  it('is a page with its own files and loads nothing from elsewhere', async () => {
    const { cookie } = await opened(admin);
    const page = await check(cookie);
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain(`<base href="${BOARD}" />`);
    expect(page.text).toContain('<title>Moorage</title>');
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("script-src 'self';"),
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    });
    const files = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect([file, (await check(cookie, file)).status]).toEqual([file, 200]);
    // An address of the page's own router, opened manually.
    expect((await check(cookie, 'queue/send-mail')).type).toBe('text/html');
  });

  it('leaves the policy of all other pages unchanged', async () => {
    const { headers } = await api.http.post('/api/admin/queues/session').set(admin.auth);
    expect(headers['content-security-policy']).toContain("default-src 'none'; frame-ancestors 'none'");
  });

  it('reports that Redis is down without revealing its address or credentials', async () => {
    const { cookie } = await opened(admin);
    const { status, body, text } = await check(cookie, 'api/queues');
    expect([status, (body as { message: string }).message]).toEqual([
      500,
      'The queues cannot be read. Is Redis reachable?',
    ]);
    expect(`${text} ${api.logged()}`).not.toMatch(/redis-secret|127\.0\.0\.1:1|ECONNREFUSED/);
  });

  it.each(['post', 'put', 'patch', 'delete'] as const)('rejects %s, even with the cookie', async (method) => {
    const { cookie } = await opened(admin);
    for (const path of ['', 'api/queues/pause', 'api/queues/send-mail/add', 'api/queues/send-mail/7/retry/failed'])
      expect([path, (await api.http[method](`${BOARD}${path}`).set('cookie', cookie)).status]).toEqual([path, 404]);
  });

  describe('rejection page', () => {
    const refused = async (cookie: string, sentence = CLOSED, status = 401) => {
      for (const path of ['', 'queue/send-mail', 'static/images/logo.svg']) {
        const answer = await check(cookie, path);
        expect([path, answer.status, answer.type, answer.text]).toEqual([path, status, 'text/plain', sentence]);
      }
      // The format in which the page shows refusals.
      const requested = await check(cookie, 'api/queues');
      expect([requested.status, requested.body]).toEqual([
        status,
        { error: { key: 'ERRORS.FORBIDDEN' }, message: sentence },
      ]);
    };

    it('is shown without a cookie, whatever the bearer token', async () => {
      await refused('');
      expect((await api.http.get(BOARD).set(admin.auth)).status).toBe(401);
    });

    it('is in German for a German reader', async () => {
      const { text } = await api.http.get(BOARD).set('accept-language', 'de');
      expect(text).toBe('Öffnen Sie die Warteschlangen über die Konsole.');
    });

    it('is shown for a cookie we did not issue', async () => {
      await refused('moorage_queues=x');
      const { cookie } = await opened(admin);
      await refused(`${cookie}x`);
      await refused(`other_${cookie}`);
    });

    it('is shown for the token of a session', async () => {
      await refused(`moorage_queues=${admin.token}`);
      const customer = await api.user();
      await refused(`moorage_queues=${customer.token}`);
    });

    it('is shown after ten minutes', async () => {
      const { cookie } = await opened(admin);
      api.pass(10 * MINUTE_MS - 2000);
      expect((await check(cookie)).status).toBe(200);
      api.pass(2000);
      await refused(cookie);
    });

    it('is shown once the session has ended', async () => {
      const other = await api.admin();
      const { cookie } = await opened(other);
      await api.http.post('/api/auth/logout').set(other.auth);
      await refused(cookie);
    });

    it('is shown to a deactivated administrator', async () => {
      const other = await api.admin();
      const { cookie } = await opened(other);
      await api.database.sql('update users set deactivated_at = now() where id = $1', [other.id]);
      await refused(cookie);
    });

    it('is shown to a user who is no longer an administrator', async () => {
      const other = await api.admin();
      const { cookie } = await opened(other);
      await api.database.sql('update users set is_admin = false where id = $1', [other.id]);
      await refused(cookie, 'Only administrators can do this.', 403);
      expect(api.logged()).toMatch(
        new RegExp(`"kind":"administrator_refused","account_id":${other.id},.*"call":"/api/admin/queues/?"`),
      );
    });

    it('is shown to an administrator without the second factor where it is required', async () => {
      const { cookie } = await opened(admin);
      const strict = await apiHarness({ beside: api, settings: { queues: REDIS, adminsNeedTwoFactor: true } });
      const { status, text } = await strict.http.get(BOARD).set('cookie', cookie);
      expect([status, text]).toEqual([403, expect.stringMatching(/^Turn on two-factor authentication/)]);
      expect((await strict.http.post('/api/admin/queues/session').set(admin.auth)).status).toBe(403);
      await strict.close();
    });
  });

  it('does not accept the cookie as a bearer token', async () => {
    const { cookie } = await opened(admin);
    const token = cookie.replace(/^\w+=/, '');
    expect((await api.http.get('/api/auth/me').set('authorization', `Bearer ${token}`)).status).toBe(401);
  });

  it('cannot be opened with a personal API token', async () => {
    const created = await api.http.post('/api/users/self/api-tokens').set(admin.auth).send({ label: 'script' });
    const { token } = created.body as { token: string };
    const answer = await api.http.post('/api/admin/queues/session').set('authorization', `Bearer ${token}`);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });
});

describe('work on PostgreSQL', () => {
  it('has no board, and the call returns the reason', async () => {
    const api = await apiHarness();
    const admin = await api.admin();
    const { status, body, headers } = await api.http.post('/api/admin/queues/session').set(admin.auth);
    expect([status, (body as { detail: string }).detail, headers['set-cookie']]).toEqual([
      404,
      'This installation uses PostgreSQL for background work, so there are no queues to show.',
      undefined,
    ]);
    expect((await api.http.get(BOARD)).status).toBe(404);
    await api.close();
  });
});
