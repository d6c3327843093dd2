import { webcrypto } from 'node:crypto';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { createServer, type Server as HttpsServer } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { systemClock } from '@moorage/server';
import * as x509 from '@peculiar/x509';
import type { Dialer } from '../ssh/types';
import type { CertificateOptions } from './certificate-options';
import { TlsCertificateCheck } from './tls-certificate-check.service';
import type { CertificateCheckResult } from './types';

const HOST = 'admin.example.com';
const NOW = Date.now();
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

interface Authority {
  readonly pem: string;
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
}
interface Wanted {
  readonly subject?: string;
  readonly names?: readonly string[];
  readonly days?: number;
  readonly by?: Authority | null;
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function authority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name,
      notBefore: new Date(NOW - DAY_MS),
      notAfter: new Date(NOW + 900 * DAY_MS),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    },
    webcrypto,
  );
  return { pem: certificate.toString('pem'), name: certificate.subject, keys };
}

async function certificate({
  subject = `CN=${HOST}`,
  names = [HOST],
  days = 89,
  by = null,
}: Wanted): Promise<{ cert: string; key: string }> {
  const keys = await newKeys();
  const created = await x509.X509CertificateGenerator.create(
    {
      subject,
      issuer: by?.name ?? subject,
      notBefore: new Date(NOW - 100 * DAY_MS),
      notAfter: new Date(NOW + days * DAY_MS),
      publicKey: keys.publicKey,
      signingKey: by?.keys.privateKey ?? keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions:
        names.length === 0
          ? []
          : [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
    },
    webcrypto,
  );
  const raw = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: created.toString('pem'), key: x509.PemConverter.encode(raw, 'PRIVATE KEY') };
}

