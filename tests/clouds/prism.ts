import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Maximum start time. It takes seconds, or a minute on a busy machine. */
const START_MS = 120_000;

export interface Described {
  /** Address for the adapter. */
  readonly url: string;
  /** Sets the fake that receives the following requests. */
  leadTo(fake: string): void;
  /** Returns Prism's objections to requests and responses since the last call. */
  violations(): string[];
  close(): Promise<void>;
}

/**
 * Runs Prism between an adapter and a fake. A request or response that the published description does not allow never
 * arrives, and Prism responds instead.
 */
export async function described(description: string): Promise<Described> {
  let fake = '';
  const found: string[] = [];
  const after = await forwarder(() => fake);
  const prism = await startPrism(description, after.url);
  const before = await forwarder(
    () => prism.url,
    (requested, answered, body) => {
      const output = violationsIn(answered.headers['sl-violations'], body);
      if (output !== null) found.push(`${requested.method} ${requested.url}: ${answered.statusCode} ${output}`);
    },
  );
  return {
    url: before.url,
    leadTo: (url) => void (fake = url),
    violations: () => found.splice(0),
    async close() {
      await before.close();
      prism.process.kill('SIGKILL');
      await prism.ended;
      await after.close();
    },
  };
}

type Heard = (requested: IncomingMessage, answered: IncomingMessage, body: string) => void;

async function forwarder(
  target: () => string,
  hear: Heard = () => undefined,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((requested, answered) => {
    const { host } = new URL(target());
    const passed = request(
      `${target()}${requested.url}`,
      { method: requested.method, headers: { ...requested.headers, host } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = Buffer.concat(parts);
          hear(requested, response, body.toString());
          answered.writeHead(response.statusCode ?? 502, response.headers).end(body);
        });
      },
    );
    passed.on('error', () => answered.destroy());
    requested.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Returns the objection in a response of Prism, including an undescribed path or method, and a request without what
 * Prism accepts as a credential.
 */
function violationsIn(header: string | string[] | undefined, body: string): string | null {
  if (header !== undefined) return String(header);
  return body.includes('stoplight.io/prism') ? body : null;
}

interface Prism {
  readonly process: ChildProcess;
  readonly url: string;
  readonly ended: Promise<void>;
}

async function startPrism(description: string, fake: string): Promise<Prism> {
  const { PRISM } = process.env;
  if (PRISM === undefined) throw new Error('PRISM: where its entry is, as the nightly part `clouds` sets it');
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [PRISM, 'proxy', '--errors', '-h', '127.0.0.1', '-p', String(port), description, fake],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let log = '';
  const ready = new Promise<void>((resolve, reject) => {
    const over = setTimeout(() => reject(new Error(`Prism did not start:\n${log}`)), START_MS);
    const read = (part: Buffer): void => {
      log = `${log}${String(part)}`.slice(-10_000);
      if (!log.includes('Prism is listening')) return;
      clearTimeout(over);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => {
      clearTimeout(over);
      reject(new Error(`Prism has ended:\n${log}`));
    });
  });
  await ready.catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { process: child, url: `http://127.0.0.1:${port}`, ended };
}

/** Returns a free port, because Prism does not accept port 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
