import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseSettings, SECRET_SETTINGS, SettingsError } from '@moorage/runtime';
import { systemRandom } from '@moorage/server';
import { environmentOf, mayBeEmpty, SECRETS_FOLDER, stackFiles } from './stack-files';

type Settings = Readonly<Record<string, string>>;

const DEFAULT_PORTS = { GATEWAY_HTTP_PORT: 80, GATEWAY_HTTPS_PORT: 443 } as const;

/** Resolves a host name. Rejects if it has no address. */
export type Resolve = (name: string) => Promise<unknown>;

/** Returns the problems that prevent the stack of this folder from starting. Each begins with a file or a setting. */
export async function stackProblems(folder: string, resolve: Resolve = lookup): Promise<string[]> {
  let settings: Settings;
  try {
    settings = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Settings;
  } catch {
    return ['.env: is missing or cannot be read; `npm run ops -- stack:init` writes it'];
  }
  const { secrets, problems } = readSecrets(folder, settings);
  const misplaced = SECRET_SETTINGS.filter((name) => (settings[name] ?? '') !== '');
  problems.push(...misplaced.map((name) => `${name}: is a secret; store it in ${SECRETS_FOLDER}/, not in .env`));
  if (problems.length > 0) return problems;
  return [
    ...settingProblems(environmentOf({ settings, secrets })),
    ...addressProblems(settings),
    ...certificateProblems(settings, secrets),
    ...(await portProblems(settings)),
    ...(await nameProblems(settings, resolve)),
  ];
}

function readSecrets(folder: string, settings: Settings): { secrets: Record<string, string>; problems: string[] } {
  const wanted = Object.keys(stackFiles({ mode: 'demo', answers: {}, random: systemRandom() }).secrets);
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of wanted) {
    const file = `${SECRETS_FOLDER}/${name}`;
    try {
      const value = readFileSync(join(folder, file), 'utf8').trim();
      if (value === '' && !mayBeEmpty(settings, name)) problems.push(`${file}: the file is empty`);
      secrets[name] = value;
    } catch (error) {
      problems.push(`${file}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  return { secrets, problems };
}

function settingProblems(env: Record<string, string>): string[] {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
}

/** Checks the public address and the gateway's ports. */
export function addressProblems(settings: Settings): string[] {
  const address = settings.PUBLIC_URL ?? '';
  if (!URL.canParse(address)) return ['PUBLIC_URL: is not an address'];
  const ports = (['GATEWAY_HTTP_PORT', 'GATEWAY_HTTPS_PORT'] as const).filter(
    (name) => !isPort(portOf(settings, name)),
  );
  if (ports.length > 0) return ports.map((name) => `${name}: is not a port`);
  const problems: string[] = [];
  const url = new URL(address);
  if (url.protocol !== 'https:') problems.push('PUBLIC_URL: must be https, which the gateway uses');
  if (!/^\w+:\/\/[^/?#@]+$/.test(address))
    problems.push('PUBLIC_URL: must be https and a name, without a path or a trailing slash');
  const port = url.port === '' ? DEFAULT_PORTS.GATEWAY_HTTPS_PORT : Number(url.port);
  const listens = portOf(settings, 'GATEWAY_HTTPS_PORT');
  if (port !== listens) problems.push(`PUBLIC_URL: has port ${port}, but GATEWAY_HTTPS_PORT is ${listens}`);
  if (listens === portOf(settings, 'GATEWAY_HTTP_PORT'))
    problems.push('GATEWAY_HTTP_PORT: is the same as GATEWAY_HTTPS_PORT');
  if (settings.GATEWAY_TLS === 'acme' && !/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(url.hostname))
    problems.push(
      `PUBLIC_URL: certificate authorities issue no certificate for ${url.hostname}; use a name in the public DNS`,
    );
  return problems;
}

function portOf(settings: Settings, name: keyof typeof DEFAULT_PORTS): number {
  const given = settings[name] ?? '';
  return given === '' ? DEFAULT_PORTS[name] : Number(given);
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port <= 65535;

function certificateProblems(settings: Settings, secrets: Readonly<Record<string, string>>): string[] {
  const tls = settings.GATEWAY_TLS ?? '';
  if (!['acme', 'certificate', 'internal'].includes(tls)) return ['GATEWAY_TLS: use acme, certificate or internal'];
  if (tls === 'acme' && (settings.ACME_EMAIL ?? '') === '')
    return ['ACME_EMAIL: is required by the certificate authority'];
  if (tls !== 'certificate') return [];
  return ['tls_certificate', 'tls_key'].flatMap((name) =>
    secrets[name]?.startsWith('-----BEGIN ') === true
      ? []
      : [`GATEWAY_TLS: is certificate, but ${SECRETS_FOLDER}/${name} contains no PEM`],
  );
}

async function portProblems(settings: Settings): Promise<string[]> {
  const host = settings.GATEWAY_ADDRESS ?? '0.0.0.0';
  const problems: string[] = [];
  for (const name of ['GATEWAY_HTTP_PORT', 'GATEWAY_HTTPS_PORT'] as const) {
    const port = portOf(settings, name);
    if (!isPort(port)) continue;
    const refused = await listenRefusal(host, port);
    if (refused === 'EADDRINUSE')
      problems.push(`${name}: port ${port} of ${host} is in use (by this stack, if it is already running)`);
    else if (refused !== null) problems.push(`${name}: cannot listen on ${host}:${port} (${refused})`);
  }
  return problems;
}

function listenRefusal(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    // Docker may be allowed to bind a port that this process may not.
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code === 'EACCES' ? null : code));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}

async function nameProblems(settings: Settings, resolve: Resolve): Promise<string[]> {
  if (settings.GATEWAY_TLS !== 'acme' || !URL.canParse(settings.PUBLIC_URL ?? '')) return [];
  const { hostname } = new URL(settings.PUBLIC_URL ?? '');
  try {
    await resolve(hostname);
    return [];
  } catch {
    return [
      `PUBLIC_URL: ${hostname} has no address in the DNS yet; the certificate needs one that points to this machine`,
    ];
  }
}