const open: (HttpsServer | Server)[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

async function listen(server: HttpsServer | Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

let expected: Authority;
let stranger: Authority;
beforeAll(async () => {
  expected = await authority('CN=Test Root, O=Expected');
  stranger = await authority("CN=R11, O=Let's Encrypt");
});

const toLoopback: Dialer = { dial: (_, port) => Promise.resolve({ host: '127.0.0.1', port }) };

const check = (options: Partial<CertificateOptions> = {}) =>
  new TlsCertificateCheck(
    toLoopback,
    { ...systemClock(), localNow: () => NOW },
    { trustAnchors: expected.pem, sandboxAnchors: null, ...options },
  );

async function checkHost(
  wanted: Wanted,
  options: Partial<CertificateOptions> = {},
  host = HOST,
): Promise<CertificateCheckResult> {
  const port = await listen(createServer(await certificate(wanted)));
  return check(options).check({ address: '203.0.113.7', host, port });
}

describe('certificate check', () => {
  it('accepts a chain of the expected authority and returns its data for the console', async () => {
    const seen = await checkHost({ by: expected });
    expect(seen).toMatchObject({ verdict: 'good', reason: null, names: [HOST] });
    expect(seen.issuer).toContain('Test Root');
    expect(Math.abs((seen.expires_at ?? 0) - (NOW + 89 * DAY_MS))).toBeLessThan(2_000);
  });

  it('accepts a wildcard', async () => {
    expect(await checkHost({ by: expected, names: ['*.example.com'] })).toMatchObject({ verdict: 'good' });
  });

  it.each<[string, string, () => Wanted]>([
    [
      'the default certificate of the router',
      'not_issued',
      () => ({ subject: 'CN=TRAEFIK DEFAULT CERT', names: ['a1b2.traefik.default'] }),
    ],
    ['a self-signed certificate', 'wrong_issuer', () => ({})],
    ['a certificate of another authority', 'wrong_issuer', () => ({ by: stranger })],
    ['a certificate for another name', 'wrong_name', () => ({ by: expected, names: ['www.example.com'] })],
    [
      'a certificate with the name only in its subject',
      'wrong_name',
      () => ({ by: expected, subject: 'CN=something', names: [] }),
    ],
    ['a certificate that expires in 19 days', 'expires_soon', () => ({ by: expected, days: 19 })],
    ['a certificate that expires in 21 days', 'good', () => ({ by: expected, days: 21 })],
    ['a certificate that expired yesterday', 'expired', () => ({ by: expected, days: -1 })],
  ])('%s is %s', async (_, verdict, wanted) => {
    const seen = await checkHost(wanted());
    expect(seen.verdict).toBe(verdict);
    expect(seen.reason === null).toBe(verdict === 'good');
  });

  it('names a staging certificate', async () => {
    const staging = await authority("CN=(STAGING) Counterfeit Cashew R10, O=(STAGING) Let's Encrypt");
    expect(await checkHost({ by: staging })).toMatchObject({ verdict: 'staging' });
    expect(await checkHost({ by: staging }, { trustAnchors: null })).toMatchObject({ verdict: 'staging' });
  });

  it("accepts only a trusted chain of Let's Encrypt by default, not its name alone", async () => {
    expect(await checkHost({ by: expected }, { trustAnchors: null })).toMatchObject({ verdict: 'wrong_issuer' });
    expect(await checkHost({ by: stranger }, { trustAnchors: null })).toMatchObject({ verdict: 'wrong_issuer' });
  });

  it('expects sandbox names, and no others, from the sandbox', async () => {
    const parts = { sandboxAnchors: async () => stranger.pem };
    const name = 'admin.one.sandbox.localhost';
    expect(await checkHost({ by: stranger, names: [name] }, parts, name)).toMatchObject({ verdict: 'good' });
    expect(await checkHost({ by: expected, names: [name] }, parts, name)).toMatchObject({ verdict: 'wrong_issuer' });
    expect(await checkHost({ by: stranger }, parts)).toMatchObject({ verdict: 'wrong_issuer' });
  });

  it('reports a closed port, a dropped connection and a non-TLS service as unreachable', async () => {
    const gone = createTcp();
    const port = await listen(gone);
    await new Promise<void>((resolve) => gone.close(() => resolve()));
    expect(await check().check({ address: 'x', host: HOST, port })).toMatchObject({
      verdict: 'unreachable',
      issuer: null,
    });
    const rude = await listen(createTcp((socket) => socket.destroy()));
    expect(await check().check({ address: 'x', host: HOST, port: rude })).toMatchObject({ verdict: 'unreachable' });
    const plain = await listen(createTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await check().check({ address: 'x', host: HOST, port: plain })).toMatchObject({ verdict: 'unreachable' });
  });

  it('throws when aborted', async () => {
    const port = await listen(createTcp((socket) => void socket.on('error', () => undefined)));
    const giveUp = new AbortController();
    const work = check().check({ address: 'x', host: HOST, port }, giveUp.signal);
    setTimeout(() => giveUp.abort(), 50);
    await expect(work).rejects.toThrow();
  });
});

describe('health check over TLS', () => {
  const probe = { path: '/api/v1/', expect: [200], body: 'Healthy' };
  async function site(by: Authority, status: number, body: string): Promise<{ port: number; hosts: string[] }> {
    const hosts: string[] = [];
    const server = createServer(await certificate({ by }), (requested, answer) => {
      hosts.push(`${requested.headers.host ?? ''}${requested.url ?? ''}`);
      answer.writeHead(status).end(body);
    });
    return { port: await listen(server), hosts };
  }

  it('connects to the server itself by its name', async () => {
    const { port, hosts } = await site(expected, 200, '{"message":"Healthy"}');
    expect(await check().probe({ address: 'x', host: HOST, port, probe })).toEqual({
      ok: true,
      status: 200,
      reason: null,
    });
    expect(hosts).toEqual([`${HOST}/api/v1/`]);
  });

  it.each([
    [404, 'Healthy'],
    [200, 'something else'],
  ])('%s with "%s" is unhealthy', async (status, body) => {
    const { port } = await site(expected, status, body);
    expect(await check().probe({ address: 'x', host: HOST, port, probe })).toMatchObject({ ok: false, status });
  });

  it('sends nothing to a server with an invalid certificate', async () => {
    const { port, hosts } = await site(stranger, 200, 'Healthy');
    expect(await check().probe({ address: 'x', host: HOST, port, probe })).toMatchObject({ ok: false, status: null });
    expect(hosts).toEqual([]);
  });

  it('reads no more than it needs of an endless page', async () => {
    const { port } = await site(expected, 200, `Healthy${'x'.repeat(5_000_000)}`);
    expect(await check().probe({ address: 'x', host: HOST, port, probe })).toMatchObject({ ok: true });
  });
});
