import { type Clock, correlated, type Db } from '@moorage/server';
import type { OnError } from './types';

/**
 * PostgreSQL's LISTEN and NOTIFY on a dedicated connection, never inside a business transaction (which would halve the
 * commit rate). Notifications can be lost, so listeners also poll their tables, and poll immediately after a reconnect.
 */
export abstract class PgNotify {
  /**
   * Sends a payload without waiting. Payloads are coalesced, so at most one statement in about 5 ms carries all
   * payloads of all channels.
   */
  abstract notify(channel: string, payload: string): void;
  /**
   * Sends payloads immediately and in order.
   *
   * @param payloads Strings of fewer than 8000 bytes each.
   * @throws when there is no connection.
   */
  abstract send(channel: string, payloads: readonly string[]): Promise<void>;
  /**
   * Listens on a channel. `onConnect` is called after every connect and reconnect, because notifications before it may
   * be lost.
   *
   * @returns A function that stops listening.
   */
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

/**
 * Creates a notifier, which connects on first use and reconnects after 50 ms to 5 s. `onError` receives connection
 * errors.
 */
export function createPgNotify({ db, clock, onError }: { db: Db; clock: Clock; onError?: OnError }): PgNotify {
  const report: OnError = onError ?? (() => undefined);
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Set<string>>();
  const closing = new AbortController();
  let client: Client | undefined;
  let requested: Promise<unknown> = Promise.resolve();
  let connecting: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
  let pinging: (() => Promise<void>) | undefined;

  /** Runs one statement at a time, because the driver does not queue statements. */
  function runQuery(of: Client, sql: string, params: unknown[] = []): Promise<unknown> {
    const answer = requested.then(() => of.query(sql, params));
    requested = answer.catch(() => undefined);
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
      for (const channel of listeners.keys()) await runQuery(fresh, listenTo(channel));
    } catch (error) {
      await fresh.end().catch(report);
      throw error;
    }
    client = fresh;
    pinging ??= clock.every(PING_EVERY_MS, ping, report);
    for (const group of listeners.values()) for (const listener of group) listener.onConnect?.();
  }

  /**
   * Passes a payload to a listener. Every database role can NOTIFY with any payload, so a payload that the listener
   * cannot read is reported and ignored.
   */
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

  /**
   * Checks that the connection is alive. A connection that dropped without a reset is noticed only by a missing
   * response.
   */
  async function ping(): Promise<void> {
    const pinged = client;
    if (pinged === undefined) return;
    const answered = new AbortController();
    const answer = runQuery(pinged, 'select 1').finally(() => answered.abort());
    answer.catch(() => undefined); // the connection's `end` event reports it
    await clock.sleep(PING_PATIENCE_MS, answered.signal);
    if (answered.signal.aborted) return;
    lost(pinged);
    pinged.end().catch(report); // destroys the socket while a query is running
  }

  async function flush(): Promise<void> {
    await connect();
    while (waiting.size > 0 && !closing.signal.aborted) {
      const channels = [...waiting.keys()];
      const payloads = [...waiting.values()].map((set) => [...set].join(' '));
      waiting.clear();
      if (client !== undefined)
        await runQuery(client, NOTIFY, [channels, payloads]).catch((error) => report(error, { at: 'notify.send' }));
      await clock.sleep(COALESCE_MS, closing.signal);
    }
  }

  return {
    notify(channel, payload) {
      if (closing.signal.aborted) return;
      const set = waiting.get(channel) ?? new Set();
      waiting.set(channel, set.add(payload));
      // Not attributed to a correlation id, because a flush serves all callers, and a connection that it opens also
      // receives notifications of others.
      flushing ??= correlated(undefined, flush).finally(() => (flushing = undefined));
    },

    async send(channel, payloads) {
      if (client === undefined) {
        const patience = new AbortController();
        await Promise.race([connect(), clock.sleep(CONNECT_PATIENCE_MS, patience.signal)]);
        patience.abort();
      }
      if (client === undefined) throw new Error('no connection for notifications');
      await runQuery(client, NOTIFY, [payloads.map(() => channel), payloads]);
    },

    async listen(channel, listener) {
      const group = listeners.get(channel) ?? new Set();
      listeners.set(channel, group.add(listener));
      if (client === undefined) {
        await connect();
      } else {
        if (group.size === 1) await runQuery(client, listenTo(channel));
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
