import { type Clock, correlated, type Db } from '@moorage/server';
import type { OnError } from './types';

/**
 * PostgreSQL's LISTEN and NOTIFY on one connection of its own, never inside a business transaction (there it halves the
 * commit rate). A notification may be lost: listeners also poll their tables, and poll at once after a reconnection.
 */
export abstract class PgNotify {
  /** Fire and forget, coalesced: at most one statement in about 5 ms carries all payloads of all channels. */
  abstract notify(channel: string, payload: string): void;
  /** Sends at once, in order. A payload holds less than 8000 bytes. Rejects when there is no connection. */
  abstract send(channel: string, payloads: readonly string[]): Promise<void>;
  /** `connected` is called after every (re)connection: notifications before it may be lost. Ends with the returned function. */
  abstract listen(channel: string, listener: Listener): Promise<() => void>;
  abstract close(): Promise<void>;
}

export interface Listener {
  onNotify(payload: string): void;
  onConnect?(): void;
}

type Client = Awaited<ReturnType<Db['connect']>>;

const COALESCE_MS = 5;
const PING_EVERY_MS = 15_000;
const PING_PATIENCE_MS = 5_000;
const CONNECT_PATIENCE_MS = 5_000;
const RECONNECT_MS = [50, 200, 1_000, 5_000];
const NOTIFY = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as notice (channel, payload)';

export function createPgNotify({ db, clock, onError }: { db: Db; clock: Clock; onError?: OnError }): PgNotify {
  const report: OnError = onError ?? (() => undefined);
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Set<string>>();
  const closing = new AbortController();
  let client: Client | undefined;
  let asked: Promise<unknown> = Promise.resolve();
  let connecting: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
  let pinging: (() => Promise<void>) | undefined;

  /** One statement at a time: the driver keeps no queue. */
  function ask(of: Client, sql: string, params: unknown[] = []): Promise<unknown> {
    const answer = asked.then(() => of.query(sql, params));
    asked = answer.catch(() => undefined);
    return answer;
  }

  function connect(): Promise<void> {
    if (client !== undefined) return Promise.resolve();
    connecting ??= keepTrying().finally(() => (connecting = undefined));
    return connecting;
  }

  async function keepTrying(): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      try {
        return await open();
      } catch (error) {
        report(error, { at: 'notify.connect' });
      }
      await clock.sleep(RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length - 1)] ?? 0, closing.signal);
    }
  }

  async function open(): Promise<void> {
    const fresh = await db.connect();
    fresh.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) hand(listener, channel, payload ?? '');
    });
    fresh.on('end', () => lost(fresh));
    if (closing.signal.aborted) return fresh.end();
    try {
      for (const channel of listeners.keys()) await ask(fresh, listenTo(channel));
    } catch (error) {
      await fresh.end().catch(report);
      throw error;
    }
    client = fresh;
    pinging ??= clock.every(PING_EVERY_MS, ping, report);
    for (const group of listeners.values()) for (const listener of group) listener.onConnect?.();
  }

  /** Every database role can NOTIFY with any payload. A payload that a listener cannot read is reported and ignored. */
  function hand(listener: Listener, channel: string, payload: string): void {
    try {
      listener.onNotify(payload);
    } catch (error) {
      report(error, { at: 'notify.receive', channel });
    }
  }

  function lost(gone: Client): void {
    if (client !== gone) return;
    client = undefined;
    if (!closing.signal.aborted) void connect();
  }

  /** A link that died without a word (no reset ever comes) shows only when an answer stays out. */
  async function ping(): Promise<void> {
    const pinged = client;
    if (pinged === undefined) return;
    const answered = new AbortController();
    const answer = ask(pinged, 'select 1').finally(() => answered.abort());
    answer.catch(() => undefined); // the connection's end tells
    await clock.sleep(PING_PATIENCE_MS, answered.signal);
    if (answered.signal.aborted) return;
    lost(pinged);
    pinged.end().catch(report); // with a query under way this destroys the socket
  }

  async function flush(): Promise<void> {
    await connect();
    while (waiting.size > 0 && !closing.signal.aborted) {
      const channels = [...waiting.keys()];
      const payloads = [...waiting.values()].map((set) => [...set].join(' '));
      waiting.clear();
      if (client !== undefined)
        await ask(client, NOTIFY, [channels, payloads]).catch((error) => report(error, { at: 'notify.send' }));
      await clock.sleep(COALESCE_MS, closing.signal);
    }
  }

  return {
    notify(channel, payload) {
      if (closing.signal.aborted) return;
      const set = waiting.get(channel) ?? new Set();
      waiting.set(channel, set.add(payload));
      // of all who notify, and a connection it makes brings what others sent
      flushing ??= correlated(undefined, flush).finally(() => (flushing = undefined));
    },

    async send(channel, payloads) {
      if (client === undefined) {
        const patience = new AbortController();
        await Promise.race([connect(), clock.sleep(CONNECT_PATIENCE_MS, patience.signal)]);
        patience.abort();
      }
      if (client === undefined) throw new Error('there is no connection for notifications');
      await ask(client, NOTIFY, [payloads.map(() => channel), payloads]);
    },

    async listen(channel, listener) {
      const group = listeners.get(channel) ?? new Set();
      listeners.set(channel, group.add(listener));
      if (client === undefined) {
        await connect();
      } else {
        if (group.size === 1) await ask(client, listenTo(channel));
        listener.onConnect?.();
      }
      return () => void group.delete(listener);
    },

    async close() {
      closing.abort();
      await connecting?.catch(report);
      await flushing?.catch(report);
      const last = client;
      client = undefined;
      await last?.end().catch(report);
      await pinging?.();
    },
  };
}

function listenTo(channel: string): string {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(channel)) throw new Error(`not a channel: ${channel}`);
  return `listen ${channel}`;
}
