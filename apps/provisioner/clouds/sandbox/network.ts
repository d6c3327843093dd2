import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { SimulatedCopies } from './simulated-copies';
import type { SandboxAuthority, TlsIdentity } from './authority';
import { redirectOf, requiresLogin, isOpen, routerIsUp } from './host-scripts';
import type { Hosts, HostState } from './host-state';
import type { SandboxNames } from './names';
import type { OwnServers } from './own-servers';
import { serveSsh } from './ssh-server';

const SSH_PORT = 22;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Maximum number of certificates in memory. Others are issued again on demand. */
const CERTIFICATES_MAX = 500;

interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly sockets: Set<Socket>;
}

/**
 * The loopback side of the sandbox. A server's address and port map to a listener that this process creates on the
 * first connection. Each connection reads the row again, so any process can serve it.
 */
export class SandboxNetwork {
  private readonly listeners = new Map<string, Promise<Listening>>();
  private readonly identities = new Map<string, Promise<TlsIdentity>>();
  private selfSigned: Promise<TlsIdentity> | undefined;

  constructor(
    private readonly hosts: Hosts,
    private readonly names: SandboxNames,
    private readonly authority: SandboxAuthority,
    private readonly ownServers: OwnServers,
    private readonly copies?: SimulatedCopies,
  ) {}

  /** Maps addresses of the sandbox, and returns all others unchanged. */
  async dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }> {
    if (!isOurs(address)) return { host: address, port };
    const wanted = [HTTP_PORT, HTTPS_PORT].includes(port) ? port : SSH_PORT;
    if (wanted === SSH_PORT) await this.ownServers.prepare(address);
    if ((await this.hosts.find({ address })) === null) throw refused(address, port);
    if (!this.listeners.has(`${address} ${wanted}`)) await this.closeGone();
    const { port: local } = await this.listening(address, wanted);
    return { host: '127.0.0.1', port: local };
  }

  async close(): Promise<void> {
    const opened = [...this.listeners.values()];
    this.listeners.clear();
    for (const one of opened) await one.then(closeOne, () => undefined);
  }

  private identity(host: string): Promise<TlsIdentity> {
    const known = this.identities.get(host);
    if (known !== undefined) return known;
    if (this.identities.size >= CERTIFICATES_MAX) this.identities.clear();
    const created = this.authority.issue(host);
    this.identities.set(host, created);
    created.catch(() => this.identities.delete(host));
    return created;
  }

  /**
   * Behaves like an ACME client behind a router and issues a certificate only for names that resolve to this server.
   */
  private async certificateFor(address: string, host: string): Promise<SecureContext> {
    const right = this.names.mayHaveCertificate(host) && (await this.names.resolve(host)).includes(address);
    this.selfSigned ??= this.authority.selfSigned();
    const { cert, key } = right ? await this.identity(host) : await this.selfSigned;
    return createSecureContext({ cert, key });
  }

  private listenFor(address: string, port: number): Server {
    if (port === HTTPS_PORT) {
      const server = createHttpsServer(
        {
          SNICallback: (host, done) => {
            this.certificateFor(address, host).then(
              (context) => done(null, context),
              (error: Error) => done(error),
            );
          },
        },
        this.answering(address, answerAsTheStackDoes),
      );
      return this.guarded(server, address, port);
    }
    if (port === HTTP_PORT) {
      const server = createHttpServer(
        this.answering(address, (state, request, response) => {
          if (!routerIsUp(state)) return answerAsTheStackDoes(state, request, response);
          if (redirected(state, request, response, 'http')) return;
          response.writeHead(308, { location: `https://${request.headers.host ?? ''}${request.url ?? '/'}` }).end();
        }),
      );
      return this.guarded(server, address, port);
    }
    return createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      this.hosts.find({ address }).then(
        (host) =>
          host === null
            ? socket.destroy()
            : serveSsh(socket, host, this.hosts, { refusedNames: () => this.refused(address), copies: this.copies }),
        () => socket.destroy(),
      );
    });
  }

  /** Returns the names of this server that the authority rejects, for the router's log. */
  private async refused(address: string): Promise<string[]> {
    return (await this.names.namesOf(address)).filter((name) => !this.names.mayHaveCertificate(name));
  }

  /** Responds with the current state of the machine. */
  private answering(
    address: string,
    answer: (state: HostState, request: IncomingMessage, response: ServerResponse) => void,
  ): RequestListener {
    return (request, response) => {
      this.hosts.find({ address }).then(
        (host) => (host === null ? response.destroy() : answer(host.state, request, response)),
        () => response.destroy(),
      );
    };
  }

  /** Closes 80 and 443 until the router, or a service that replaces it, is up. */
  private guarded(server: Server, address: string, port: number): Server {
    const serve = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.hosts.find({ address }).then(
        (host) =>
          host !== null && isOpen(host.state, port) ? serve.forEach((go) => go.call(server, socket)) : socket.destroy(),
        () => socket.destroy(),
      );
    });
    return server;
  }

  private listening(address: string, port: number): Promise<Listening> {
    const key = `${address} ${port}`;
    const known = this.listeners.get(key);
    if (known !== undefined) return known;
    const opened = new Promise<Listening>((resolve, reject) => {
      const server = this.listenFor(address, port);
      const sockets = new Set<Socket>();
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
      });
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port, sockets }));
      server.unref();
    });
    this.listeners.set(key, opened);
    opened.catch(() => this.listeners.delete(key));
    return opened;
  }

  /** Closes the listeners of servers that are gone when the next listener is opened, which limits their number. */
  private async closeGone(): Promise<void> {
    for (const [key, opened] of [...this.listeners]) {
      const [address = ''] = key.split(' ');
      if ((await this.hosts.find({ address })) !== null) continue;
      this.listeners.delete(key);
      await closeOne(await opened);
    }
  }
}

/** Returns whether the address is in 198.18.0.0/15, which contains all simulated servers. */
function isOurs(address: string): boolean {
  return /^198\.1[89]\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** Responds as the packages' probes expect, following the rules on the host. */
function answerAsTheStackDoes(state: HostState, request: IncomingMessage, response: ServerResponse): void {
  if (redirected(state, request, response, 'https')) return;
  if (requiresLogin(state, request.headers.host ?? '')) response.writeHead(401).end();
  else response.end('{"message":"Healthy","status":"OK"}');
}

/** Responds with the redirect of a further domain, with the status that Traefik uses. Returns whether there is one. */
function redirected(
  state: HostState,
  { headers, method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  scheme: 'http' | 'https',
): boolean {
  const wanted = `${scheme}://${headers.host ?? ''}${url}`;
  const location = URL.canParse(wanted) ? redirectOf(state, new URL(wanted)) : null;
  if (location !== null) response.writeHead(method === 'GET' ? 301 : 308, { location }).end();
  return location !== null;
}

function refused(address: string, port: number): Error {
  return Object.assign(new Error(`connect ECONNREFUSED ${address}:${port}`), { code: 'ECONNREFUSED' });
}

function closeOne({ server, sockets }: Listening): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
