import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const OPENED_AT_ONCE = 32;

/** Open connections for live updates to a port of loopback. */
export class Streams {
  private readonly sockets: Socket[] = [];
  private awaited = '';
  private arrived: () => void = () => undefined;

  constructor(private readonly port: number) {}

  /**
   * Opens a connection with each of the tokens.
   *
   * @throws Error when the status is not 200.
   */
  async open(tokens: readonly string[]): Promise<void> {
    const waiting = tokens.values();
    const openSome = async (): Promise<void> => {
      for (const token of waiting) {
        const socket = await openStream(this.port, token);
        socket.on('data', (received) => {
          if (received.includes(this.awaited)) this.arrived();
        });
        this.sockets.push(socket);
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openSome));
  }

  /** Returns the milliseconds from the call of `send` until a text has arrived at a number of connections. */
  async delivery({ text, at, send }: { text: string; at: number; send: () => Promise<unknown> }): Promise<number> {
    let missing = at;
    this.awaited = text;
    const all = new Promise<void>((resolve) => {
      this.arrived = () => {
        if (--missing === 0) resolve();
      };
    });
    const began = performance.now();
    await Promise.all([send(), all]);
    return performance.now() - began;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.sockets.map((socket) => {
        const closed = once(socket, 'close');
        socket.destroy();
        return closed;
      }),
    );
  }
}

/** Resolves when the server has answered with its first text. */
async function openStream(port: number, token: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(`GET /api/live HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
  let received = '';
  while (!received.includes(': connected')) {
    const [part] = (await once(socket, 'data')) as [Buffer];
    received += part.toString();
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(received);
  }
  return socket;
}
