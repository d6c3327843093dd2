import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Random } from '@moorage/server';
import { NotPublic, type PublicRoute } from '@moorage/dns';

const CONNECTIONS_MAX = 64;
const CONNECTS_WITHIN_MS = 30_000;
/** Time after which an idle connection is closed. restic then opens a new connection. */
const IDLE_MS = 10 * 60_000;
const LOGIN_LENGTH = 32;

export interface BucketProxy {
  /** Value of HTTPS_PROXY, including the login. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens a proxy on loopback through which restic reaches a bucket. restic resolves no names itself and cannot be given
 * an address to connect to, so the address rule is applied here. The proxy only tunnels (CONNECT), and only for callers
 * with its login. Calls `onNotPublic` when it refuses a connection because the host has no public address.
 */
export async function openBucketProxy(
  route: PublicRoute,
  random: Random,
  onNotPublic: () => void = () => undefined,
): Promise<BucketProxy> {
  const password = random.text(LOGIN_LENGTH);
  const login = Buffer.from(`Basic ${Buffer.from(`restic:${password}`).toString('base64')}`);
  const sockets = new Set<Duplex>();
  const server = createServer((_, answer) => answer.writeHead(405).end());
  server.maxConnections = CONNECTIONS_MAX;
  server.on('connect', (requested: IncomingMessage, client: Duplex, head: Buffer) => {
    const end = (status: string): void => void client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
    track(sockets, client);
    client.on('error', () => client.destroy());
    if (!isSame(login, requested.headers['proxy-authorization'])) return end('407 Proxy Authentication Required');
    const place = placeOf(requested.url);
    if (place === null) return end('400 Bad Request');
    const onRefused = (error: Error): void => {
      end(error instanceof NotPublic ? '403 Forbidden' : '502 Bad Gateway');
      if (error instanceof NotPublic) onNotPublic();
    };
    try {
      route.check(place.host);
    } catch (error) {
      return onRefused(error as Error);
    }
    tunnel(connect({ ...place, lookup: route.lookup, autoSelectFamily: true }), { client, head, sockets, onRefused });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://restic:${password}@127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function tunnel(
  there: Socket,
  {
    client,
    head,
    sockets,
    onRefused,
  }: { client: Duplex; head: Buffer; sockets: Set<Duplex>; onRefused: (error: Error) => void },
): void {
  track(sockets, there);
  let isOpen = false;
  there.setTimeout(CONNECTS_WITHIN_MS, () => there.destroy(new Error('no data sent for too long')));
  there.once('connect', () => {
    isOpen = true;
    there.setTimeout(IDLE_MS);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    there.write(head);
    there.pipe(client);
    client.pipe(there);
  });
  there.on('error', (error) => (isOpen ? client.destroy() : onRefused(error)));
  there.once('close', () => isOpen && client.destroy());
  client.once('close', () => there.destroy());
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function isSame(login: Buffer, given: string | undefined): boolean {
  const got = Buffer.from(given ?? '');
  return got.length === login.length && timingSafeEqual(got, login);
}

/** Parses `host:port` or `[address]:port`. */
function placeOf(authority: string | undefined): { host: string; port: number } | null {
  const [, bracketed, name, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:/@]+)):(\d{1,5})$/.exec(authority ?? '') ?? [];
  const host = bracketed ?? name;
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) };
}
