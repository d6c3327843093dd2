import { type Clock, correlated, type Db } from '@moorage/server';
import type { OnError } from './types';

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
 * PostgreSQL's LISTEN and NOTIFY on a dedicated connection, never inside a business transaction (which would halve the
 * commit rate). Notifications can be lost, so listeners also poll their tables, and poll immediately after a reconnect.
 * Connects on first use and reconnects after 50 ms to 5 s.
 */
export class PgNotify {
  private readonly db: Db;
  private readonly clock: Clock;
  private readonly onError: OnError;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly waiting = new Map<string, Set<string>>();
  private readonly closing = new AbortController();
  private client: Client | undefined;
  private requested: Promise<unknown> = Promise.resolve();
  private connecting: Promise<void> | undefined;
  private flushing: Promise<void> | undefined;
  private pinging: (() => Promise<void>) | undefined;

  /** `onError` receives connection errors. */
  constructor({ db, clock, onError }: { db: Db; clock: Clock; onError?: OnError }) {
    this.db = db;
    this.clock = clock;
    this.onError = onError ?? (() => undefined);
  }

  /**
   * Sends a payload without waiting. Payloads are coalesced, so at most one statement in about 5 ms carries all
   * payloads of all channels.
   */
  notify(channel: string, payload: string): void {
    if (this.closing.signal.aborted) return;
    const set = this.waiting.get(channel) ?? new Set();
    this.waiting.set(channel, set.add(payload));
    // Not attributed to a correlation id, because a flush serves all callers, and a connection that it opens also
    // receives notifications of others.
    this.flushing ??= correlated(undefined, () => this.flush()).finally(() => (this.flushing = undefined));
  }

  /**
   * Sends payloads immediately and in order.
   *
   * @param payloads Strings of fewer than 8000 bytes each.
   * @throws when there is no connection.
   */
  async send(channel: string, payloads: readonly string[]): Promise<void> {
    if (this.client === undefined) {
      const patience = new AbortController();
      await Promise.race([this.connect(), this.clock.sleep(CONNECT_PATIENCE_MS, patience.signal)]);
      patience.abort();
    }
    if (this.client === undefined) throw new Error('no connection for notifications');
    await this.publish(
      this.client,
      payloads.map(() => channel),
      payloads,
    );
  }

  /**
   * Listens on a channel. `onConnect` is called after every connect and reconnect, because notifications before it may
   * be lost.
   *
   * @returns A function that stops listening.
   */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const group = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, group.add(listener));
    if (this.client === undefined) {
      await this.connect();
    } else {
      if (group.size === 1) await this.runQuery(this.client, listenTo(channel));
      listener.onConnect?.();
    }
    return () => void group.delete(listener);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.connecting?.catch(this.onError);
    await this.flushing?.catch(this.onError);
    const last = this.client;
    this.client = undefined;
    await last?.end().catch(this.onError);
    await this.pinging?.();
  }

  /** Passes payloads to this process's listeners, which need no round trip, and notifies the other processes. */
  private publish(client: Client, channels: readonly string[], payloads: readonly string[]): Promise<unknown> {
    // The listeners serve all callers, so they are not attributed to a correlation id.
    correlated(undefined, () => payloads.forEach((payload, index) => this.deliver(channels[index] ?? '', payload)));
    return this.runQuery(client, NOTIFY, [channels, payloads]);
  }

  /** Runs one statement at a time, because the driver does not queue statements. */
  private runQuery(client: Client, sql: string, params: unknown[] = []): Promise<unknown> {
    const answer = this.requested.then(() => client.query(sql, params));
    this.requested = answer.catch(() => undefined);
    return answer;
  }

  private connect(): Promise<void> {
    if (this.client !== undefined) return Promise.resolve();
    this.connecting ??= this.keepTrying().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async keepTrying(): Promise<void> {
    const { signal } = this.closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await this.open();
      } catch (error) {
        this.onError(error, { at: 'notify.connect' });
      }
      await this.clock.sleep(RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length - 1)] ?? 0, signal);
    }
  }

  private async open(): Promise<void> {
    const fresh = await this.db.connect();
    const { pid } = (await fresh.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0] ?? {};
    fresh.on('notification', ({ channel, payload, processId }) => {
      // Our own notifications were delivered when they were sent.
      if (processId !== pid) this.deliver(channel, payload ?? '');
    });
    fresh.on('end', () => this.lost(fresh));
    if (this.closing.signal.aborted) return fresh.end();
    try {
      for (const channel of this.listeners.keys()) await this.runQuery(fresh, listenTo(channel));
    } catch (error) {
      await fresh.end().catch(this.onError);
      throw error;
    }
    this.client = fresh;
    this.pinging ??= this.clock.every(PING_EVERY_MS, () => this.ping(), this.onError);
    for (const group of this.listeners.values()) for (const listener of group) listener.onConnect?.();
  }

  /**
   * Passes a payload to the listeners of a channel. Every database role can NOTIFY with any payload, so a payload that a
   * listener cannot read is reported and ignored.
   */
  private deliver(channel: string, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        listener.onNotify(payload);
      } catch (error) {
        this.onError(error, { at: 'notify.receive', channel });
      }
    }
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    if (!this.closing.signal.aborted) void this.connect();
  }

  /**
   * Checks that the connection is alive. A connection that dropped without a reset is noticed only by a missing
   * response.
   */
  private async ping(): Promise<void> {
    const pinged = this.client;
    if (pinged === undefined) return;
    const answered = new AbortController();
    const answer = this.runQuery(pinged, 'select 1').finally(() => answered.abort());
    answer.catch(() => undefined); // the connection's `end` event reports it
    await this.clock.sleep(PING_PATIENCE_MS, answered.signal);
    if (answered.signal.aborted) return;
    this.lost(pinged);
    pinged.end().catch(this.onError); // destroys the socket while a query is running
  }

  private async flush(): Promise<void> {
    const { signal } = this.closing;
    await this.connect();
    while (this.waiting.size > 0 && !signal.aborted) {
      const channels = [...this.waiting.keys()];
      const payloads = [...this.waiting.values()].map((set) => [...set].join(' '));
      this.waiting.clear();
      if (this.client !== undefined)
        await this.publish(this.client, channels, payloads).catch((error) =>
          this.onError(error, { at: 'notify.send' }),
        );
      await this.clock.sleep(COALESCE_MS, signal);
    }
  }
}

function listenTo(channel: string): string {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(channel)) throw new Error(`not a channel: ${channel}`);
  return `listen ${channel}`;
}
