import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP proxy from its own port to a server on loopback, which a test can disrupt. */
export interface Line {
  /** Port for clients, on 127.0.0.1. */
  readonly port: number;
  /** Closes every connection. New connections are accepted. */
  cut(): void;
  /**
   * Keeps existing connections open but stops all their traffic, like a firewall that has dropped their state. New
   * connections work.
   */
  silence(): void;
  /** Closes every connection and refuses new ones. */
  down(): Promise<void>;
  /** Accepts connections again, at the same port. */
  up(): Promise<void>;
}

export async function openLine(target_port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function accept(client: Socket): void {
    const target = connect(target_port, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function listen(port: number): Promise<number> {
    server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }

  const port = await listen(0);
  return {
    port,
    cut,
    silence() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    async down() {
      const last = server;
      server = undefined;
      if (last === undefined) return;
      const closed = once(last, 'close');
      last.close();
      cut();
      await closed;
    },
    async up() {
      if (server === undefined) await listen(port);
    },
  };
}
