import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloudSetup } from '@moorage/domain';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

const RUNS = ['PROVISIONING', 'DNS_VALIDATION', 'READY'] as const;

describe('pages of simulated servers', () => {
  let api: ApiHarness;
  let others: Neighbours;
  let ada: TestAccount;
  beforeAll(async () => {
    api = await apiHarness({ settings: { publicUrl: 'http://localhost:3000' } });
    others = await neighbours(api);
    ada = await api.user('ada');
    await api.pay(ada, 20_000);
    const { id } = await ordered(api, ada, {
      domain: 'ada.sandbox.localhost',
      admin_subdomain: 'door',
      traefik_subdomain: 'edge',
      admin_password: 'Correct-horse-7',
    });
    await others.moveTo(id, ...RUNS);
  });
  afterAll(() => api.close());

  const at = (host: string, path = '/') => api.http.get(path).set('host', host);

  it('describe what would run there and how to log in, without naming the owner', async () => {
    const { status, text } = await at('door.ada.sandbox.localhost:3000');
    expect(status).toBe(200);
    expect(text).toContain('<title>This is a simulated server · Moorage</title>');
    expect(text).toContain('Pangolin: Dashboard would open here.');
    expect(text).toContain('with the username and the password in your deployment&#39;s details');
    expect(text).toContain('<a href="http://localhost:3000/dashboard">');
    expect(text).not.toMatch(/jane|ada@|Correct-horse|203\.0|\bid\b/);
    const edge = await at('edge.ada.sandbox.localhost:3000', '/dashboard/');
    expect(edge.text).toContain('Pangolin: Traefik dashboard would open here.');
    expect(edge.text).toContain('You would log in as admin, with the password');
  });

  it('are in the language of the visitor', async () => {
    const { text, headers } = await at('door.ada.sandbox.localhost').set('accept-language', 'de-DE,de;q=0.9');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Hier würde sich Pangolin: Dashboard öffnen.');
    expect(headers.vary).toBe('Accept-Language');
  });

  it('have their own policy that allows only their style, and set no cookie', async () => {
    const { headers, text } = await at('door.ada.sandbox.localhost');
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(text).not.toMatch(/<script|<form|<img|\bon\w+=|\bstyle=/);
  });

  it.each(['/api/health/live', '/api/deployments', '/assets/app.js', '/%zz', '/api/docs-json'])(
    'are served at %s instead of the api or the console',
    async (path) => {
      const { status, text } = await at('door.ada.sandbox.localhost', path).set(ada.auth);
      expect([status, text.startsWith('<!doctype html>')]).toEqual([200, true]);
    },
  );

  it('accept read requests only', async () => {
    const head = await api.http.head('/').set('host', 'door.ada.sandbox.localhost');
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(500);
    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      const { status, headers, text } = await api.http[method]('/api/auth/login')
        .set('host', 'door.ada.sandbox.localhost')
        .send(method === 'post' ? { username: ada.email, password: ada.password } : undefined);
      expect([method, status, headers.allow, text]).toEqual([method, 405, 'GET, HEAD', '']);
    }
  });

  it.each([
    'nobody.sandbox.localhost',
    'other.ada.sandbox.localhost',
    'x.door.ada.sandbox.localhost',
    '.sandbox.localhost',
    '<script>alert(1)</script>.sandbox.localhost',
    "a'or'1'='1.sandbox.localhost",
    '%00.ada.sandbox.localhost',
    `${'a.'.repeat(200)}sandbox.localhost`,
    '_.ada.sandbox.localhost',
  ])('do not exist at %s', async (host) => {
    const { status, text, headers } = await at(host);
    expect(status).toBe(404);
    expect(text).toContain('No simulated server found');
    expect(text).not.toContain(host);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  });

  it.each(['DOOR.Ada.SANDBOX.localhost', 'door.ada.sandbox.localhost.', 'door.ada.sandbox.localhost:99999'])(
    'treat %s as the same name',
    async (host) => {
      expect((await at(host)).status).toBe(200);
    },
  );

  it.each([
    'localhost:3000',
    'sandbox.localhost',
    'evil-sandbox.localhost',
    'door.ada.sandbox.localhost.example.com',
    'example.com:80.sandbox.localhost',
    'user@127.0.0.1',
    '[::1]:3000',
  ])('leave %s to the api', async (host) => {
    const { status, body } = await at(host, '/api/health/live');
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'live' })]);
  });

  it('use the Host header alone', async () => {
    const forwarded = await at('localhost', '/api/health/live').set('x-forwarded-host', 'door.ada.sandbox.localhost');
    expect(forwarded.body).toMatchObject({ status: 'live' });
    const { port } = api.api.app.getHttpServer().address() as AddressInfo;
    const absolute = await spoken(
      port,
      'GET http://door.ada.sandbox.localhost/api/health/live HTTP/1.1\r\nHost: localhost',
    );
    expect(absolute).not.toContain('simulated');
    const none = await spoken(port, 'GET / HTTP/1.1\r\nX-Host: door.ada.sandbox.localhost');
    expect(none).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('are served as long as the deployment runs', async () => {
    const { id } = await ordered(api, ada, { domain: 'later.sandbox.localhost' });
    const status = async () => (await at('admin.later.sandbox.localhost')).status;
    expect(await status()).toBe(404);
    await others.moveTo(id, ...RUNS);
    expect(await status()).toBe(200);
    await api.http.delete(`/api/deployments/${id}`).set(ada.auth);
    expect(await status()).toBe(404);
  });

  it('are not served for a user’s own server', async () => {
    const address = '5.9.0.77';
    await others.checked(ada, address);
    const { id } = await ordered(api, ada, {
      server_type: 'vps',
      cloud_provider: null,
      region: null,
      instance_type: null,
      vps_ip_address: address,
      domain: 'own.sandbox.localhost',
    });
    await others.moveTo(id, ...RUNS);
    expect((await at('admin.own.sandbox.localhost')).status).toBe(404);
  });

  it.each([
    ['without a sandbox', { clouds: cloudSetup({ sandbox: false, chosen: {} }) }],
    ['for visitors from elsewhere', { publicUrl: 'https://moorage.example' }],
  ])('are not served %s', async (_, settings) => {
    const other = await apiHarness({ beside: api, settings: { ...api.settings, ...settings } });
    const { status, body } = await other.http.get('/api/health/live').set('host', 'door.ada.sandbox.localhost');
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'live' })]);
    await other.close();
  });
});

/** Returns the response to a request that no client would send. */
function spoken(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
