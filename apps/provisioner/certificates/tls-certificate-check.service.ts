import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  CERTIFICATE_MESSAGES,
  type CertificateVerdict,
  CONSTANTS,
  DAY_MS,
  type Instant,
  type Message,
} from '@moorage/domain';
import { Clock, withOwnSignal } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Dialer } from '../ssh/types';
import type { Probe } from '../stacks/types';
import { CertificateOptions } from './certificate-options';
import type { CertificateCheck, CertificateCheckResult, CertificateTarget, ProbeResult } from './types';

const HTTPS_PORT = 443;
const SILENCE_MAX_MS = 10_000;
const SOON_MS = 20 * DAY_MS;
const BODY_BYTES_MAX = 64 * 1024;
const SANDBOX_SUFFIX = `.${CONSTANTS.sandboxZone}`;
const AUTHORITY = "Let's Encrypt";

/** Expected issuer of a name's certificate. */
interface Expected {
  /** PEM, or null for the public roots. */
  readonly anchors: string | null;
  /** Organisation of the issuer, if the anchors alone do not determine it. */
  readonly organisation: string | null;
}

@Injectable()
export class TlsCertificateCheck implements CertificateCheck {
  constructor(
    private readonly dialer: Dialer,
    private readonly clock: Clock,
    private readonly options: CertificateOptions,
  ) {}

  check(target: CertificateTarget, signal?: AbortSignal): Promise<CertificateCheckResult> {
    return withOwnSignal(signal, (own) => this.visit(target, own.signal, async (result) => result));
  }

  probe(target: CertificateTarget & { readonly probe: Probe }, given?: AbortSignal): Promise<ProbeResult> {
    return withOwnSignal(given, (own) => this.probeWith(target, own.signal));
  }

  private probeWith(target: CertificateTarget & { readonly probe: Probe }, signal: AbortSignal): Promise<ProbeResult> {
    return this.visit(target, signal, async (result, socket): Promise<ProbeResult> => {
      if (socket === null || (result.verdict !== 'good' && result.verdict !== 'expires_soon')) {
        return { ok: false, status: null, reason: result.reason };
      }
      const { path, expect, body } = target.probe;
      const answered = await get(socket, target.host, path, signal).catch(() => null);
      signal.throwIfAborted();
      if (answered === null)
        return {
          ok: false,
          status: null,
          reason: CERTIFICATE_MESSAGES.page_silent({ url: `https://${target.host}${path}` }),
        };
      if (!expect.includes(answered.status) || (body !== null && !answered.body.includes(body))) {
        return {
          ok: false,
          status: answered.status,
          reason: CERTIFICATE_MESSAGES.page_wrong({ url: `https://${target.host}${path}`, answer: answered.status }),
        };
      }
      return { ok: true, status: answered.status, reason: null };
    });
  }

  private async expectedFor(host: string): Promise<Expected> {
    const { sandboxAnchors, trustAnchors } = this.options;
    if (sandboxAnchors !== null && host.endsWith(SANDBOX_SUFFIX)) {
      return { anchors: await sandboxAnchors(), organisation: null };
    }
    if (trustAnchors !== null) return { anchors: trustAnchors, organisation: null };
    return { anchors: null, organisation: AUTHORITY };
  }

  /** Opens one TLS connection. `use` decides what else happens on it. */
  private async visit<T>(
    { address, host, port = HTTPS_PORT }: CertificateTarget,
    signal: AbortSignal,
    use: (result: CertificateCheckResult, socket: TLSSocket | null) => Promise<T>,
  ): Promise<T> {
    const expected = await this.expectedFor(host);
    let socket: TLSSocket;
    try {
      const there = await this.dialer.dial(address, port);
      socket = await shakeHands(await open(there.host, there.port, signal), host, expected, signal);
    } catch {
      signal.throwIfAborted();
      return use(resultOf('unreachable', host, null), null);
    }
    try {
      return await use(evaluate(socket, host, expected, this.clock.localNow()), socket);
    } finally {
      socket.destroy();
    }
  }
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, signal });
    socket.setTimeout(SILENCE_MAX_MS, () => socket.destroy(new Error('silent')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('connect', () => resolve(socket));
  });
}

