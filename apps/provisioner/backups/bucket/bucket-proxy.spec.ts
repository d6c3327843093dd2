import { request } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseCidr } from '@moorage/domain';
import { systemRandom } from '@moorage/server';
import { type BucketProxy, openBucketProxy } from './bucket-proxy';
import { PublicRoute, type Resolve } from '@moorage/dns';

let there: Server;
let port: number;
let proxy: BucketProxy;
let addresses: string[];
let refused: number;

beforeAll(async () => {
  there = createServer((socket) => socket.end('storage'));
  await new Promise<void>((resolve) => there.listen(0, '127.0.0.1', resolve));
  ({ port } = there.address() as AddressInfo);
});
afterAll(() => void there.close());
beforeEach(async () => {
  addresses = ['127.0.0.1'];
  refused = 0;
  const resolve: Resolve = (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  const allowed = [parseCidr('127.0.0.1/32')].filter((range) => range !== null);
  proxy = await openBucketProxy(new PublicRoute(allowed, resolve), systemRandom(), () => void refused++);
});
afterEach(() => proxy.close());

/** Returns the status of a CONNECT, and the bytes received through the tunnel. */
function tunnelled(authority: string, { login }: { login?: string } = {}): Promise<[number, string]> {
  const { hostname, port: at, username, password } = new URL(proxy.url);
  return new Promise((resolve, reject) => {
    const requested = request({
      host: hostname,
      port: at,
      method: 'CONNECT',
      path: authority,
      headers: { 'proxy-authorization': `Basic ${Buffer.from(login ?? `${username}:${password}`).toString('base64')}` },
    });
    requested.on('connect', ({ statusCode = 0 }, socket, head) => {
      let text = head.toString();
      socket.on('data', (part: Buffer) => (text += part.toString()));
      socket.on('close', () => resolve([statusCode, text]));
      socket.on('error', reject);
    });
    requested.on('error', reject);
    requested.end();
  });
}

describe('bucket proxy of restic', () => {
  it('opens a tunnel to a name that resolves to an allowed address', async () => {
    expect(await tunnelled(`s3.example.test:${port}`)).toEqual([200, 'storage']);
    expect(refused).toBe(0);
  });

  it.each(['127.0.0.2', '10.0.0.8', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]'])(
    'opens no tunnel to %s',
    async (host) => {
      expect(await tunnelled(`${host}:${port}`)).toEqual([403, '']);
      expect(refused).toBe(1);
    },
  );

  it('connects to no forbidden address of a name', async () => {
    addresses = ['10.0.0.8', '169.254.169.254'];
    expect(await tunnelled(`s3.example.test:${port}`)).toEqual([403, '']);
    addresses = ['10.0.0.8', '127.0.0.1'];
    expect(await tunnelled(`s3.example.test:${port}`)).toEqual([200, 'storage']);
  });

  it('reports that an allowed address does not respond', async () => {
    expect(await tunnelled('s3.example.test:1')).toEqual([502, '']);
    expect(refused).toBe(0);
  });

  it('rejects clients without its credentials', async () => {
    expect(await tunnelled(`s3.example.test:${port}`, { login: 'restic:guessed' })).toEqual([407, '']);
  });

  it.each(['s3.example.test', 's3.example.test:99999', 'a@b:1', '/path'])(
    'does not connect to %s',
    async (authority) => {
      expect((await tunnelled(authority))[0]).toBe(400);
    },
  );

  it('forwards no request without a tunnel', async () => {
    expect((await fetch(proxy.url.replace(/\/\/.*@/, '//'))).status).toBe(405);
  });
});
