import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../journeys/customer';

const run = promisify(execFile);

/** A BIND of Debian on loopback, with one zone that accepts updates and transfers with a key. */
export interface NameServer {
  readonly port: number;
  readonly zone: string;
  readonly key: { readonly name: string; readonly secret: Buffer };
  /** Returns the answer of `dig +short`. */
  lookup(name: string, type: string): Promise<string[]>;
  /** Sends lines of `nsupdate`, signed with the key. */
  update(...lines: string[]): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

export async function nameServer(folder: string, zone: string): Promise<NameServer> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const key = { name: 'platform', secret: randomBytes(32) };
  const keyFile = join(folder, 'platform.key');
  const secret = key.secret.toString('base64');
  await writeFile(keyFile, `key "${key.name}" { algorithm hmac-sha256; secret "${secret}"; };\n`, { mode: 0o600 });
  await writeFile(
    join(folder, 'zone.db'),
    `$TTL 60\n@ IN SOA ns.${zone}. root.${zone}. 1 3600 600 86400 60\n@ IN NS ns.${zone}.\nns IN A 127.0.0.1\n`,
  );
  await writeFile(
    join(folder, 'named.conf'),
    `include "${keyFile}";
options {
  directory "${folder}"; pid-file none; session-keyfile none; recursion no; dnssec-validation no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
};
controls { };
zone "${zone}" {
  type primary; file "${join(folder, 'zone.db')}";
  allow-transfer { key "${key.name}"; }; update-policy { grant ${key.name} zonesub ANY; };
};
`,
  );
  let child: ChildProcess | null = null;
  const dig = async (name: string, type: string): Promise<string[]> => {
    const { stdout } = await run('dig', [
      ...['@127.0.0.1', '-p', String(port), '+short', '+tcp', '+tries=1', '+timeout=2', name, type],
    ]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const server: NameServer = {
    port,
    zone,
    key,
    lookup: dig,
    async update(...lines) {
      const input = [`server 127.0.0.1 ${port}`, `zone ${zone}`, ...lines, 'send', ''].join('\n');
      const update = spawn('nsupdate', ['-k', keyFile], { stdio: ['pipe', 'ignore', 'inherit'] });
      update.stdin.end(input);
      const code = await new Promise((resolve) => update.once('exit', resolve));
      if (code !== 0) throw new Error(`nsupdate exited with ${String(code)}`);
    },
    async start() {
      child = spawn('named', ['-g', '-n', '1', '-c', join(folder, 'named.conf')], { stdio: 'ignore' });
      await until(
        'the name server',
        () => dig(zone, 'SOA').catch(() => []),
        (found) => found.length > 0,
      );
    },
    async stop() {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null) return;
      const exited = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await exited;
    },
  };
  await server.start();
  return server;
}