function shakeHands(raw: Socket, host: string, { anchors }: Expected, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => void raw.destroy(new Error('given up'));
    signal.addEventListener('abort', giveUp, { once: true });
    const socket = connectTls({
      socket: raw,
      servername: host,
      ...(anchors === null ? {} : { ca: anchors }),
      // The certificate is evaluated and reported separately. Nothing of ours is sent before that.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      minVersion: 'TLSv1.2',
    });
    raw.once('error', reject);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('secureConnect', () => resolve(socket));
  });
}

function evaluate(socket: TLSSocket, host: string, expected: Expected, now: Instant): CertificateCheckResult {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return resultOf('unreachable', host, null);
  return resultOf(verdictOf(certificate, socket.authorized, host, expected, now), host, certificate);
}

function verdictOf(
  certificate: X509Certificate,
  isTrusted: boolean,
  host: string,
  { organisation }: Expected,
  now: Instant,
): CertificateVerdict {
  if (isDefault(certificate)) return 'not_issued';
  const expires = Date.parse(certificate.validTo);
  if (expires <= now) return 'expired';
  if (!isTrusted) return certificate.issuer.includes('(STAGING)') ? 'staging' : 'wrong_issuer';
  if (organisation !== null && !certificate.issuer.split('\n').includes(`O=${organisation}`)) return 'wrong_issuer';
  if (certificate.checkHost(host, { wildcards: true }) === undefined) return 'wrong_name';
  return expires - now < SOON_MS ? 'expires_soon' : 'good';
}

/** Returns whether it is the default certificate that a router presents for names without a certificate. */
function isDefault(certificate: X509Certificate): boolean {
  return (
    /^CN=TRAEFIK DEFAULT CERT$/m.test(certificate.subject) ||
    namesOf(certificate).some((name) => name.endsWith('.traefik.default'))
  );
}

function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName
    .split(', ')
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice('DNS:'.length));
}

function resultOf(
  verdict: CertificateVerdict,
  host: string,
  certificate: X509Certificate | null,
): CertificateCheckResult {
  const issuer = certificate === null ? null : printable(certificate.issuer.split('\n').join(', '));
  return {
    verdict,
    reason: problemOf(verdict, host, issuer),
    issuer,
    names: certificate === null ? [] : namesOf(certificate).slice(0, 20).map(printable),
    expires_at: certificate === null ? null : Date.parse(certificate.validTo),
  };
}

/** Removes special characters, because an unknown certificate may contain anything. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);

function problemOf(verdict: CertificateVerdict, host: string, issuer: string | null): Message | null {
  switch (verdict) {
    case 'good':
      return null;
    case 'unreachable':
      return CERTIFICATE_MESSAGES.unreachable({ host });
    case 'not_issued':
      return CERTIFICATE_MESSAGES.not_issued({ host });
    case 'wrong_issuer':
      return CERTIFICATE_MESSAGES.wrong_issuer({ host, issuer: issuer ?? 'unknown' });
    case 'staging':
      return CERTIFICATE_MESSAGES.staging({ host });
    case 'wrong_name':
      return CERTIFICATE_MESSAGES.wrong_name({ host });
    case 'expired':
      return CERTIFICATE_MESSAGES.expired({ host });
    case 'expires_soon':
      return CERTIFICATE_MESSAGES.expires_soon({ host });
  }
}

function get(
  socket: TLSSocket,
  host: string,
  path: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const requested = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: { host, connection: 'close', 'user-agent': 'moorage-probe' },
      signal,
    });
    requested.once('error', reject);
    requested.once('close', () => reject(new Error('closed')));
    requested.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = (): void =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) done();
      });
      response.once('end', done);
      response.once('error', reject);
    });
    requested.end();
  });
}
