import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemRandom } from '@moorage/server';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { stackProblems } from './stack-check';
import { envText, stackFiles, type StackMode } from './stack-files';

const ANSWERS = {
  PUBLIC_URL: 'https://console.example.com',
  ACME_EMAIL: 'operations@example.com',
  MAIL_URL: 'smtps://mail.example.com',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};

/** Returns a port that was free a moment ago, or occupies a port until the server closes. */
function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () =>
      resolve({ server, port: (server.address() as { port: number }).port }),
    );
  });
}
const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

describe('stack:check', () => {
  let folder: string;
  let ports: { GATEWAY_ADDRESS: string; GATEWAY_HTTP_PORT: string; GATEWAY_HTTPS_PORT: string };
  beforeEach(async () => {
    folder = await makeRunFolder();
    const held = [await listen(), await listen()];
    const [http = 0, https = 0] = held.map(({ port }) => port);
    await Promise.all(held.map(({ server }) => close(server)));
    ports = { GATEWAY_ADDRESS: '127.0.0.1', GATEWAY_HTTP_PORT: `${http}`, GATEWAY_HTTPS_PORT: `${https}` };
  });
  afterEach(() => removeRunFolder(folder));

  const path = (name: string): string => join(folder, name);
  const resolves = (): Promise<void> => Promise.resolve();
  const problems = (resolve = resolves): Promise<string[]> => stackProblems(folder, resolve);

  /** Writes files as stack:init does, with settings and secrets edited by hand afterwards. */
  function write(mode: StackMode, settings: Record<string, string> = {}, secrets: Record<string, string> = {}): void {
    const address = {
      PUBLIC_URL: `https://${mode === 'demo' ? 'localhost' : 'console.example.com'}:${ports.GATEWAY_HTTPS_PORT}`,
    };
    const answers = mode === 'demo' ? {} : ANSWERS;
    const files = stackFiles({ mode, answers: { ...answers, ...ports, ...address }, random: systemRandom() });
    writeFileSync(path('.env'), envText({ ...files.settings, ...settings }, mode));
    mkdirSync(path('secrets'), { recursive: true });
    for (const [name, value] of Object.entries({ ...files.secrets, ...secrets }))
      writeFileSync(path(`secrets/${name}`), value);
  }

  it.each(['demo', 'production'] as const)('reports no problem with the files written for a %s', async (mode) => {
    write(mode);
    expect(await problems()).toEqual([]);
  });

  it('reports a missing .env', async () => {
    expect(await problems()).toEqual([expect.stringMatching(/^\.env: is missing or cannot be read/)]);
  });

  it('reports every secret whose file is missing, empty or not a file', async () => {
    write('demo', {}, { jwt_secret: '' });
    rmSync(path('secrets/kafka.properties'));
    rmSync(path('secrets/tls_key'));
    mkdirSync(path('secrets/tls_key'));
    expect(await problems()).toEqual([
      'secrets/kafka.properties: the file cannot be read (ENOENT)',
      'secrets/jwt_secret: the file is empty',
      'secrets/tls_key: the file cannot be read (EISDIR)',
    ]);
  });

  it('checks an optional secret according to .env', async () => {
    write('production', { MAIL_URL_FILE: '' });
    expect(await problems()).toEqual(['MAIL_URL: is required in production, to send emails']);
    write('production', {}, { mail_url: '' });
    expect(await problems()).toEqual(['secrets/mail_url: the file is empty']);
  });

  it('rejects secrets in .env, which every container reads', async () => {
    write('demo', { MAIL_URL: 'smtps://mail.example.com' });
    expect(await problems()).toEqual(['MAIL_URL: is a secret; store it in secrets/, not in .env']);
  });

  it('reports an invalid setting without repeating a secret', async () => {
    write('production', { GRACE_PERIOD_MINUTES: '1440' }, { mail_url: 'imap://top-secret' });
    const found = await problems();
    expect(found.map((sentence) => sentence.split(':')[0]).sort()).toEqual(['GRACE_PERIOD_MINUTES', 'MAIL_URL']);
    expect(found.join()).not.toContain('top-secret');
  });

  it.each([
    ['a test key', {}, { stripe_secret_key: 'sk_test_x' }, /^STRIPE_SECRET_KEY: live clouds need a live key/],
    [
      'no https',
      { PUBLIC_URL: 'http://console.example.com' },
      {},
      /^PUBLIC_URL: must be https, which the gateway uses/,
    ],
    ['an empty address', { PUBLIC_URL: 'console' }, {}, /^PUBLIC_URL: is not an address/],
    [
      'a different port',
      { PUBLIC_URL: 'https://console.example.com' },
      {},
      /^PUBLIC_URL: has port 443, but GATEWAY_HTTPS_PORT is/,
    ],
    ['an invalid port', { GATEWAY_HTTP_PORT: '99999' }, {}, /^GATEWAY_HTTP_PORT: is not a port/],
    [
      'an unknown certificate source',
      { GATEWAY_TLS: 'acme-dns' },
      {},
      /^GATEWAY_TLS: use acme, certificate or internal/,
    ],
    [
      'an invalid certificate',
      { GATEWAY_TLS: 'certificate' },
      {},
      /^GATEWAY_TLS: is certificate, but secrets\/tls_certificate contains no PEM/,
    ],
  ])('reports %s in production', async (_what, settings, secrets, message) => {
    write('production', settings, secrets);
    expect(await problems()).toContainEqual(expect.stringMatching(message));
  });

  it('accepts a certificate with its key', async () => {
    const pem = '-----BEGIN X-----\n';
    write('production', { GATEWAY_TLS: 'certificate' }, { tls_certificate: pem, tls_key: pem });
    expect(await problems()).toEqual([]);
  });

  it('reports a name that DNS does not know if an authority would query it', async () => {
    const fails = (): Promise<void> => Promise.reject(new Error('ENOTFOUND'));
    write('production');
    expect(await problems(fails)).toEqual([
      expect.stringMatching(/^PUBLIC_URL: console\.example\.com has no address in the DNS/),
    ]);
    write('demo');
    expect(await problems(fails)).toEqual([]);
  });

  it('reports a port that is in use', async () => {
    write('demo');
    const { server } = await listen(Number(ports.GATEWAY_HTTPS_PORT));
    try {
      expect(await problems()).toEqual([
        expect.stringMatching(/^GATEWAY_HTTPS_PORT: port \d+ of 127\.0\.0\.1 is in use/),
      ]);
    } finally {
      await close(server);
    }
  });
});
