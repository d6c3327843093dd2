import type { Clock, Db } from '@moorage/server';
import { parseEnvelope } from '../envelope';
import { BEGINNING, eventsByIds, missedBy, pageAfter, watermarksOf } from '../missed-events';
import type { PgNotify } from '../pg-notify';
import { WITH_THE_DATABASE } from '../health-reporter';
import type { Envelope, EventTransport, OnError } from '../types';

const POLL_INTERVAL_MS = 5_000;
/** Each poll covers this much of the previous poll's range again, because rows may have become visible late. */
const POLL_OVERLAP_MS = 60_000;
/** Time for which a sent event is still on its way by notification. */
const UNDER_WAY_MS = 1_000;
const PAGE = 500;
/** PostgreSQL accepts payloads of less than 8000 bytes. */
const PAYLOAD_BYTES_MAX = 7_800;
/**
 * Maximum number of received notifications in memory. Beyond it they are dropped, and the next poll finds their events.
 */
const HEARD_MAX = 10_000;

/**
 * Sends events by NOTIFY on one channel per stream, and every process of every subscribing service receives them.
 * Events that were not received (no process running, connection lost, too many at once) are read from the outbox at
 * start-up, after every reconnect and every few seconds.
 */
export function createPostgresEventTransport({
  db,
  clock,
  pgNotify,
  onError = () => undefined,
  poll_interval_ms = POLL_INTERVAL_MS,
}: {
  db: Db;
  clock: Clock;
  pgNotify: PgNotify;
  onError?: OnError;
  poll_interval_ms?: number;
}): EventTransport {
  const subscriptions: { close(): Promise<void> }[] = [];

  return {
    async publish(batch) {
      for (const stream of new Set(batch.map((envelope) => envelope.stream))) {
        await pgNotify.send(channelOf(stream), payloadsOf(batch.filter((envelope) => envelope.stream === stream)));
      }
    },
    async subscribe(consumer, streams, arrived) {
      const subscription = subscribed({ db, clock, pgNotify, onError, poll_interval_ms, consumer, streams, arrived });
      subscriptions.push(subscription);
      await subscription.open();
    },
    health: () => WITH_THE_DATABASE,
    async close() {
      for (const subscription of subscriptions.splice(0)) await subscription.close();
    },
  };
}

function subscribed({
  db,
  clock,
  pgNotify,
  onError,
  poll_interval_ms,
  consumer,
  streams,
  arrived,
}: {
  db: Db;
  clock: Clock;
  pgNotify: PgNotify;
  onError: OnError;
  poll_interval_ms: number;
  consumer: string;
  streams: readonly string[];
  arrived: (envelopes: readonly Envelope[]) => Promise<void>;
}): { open(): Promise<void>; close(): Promise<void> } {
  const closes: (() => unknown)[] = [];
  let received: (Envelope | string)[] = [];
  let delivering: Promise<void> | undefined;
  let checking: Promise<void> | undefined;
  let checked: number | null = null;
  let closed = false;

  function receive(payload: string): void {
    const reported = parsePayload(payload);
    if (reported === null) return onError(new Error('notification is not a list of events'), { at: 'events.receive' });
    if (received.length + reported.length <= HEARD_MAX) received.push(...reported);
    delivering ??= deliver().finally(() => (delivering = undefined));
  }

  /** Stores received events. While a list is being stored, the next list fills up. */
  async function deliver(): Promise<void> {
    while (received.length > 0 && !closed) {
      const reported = received;
      received = [];
      try {
        const ids = reported.filter((one) => typeof one === 'string');
        const whole = reported.filter((one) => typeof one !== 'string');
        await arrived(ids.length === 0 ? whole : [...whole, ...(await fetchAll(ids))]);
      } catch (error) {
        onError(error, { at: 'events.receive', consumer });
      }
    }
  }

  const fetchAll = (ids: readonly string[]): Promise<Envelope[]> => db.tx('events.fetch', (tx) => eventsByIds(tx, ids));

  function pollOnce(): Promise<void> {
    checking ??= poll().finally(() => (checking = undefined));
    return checking;
  }

  async function poll(): Promise<void> {
    const began = checked === null ? await pollAfterWatermark() : await pollRecent(checked - POLL_OVERLAP_MS);
    checked = began ?? checked;
  }

  async function pollRecent(from: number): Promise<number | undefined> {
    let began: number | undefined;
    for (let after = '0', complete = false; !complete && !closed;) {
      const page = await db.tx('events.read', async (tx) => {
        const now = (began ??= await clock.now(tx));
        return missedBy(tx, { consumer, streams, from, to: now - UNDER_WAY_MS, after, limit: PAGE });
      });
      if (page.envelopes.length > 0) await arrived(page.envelopes);
      ({ last: after, complete } = page);
    }
    return began;
  }

  /**
   * Polls everything after the watermarks, which is the range in which a subscriber may lack events. Used for the first
   * poll, and again if it failed.
   */
  async function pollAfterWatermark(): Promise<number | undefined> {
    const [began, places] = await db.tx('events.read', async (tx) => [
      await clock.now(tx),
      await watermarksOf(tx, { consumer, streams }),
    ]);
    for (const stream of streams) {
      let after = places.get(stream) ?? BEGINNING;
      for (let complete = false; !complete && !closed;) {
        const page = await db.tx('events.read', (tx) =>
          pageAfter(tx, { consumer, stream, after, young: null, limit: PAGE }),
        );
        if (page.missed.length > 0) await arrived(page.missed);
        after = page.places.at(-1) ?? after;
        ({ complete } = page);
      }
    }
    return began;
  }

  return {
    async open() {
      const failed = (error: unknown): void => onError(error, { at: 'events.read', consumer });
      for (const stream of streams) {
        const onConnect = (): void => void (stream === streams[0] && pollOnce().catch(failed));
        closes.push(await pgNotify.listen(channelOf(stream), { onNotify: receive, onConnect }));
      }
      closes.push(clock.every(poll_interval_ms, pollOnce, failed));
    },
    async close() {
      closed = true;
      for (const close of closes.splice(0)) await close();
      await delivering;
    },
  };
}

function channelOf(stream: string): string {
  return `moorage_events_${stream}`;
}

/**
 * Packs as many envelopes as fit into each payload. An envelope that is too large on its own is sent as its id, and the
 * receiver reads it from the outbox.
 */
function payloadsOf(envelopes: readonly Envelope[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const envelope of envelopes) {
    const whole = JSON.stringify(envelope);
    const part = Buffer.byteLength(whole) + 2 > PAYLOAD_BYTES_MAX ? JSON.stringify(envelope.event_id) : whole;
    const size = Buffer.byteLength(part) + 1;
    if (bytes + size > PAYLOAD_BYTES_MAX) {
      payloads.push(`[${parts.join()}]`);
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += size;
  }
  if (parts.length > 0) payloads.push(`[${parts.join()}]`);
  return payloads;
}

function parsePayload(payload: string): (Envelope | string)[] | null {
  let list: unknown;
  try {
    list = JSON.parse(payload);
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  const reported = list.map((one: unknown) => (typeof one === 'string' ? one : parseEnvelope(one)));
  return reported.every((one) => one !== null) ? reported : null;
}
