import { webcrypto } from 'node:crypto';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { dnsServer } from '@moorage/tests/services/provisioner/watching';
import { sshKeyPair, systemRandom } from '@moorage/server';
import * as x509 from '@peculiar/x509';
import ssh2 from 'ssh2';
import { addressOf, type Asked, type Figures, hostOf, type Listening } from './protocol';

/**
 * Plays all watched servers in one process of its own, so that their CPU time is not counted: a DNS server, an HTTPS
 * server with a certificate for each name, and an SSH server that answers every command with the same figures.
 */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const [, , count = '0'] = process.argv;

const FACTS = {
  ok: true,
  code: 'DONE',
  cpus: 2,
  load: 0.24,
  memory_mb: 3_915,
  memory_used_mb: 1_212,
  disk_mb: 76_800,
  disk_used_mb: 18_400,
  logs_mb: 40,
  containers: ['pangolin', 'gerbil', 'traefik', 'periphery'].map((name) => ({
    name,
    state: 'running',
    health: 'healthy',
    restarts: 0,
    exit_code: 0,
    stays: true,
    started_at: '2026-11-20T10:00:00Z',
    memory_mb: 200,
  })),
};

let open = 0;
let open_max = 0;
function countConnections(server: Server): void {
  server.on('connection', (socket: Socket) => {
    open += 1;
    open_max = Math.max(open_max, open);
    socket.once('close', () => (open -= 1));
  });
}

async function listen(server: Server): Promise<number> {
  countConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 511, resolve));
  return (server.address() as AddressInfo).port;
}

const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
const pemOf = (key: ArrayBuffer): string =>
  `-----BEGIN PRIVATE KEY-----\n${Buffer.from(key).toString('base64')}\n-----END PRIVATE KEY-----`;
const key = pemOf(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 60 * DAY_MS) };
const authority = await x509.X509CertificateGenerator.createSelfSigned(
  {
    name: 'CN=Bench authority',
    ...validity,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  },
  webcrypto,
);

const contexts = new Map<string, Promise<SecureContext>>();
async function contextOf(host: string): Promise<SecureContext> {
  const created = await x509.X509CertificateGenerator.create(
    {
      subject: `CN=${host}`,
      issuer: authority.subject,
      ...validity,
      publicKey: keys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    },
    webcrypto,
  );
  return createSecureContext({ key, cert: created.toString('pem') });
}

const https = createHttps(
  {
    key,
    cert: authority.toString('pem'),
    SNICallback: (host, done) => {
      const known = contexts.get(host) ?? contextOf(host);
      contexts.set(host, known);
      known.then(
        (context) => done(null, context),
        (error: unknown) => done(error as Error),
      );
    },
  },
  (_, response) => response.writeHead(302, { location: '/login' }).end(),
);

const { privateKey, fingerprint } = sshKeyPair(systemRandom());
const began = Date.now();
const ssh = new ssh2.Server({ hostKeys: [privateKey], keepaliveInterval: 0 }, (client) => {
  client.on('error', () => client.end());
  client.on('authentication', (context) => {
    if (context.method === 'publickey') context.accept();
    else context.reject(['publickey']);
  });
  client.on('session', (accept) =>
    accept().on('exec', (acceptExec) => {
      const channel = acceptExec();
      channel.on('error', () => undefined);
      // Like a shell, which reads the whole script before it runs.
      channel.on('end', () => {
        const uptime_s = 86_400 + Math.round((Date.now() - began) / 1_000);
        const line = { ...FACTS, uptime_s, cpu_total: uptime_s * 200, cpu_idle: uptime_s * 180 };
        channel.write(`${JSON.stringify(line)}\n`);
        channel.exit(0);
        channel.end();
      });
      channel.resume();
    }),
  );
});

const names = new Map(
  Array.from({ length: Number(count) }, (_, index) => index + 1).flatMap((id) =>
    ['', 'admin.', 'www.', 'komodo.', 'periphery.'].map(
      (prefix) => [`${prefix}${hostOf(id)}`, { a: [addressOf(id)] }] as const,
    ),
  ),
);
const dns = await dnsServer(names);

process.on('message', (asked: Asked) => {
  if (asked === 'end') process.disconnect();
  else {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu_s: (user + system) / 1e6, open_max, unknown: unknownNames() } satisfies Figures);
    open_max = open;
    dns.questions.length = 0;
  }
});
process.on('disconnect', () => process.exit(0));

/** Requested names that do not exist here. */
function unknownNames(): string[] {
  const asked = dns.questions.map((question) => question.split(' ')[0] ?? '');
  return [...new Set(asked.filter((name) => !names.has(name)))].slice(0, 5);
}

process.send?.({
  https: await listen(https),
  ssh: await listen(ssh),
  dns: dns.address,
  host_key: fingerprint,
  authority: authority.toString('pem'),
} satisfies Listening);
