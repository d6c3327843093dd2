import { afterEach, describe, expect, it } from '@jest/globals';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Db, systemClock } from '@moorage/server';
import { collected } from '@moorage/testing/messaging';
import { TransportAway, type Outage } from '../types';
import { BullWorkTransport } from './bull-work-transport';

describe('Bull work transport while Redis', () => {
  const closes: (() => unknown)[] = [];
  const { reported, onError } = collected();
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    reported.splice(0);
  });

  async function listening(answer: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closes.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return { server, port: (server.address() as AddressInfo).port };
  }

  function opened(port: number) {
    const troubles: (Outage | null)[] = [];
    const transport = new BullWorkTransport({
      server: { url: `redis://moorage:secret@127.0.0.1:${port}` },
      db: {} as Db,
      clock: systemClock(),
      onError,
      onOutage: (trouble) => troubles.push(trouble),
    });
    closes.unshift(() => transport.close());
    return { transport, troubles };
  }

  it.each<[string, (socket: Socket) => void, Outage['with'], string]>([
    ['hangs up', (socket) => socket.destroy(), 'server', 'no connection to'],
    ['accepts and never answers', () => undefined, 'server', 'no connection to'],
    [
      'refuses the login',
      (socket) =>
        socket.on('data', (commands) => {
          for (const _ of commands.toString().matchAll(/^\*\d+\r$/gm)) socket.write('-WRONGPASS invalid pair\r\n');
        }),
      'login',
      'rejected the user or the password',
    ],
  ])('%s rejects signals in bounded time, and logs the reason without the secret', async (_, answer, kind, detail) => {
    const { port } = await listening(answer);
    const { transport, troubles } = opened(port);
    await transport.listen('paint', 2, () => Promise.resolve());
    const refused = await transport.signal('paint', 'k', 0).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TransportAway);
    expect(transport.health()).toMatchObject({ reached: false, trouble: { with: kind } });
    expect(troubles[0]?.detail).toContain(detail);
    expect(JSON.stringify([String(refused), troubles])).not.toContain('secret');
  });

  it('is missing rejects every signal, logs that once, and closes', async () => {
    const { server, port } = await listening(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const { transport, troubles } = opened(port);
    await transport.listen('paint', 2, () => Promise.resolve());
    const trouble: Outage = { with: 'server', detail: `connection refused by 127.0.0.1:${port}` };
    for (let times = 0; times < 3; times++) {
      await expect(transport.signal('paint', 'k', 0)).rejects.toThrow(new TransportAway(trouble.detail));
    }
    await transport.close();
    expect(troubles).toEqual([trouble]);
    expect(transport.health()).toEqual({ reached: false, trouble });
    await expect(transport.signal('paint', 'k', 0)).rejects.toThrow(TransportAway);
    expect(reported).toEqual([]);
  });
});
