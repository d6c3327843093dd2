import { PassThrough } from 'node:stream';
import type { Hint } from '@moorage/contracts';
import { ACCESS_WORDS, DomainError, HOUR_MS, SECOND_MS } from '@moorage/domain';
import type { Notices } from '@moorage/messaging';
import type { Clock, Log, Tx } from '@moorage/server';
import type { Caller } from '../http/call-input';
import type { AddressedHint } from './hints';

export const LIVE_CHANNEL = 'moorage_live';

const CLIENTS_MAX = 2_000;
const CLIENTS_PER_ACCOUNT_MAX = 6;
/** Long enough to be cheap, short enough for proxies that cut what is silent. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** How long an ended session may go on hearing that something changed (never what). */
const CHECKED_EVERY_MS = 45 * SECOND_MS;
/** Then the browser connects again, and is looked at again. */
const STREAM_MS_MAX = HOUR_MS;
/** A browser that does not read is let go rather than kept in memory. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** Hints of one moment go out together. */
const COALESCE_MS = 20;
/** Below what PostgreSQL carries in one notice. */
const NOTICE_BYTES_MAX = 7_000;
const WAITING_MAX = 10_000;

export interface Live {
  /** A stream of hints for one browser; refused (503) when this process has all it can carry. */
  open(caller: Caller, stillAdmitted: () => Promise<Caller | null>): PassThrough;
  /** After the commit the hints go to every api process. */
  send(tx: Tx, hints: readonly AddressedHint[]): void;
  start(): Promise<() => Promise<void>>;
  readonly clients: number;
}

interface Client {
  readonly stream: PassThrough;
  readonly opened: number;
  checked: number;
  readonly stillAdmitted: () => Promise<Caller | null>;
  caller: Caller;
}

/**
 * Live hints. They may be lost (a process dies, a connection is new): the console polls as well and looks again after every
 * reconnect, so nothing here has to be kept.
 */
export function createLive({ notices, clock, log }: { notices: Notices; clock: Clock; log: Log }): Live {
  const clients = new Set<Client>();
  const waiting = new Map<string, AddressedHint>();
  let sending: Promise<void> | undefined;

  function drop(client: Client): void {
    clients.delete(client);
    client.stream.end();
  }

  function write(client: Client, text: string): void {
    if (client.stream.writableLength > UNREAD_BYTES_MAX) {
      clients.delete(client);
      client.stream.destroy();
      return;
    }
    client.stream.write(text);
  }

  function heard(payload: string): void {
    for (const { userId, hint } of JSON.parse(payload) as AddressedHint[]) {
      for (const client of clients) {
        if (client.caller.userId === userId || (client.caller.isAdmin && hint.kind === 'deployment'))
          write(client, lineOf(hint));
      }
    }
  }

  async function send(): Promise<void> {
    await clock.sleep(COALESCE_MS);
    while (waiting.size > 0) {
      const hints = [...waiting.values()];
      waiting.clear();
      await notices
        .send(LIVE_CHANNEL, payloadsOf(hints))
        .catch((error: unknown) => log.warn('hints were lost', { count: hints.length, because: String(error) }));
    }
  }

  /** Says that we are here, then lets go who may not listen any more: a session that ended, a flag that was taken away. */
  async function beat(): Promise<void> {
    for (const client of [...clients]) {
      if (clock.wall() - client.opened > STREAM_MS_MAX) drop(client);
      else write(client, ': still here\n\n');
    }
    // after all have heard it: while the database is away this ends at the first, and proxies would cut the silent rest
    for (const client of [...clients]) {
      if (clock.wall() - client.checked < CHECKED_EVERY_MS) continue;
      const caller = await client.stillAdmitted();
      if (caller === null) {
        drop(client);
        continue;
      }
      client.caller = caller;
      client.checked = clock.wall();
    }
  }

  return {
    get clients() {
      return clients.size;
    },

    open(caller, stillAdmitted) {
      if (clients.size >= CLIENTS_MAX) {
        throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_WORDS.live_crowded, {
          retry_after_s: 60,
        });
      }
      const own = [...clients].filter((client) => client.caller.userId === caller.userId);
      // the oldest tab goes: it connects again when somebody looks at it
      for (const oldest of own.slice(0, Math.max(0, own.length - CLIENTS_PER_ACCOUNT_MAX + 1))) drop(oldest);
      const client: Client = {
        stream: new PassThrough(),
        opened: clock.wall(),
        checked: clock.wall(),
        stillAdmitted,
        caller,
      };
      clients.add(client);
      client.stream.once('close', () => clients.delete(client));
      client.stream.once('error', () => clients.delete(client));
      client.stream.write('retry: 5000\n\n: connected\n\n');
      return client.stream;
    },

    send(tx, hints) {
      tx.afterCommit(() => {
        for (const addressed of hints) {
          const { kind, id } = addressed.hint;
          // the newest of a thing says it all
          waiting.delete(`${kind}:${id}`);
          if (waiting.size < WAITING_MAX) waiting.set(`${kind}:${id}`, addressed);
        }
        sending ??= send().finally(() => (sending = undefined));
      });
    },

    async start() {
      const unlisten = await notices.listen(LIVE_CHANNEL, { heard });
      const stopBeating = clock.every(HEARTBEAT_MS, beat, (error) => log.error('the heartbeat failed', { error }));
      return async () => {
        unlisten();
        await stopBeating();
        await sending;
        for (const client of [...clients]) drop(client);
      };
    },
  };
}

function lineOf(hint: Hint): string {
  return `data: ${JSON.stringify(hint)}\n\n`;
}

function payloadsOf(hints: readonly AddressedHint[]): string[] {
  const payloads: string[] = [];
  let batch: AddressedHint[] = [];
  let bytes = 0;
  for (const hint of hints) {
    const length = JSON.stringify(hint).length + 1;
    if (bytes + length > NOTICE_BYTES_MAX) {
      payloads.push(JSON.stringify(batch));
      batch = [];
      bytes = 0;
    }
    batch.push(hint);
    bytes += length;
  }
  return batch.length === 0 ? payloads : [...payloads, JSON.stringify(batch)];
}
