import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { SimulatedCopies } from '../../backups/simulated-copies';
import type { SandboxAuthority, TlsIdentity } from './authority';
import { asksForLogin, isOpen, routerIsUp } from './host-scripts';
import type { Hosts, HostState } from './host-state';
import type { SandboxNames } from './names';
import { serveSsh } from './ssh-server';

const SSH_PORT = 22;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Certificates kept in memory by name; more are made again when asked for. */
const CERTIFICATES_MAX = 500;

interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly sockets: Set<Socket>;
}

/**
 * The loopback side of the sandbox: a server's address and port lead to a listener that this process makes when it is first
 * dialled. Each connection looks at the row afresh, so it does not matter which process serves it.
 */
export class SandboxNetwork {
  private readonly listeners = new Map<string, Promise<Listening>>();
  private readonly identities = new Map<string, Promise<TlsIdentity>>();
  private selfSigned: Promise<TlsIdentity> | undefined;

  constructor(
    private readonly hosts: Hosts,
    private readonly names: SandboxNames,
    private readonly authority: SandboxAuthority,
    private readonly copies?: SimulatedCopies,
  ) {}

  /** Addresses of the sandbox are mapped, all others lead to themselves. */
  async dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }> {
    if (!isOurs(address)) return { host: address, port };
    const wanted = [HTTP_PORT, HTTPS_PORT].includes(port) ? port : SSH_PORT;
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
    const made = this.authority.issue(host);
    this.identities.set(host, made);
    made.catch(() => this.identities.delete(host));
    return made;
  }

  /** As an ACME client behind a router does: a certificate only for a name that leads to this very server. */
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

  /** The names of this server for which the authority issues nothing. Asked by the router's log. */
  private async refused(address: string): Promise<string[]> {
    return (await this.names.namesOf(address)).filter((name) => !this.names.mayHaveCertificate(name));
  }

  /** What the machine answers as it is now. */
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

  /** 80 and 443 are closed until the router is up, or what there is instead of one. */
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

  /** The listeners of servers that are gone are closed when the next one is opened: what grows has an end. */
  private async closeGone(): Promise<void> {
    for (const [key, opened] of [...this.listeners]) {
      const [address = ''] = key.split(' ');
      if ((await this.hosts.find({ address })) !== null) continue;
      this.listeners.delete(key);
      await closeOne(await opened);
    }
  }
}

/** 198.18.0.0/15, where the sandbox cloud takes its addresses from. */
function isOurs(address: string): boolean {
  return /^198\.1[89]\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** The answers that the packages' probes expect, by the rules that lie on the host. */
function answerAsTheStackDoes(state: HostState, request: IncomingMessage, response: ServerResponse): void {
  if (asksForLogin(state, request.headers.host ?? '')) response.writeHead(401).end();
  else response.end('{"message":"Healthy","status":"OK"}');
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
