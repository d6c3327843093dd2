import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import type { Stack } from './stack';

const run = promisify(execFile);

/** Address of this machine for containers of the stack's network `front`. */
const HERE = '172.30.99.1';
const ACME_PORT = 14_000;
const DNS_PORT = 8_053;
export const CONSOLE_NAME = 'console.moorage.test';

/**
 * Starts an ACME authority (Pebble) that resolves every name to this machine, and configures a stack to obtain its
 * certificate from it.
 */
export async function startAuthority({ folder }: Stack): Promise<{ stop(): void }> {
  const [key, request, certificate] = ['acme.key', 'acme.csr', 'acme.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const extensions = join(folder, 'acme.ext');
  await writeFile(extensions, `subjectAltName=IP:${HERE}`);
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await run('openssl', ['req', ...ec, '-subj', '/CN=acme', '-keyout', key, '-out', request]);
  const signer = ['-CA', 'dist/stack/authority.pem', '-CAkey', 'dist/stack/authority.key', '-CAcreateserial'];
  await run('openssl', [
    'x509',
    '-req',
    '-in',
    request,
    ...signer,
    '-days',
    '2',
    '-extfile',
    extensions,
    '-out',
    certificate,
  ]);
  const config = join(folder, 'pebble.json');
  const pebble = {
    listenAddress: `0.0.0.0:${ACME_PORT}`,
    managementListenAddress: '127.0.0.1:15000',
    certificate,
    privateKey: key,
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  await writeFile(config, JSON.stringify({ pebble }));
  const dns = ['-dns01', `127.0.0.1:${DNS_PORT}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''];
  const others = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-management', '127.0.0.1:8055'];
  const started: ChildProcess[] = [
    spawn('pebble-challtestsrv', [...dns, ...others], { stdio: 'ignore' }),
    spawn('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${DNS_PORT}`], {
      stdio: 'ignore',
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    }),
  ];
  return { stop: () => started.forEach((child) => void child.kill()) };
}

/** Settings for `.env`, and the authority that the gateway trusts when it requests the certificate. */
export const ACME_SETTINGS: Readonly<Record<string, string>> = {
  PUBLIC_URL: `https://${CONSOLE_NAME}`,
  GATEWAY_TLS: 'acme',
  GATEWAY_SITE: '',
  GATEWAY_HTTP_PORT: '80',
  GATEWAY_HTTPS_PORT: '443',
  GATEWAY_ACME_URL: `https://${HERE}:${ACME_PORT}/dir`,
  ACME_EMAIL: 'ops@moorage.test',
};

/** Returns the certificate at port 443 of this machine for a name, or null if there is none. */
export function certificateOf(servername: string): Promise<PeerCertificate | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.end();
    });
    socket.once('error', () => resolve(null));
  });
}
