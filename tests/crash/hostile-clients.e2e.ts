import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { type Proc, type Product, startProduct } from '../journeys/product';
import { type Customer, customers } from './customers';
import { LONG_MS } from './kill';

const IDLE = 10_000;
const SLOW = 300;
/** Number of clients of each kind. Each repeatedly sends an endless body or a text that is costly to parse. */
const BUSY = 4;
const LIST_EVERY_MS = 250;
/**
 * Maximum time until a slow request is cut off. A request has half a minute to arrive, and connections are checked
 * every few seconds.
 */
const CUT_MS = 45_000;
const ANSWERED_MS = 5_000;
const MEMORY_MB_MAX = 900;

let product: Product;
let api: Proc;
let ada: Customer;
let at: { host: string; port: number };
const sockets = new Set<Socket>();

beforeAll(async () => {
  product = await startProduct(['api'], { TRUSTED_PROXIES: '127.0.0.1' });
  [api] = product.processes as [Proc];
  [ada] = (await customers(product, [1_000])) as [Customer];
  const { hostname, port } = new URL(product.url);
  at = { host: hostname, port: Number(port) };
}, LONG_MS);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await product.stop();
}, LONG_MS);

/** S27 and F38. Clients occupy all they can while one user reads a list. */
describe('clients that hold connections, or send slowly, too much or malformed data', () => {
  it(
    'block no other client and are disconnected',
    async () => {
      let stopping = false;
      const times: number[] = [];
      const looking = (async () => {
        while (!stopping) {
          const begun = performance.now();
          expect((await ada.call('GET', '/deployments')).status).toBe(200);
          times.push(performance.now() - begun);
          await pause(LIST_EVERY_MS);
        }
      })();
      const refusals = new Map<number, number>();
      const busy = Array.from({ length: BUSY }, async (_, n) => {
        for (let round = 0; !stopping; round++) {
          const status = await (n % 2 === 0 ? tooLarge() : hardToRead(`198.18.${n}.${round % 250}`));
          refusals.set(status, (refusals.get(status) ?? 0) + 1);
          await pause(LIST_EVERY_MS);
        }
      });
      for (let n = 0; n < SLOW; n++) {
        drip(`POST /api/auth/login HTTP/1.1\r\nhost: ${at.host}\r\nx-slow: `);
        drip(
          `POST /api/auth/login HTTP/1.1\r\nhost: ${at.host}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{"username":"`,
        );
      }
      for (let n = 0; n < IDLE; n += 100) {
        await Promise.all(Array.from({ length: 100 }, () => opened(hold())));
      }
      const begun = performance.now();
      expect(sockets.size).toBeGreaterThan(IDLE);
      const memory_mb = memoryOf(api);
      await until(
        'the end of every connection',
        () => Promise.resolve(sockets.size),
        (open) => open === 0,
        CUT_MS,
      );
      const cut_s = Math.round((performance.now() - begun) / 1000);
      stopping = true;
      await Promise.all([looking, ...busy]);
      const slowest = Math.max(...times);
      process.stdout.write(
        `${times.length} lists, the slowest ${Math.round(slowest)} ms; ${memory_mb} MB; all cut after ${cut_s} s; refused ${JSON.stringify([...refusals])}\n`,
      );
      expect(slowest).toBeLessThan(ANSWERED_MS);
      expect(memory_mb).toBeLessThan(MEMORY_MB_MAX);
      expect([...refusals.keys()].filter((status) => ![0, 401, 413, 422, 429].includes(status))).toEqual([]);
      expect(refusals.get(413)).toBeGreaterThan(0);
      expect(refusals.get(422)).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  it(
    'lose their connections when they exhaust file descriptors, and the process recovers',
    async () => {
      const pid = api.child.pid ?? 0;
      const open = Number(execFileSync('sh', ['-c', `ls /proc/${pid}/fd | wc -l`], { encoding: 'utf8' }));
      const limit = open + 50;
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`]);
      const held = Array.from({ length: 200 }, () => hold());
      await Promise.all(held.map((socket) => opened(socket).catch(() => undefined)));
      // Connections above the limit are closed.
      await until(
        'connections that are closed',
        () => Promise.resolve(held.filter((socket) => !sockets.has(socket)).length),
        (closed) => closed > 0,
      );
      expect([api.child.exitCode, api.child.signalCode]).toEqual([null, null]);
      for (const socket of held) socket.destroy();
      const { status } = await until(
        'an answer',
        () => ada.call('GET', '/deployments').catch(() => ({ status: 0 })),
        (answer) => answer.status === 200,
      );
      expect(status).toBe(200);
    },
    LONG_MS,
  );
});

/** Opens an idle connection, which is in `sockets` until it is closed. */
function hold(): Socket {
  const socket = connect(at);
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
  socket.resume();
  return socket;
}

const opened = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('close', () => reject(new Error('closed')));
  });

/** Sends a request at one byte per second. */
function drip(start: string): void {
  const socket = hold();
  socket.write(start);
  const timer = setInterval(() => socket.write('x'), 1_000);
  socket.once('close', () => clearInterval(timer));
}

/**
 * Sends 2 MB of a body of unknown length. Returns the status, or 0 if the connection was cut while sending, which loses
 * a response that was on its way.
 */
async function tooLarge(): Promise<number> {
  const socket = hold();
  const status = statusOn(socket).catch(() => 0);
  socket.write(
    `POST /api/users HTTP/1.1\r\nhost: ${at.host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
  );
  const block = 'x'.repeat(32 << 10);
  for (let n = 0; n < 64 && sockets.has(socket); n++) socket.write(`${block.length.toString(16)}\r\n${block}\r\n`);
  const found = await status;
  socket.destroy();
  return found;
}

/** Sends as much as a body may contain of a text that makes a bad regular expression backtrack. */
async function hardToRead(address: string): Promise<number> {
  const { status } = await ada.call(
    'POST',
    '/deployments/pricing/calculate',
    {
      server_type: 'new',
      cloud_provider: 'a'.repeat(15_000),
      region: `${'a.'.repeat(7_000)}!`,
      instance_type: `${'-a'.repeat(7_000)} `,
      support_level: '1'.repeat(15_000),
    },
    { 'x-forwarded-for': address },
  );
  return status;
}

const statusOn = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status !== undefined) resolve(Number(status));
    });
    socket.once('close', () => reject(new Error(`closed without an answer: ${text.slice(0, 100)}`)));
  });

/** Returns the resident memory of the process in MB. */
function memoryOf({ child }: Proc): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
