import type { Clock, Db } from '@moorage/server';
import { BEGINNING, eventsByIds, missedBy, pageAfter, type Place, watermarksOf } from '../missed-events';
import type { PgNotify } from '../pg-notify';
import type { Envelope, OnError } from '../types';
import { channelOf, parsePayload } from './postgres-notifications';

/** Each poll covers this much of the previous poll's range again, because rows may have become visible late. */
const POLL_OVERLAP_MS = 60_000;
/** Time for which a sent event is still on its way by notification. */
const UNDER_WAY_MS = 1_000;
const PAGE = 500;
/**
 * Maximum number of received notifications in memory. Beyond it they are dropped, and the next poll finds their events.
 */
const HEARD_MAX = 10_000;

export interface PostgresEventSubscriptionOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly pgNotify: PgNotify;
  readonly onError: OnError;
  readonly poll_interval_ms: number;
  readonly consumer: string;
  readonly streams: readonly string[];
  readonly arrived: (envelopes: readonly Envelope[]) => Promise<void>;
}

/** Receives the events of a consumer's streams by notification, and polls for events that were not received. */
export class PostgresEventSubscription {
  private readonly closes: (() => unknown)[] = [];
  private received: (Envelope | string)[] = [];
  private delivering: Promise<void> | undefined;
  private checking: Promise<void> | undefined;
  private checked: number | null = null;
  private closed = false;

  constructor(private readonly options: PostgresEventSubscriptionOptions) {}

  async open(): Promise<void> {
    const { clock, pgNotify, onError, poll_interval_ms, consumer, streams } = this.options;
    const failed = (error: unknown): void => onError(error, { at: 'events.read', consumer });
    const onNotify = (payload: string): void => this.receive(payload);
    for (const stream of streams) {
      const onConnect = (): void => void (stream === streams[0] && this.pollOnce().catch(failed));
      this.closes.push(await pgNotify.listen(channelOf(stream), { onNotify, onConnect }));
    }
    this.closes.push(clock.every(poll_interval_ms, () => this.pollOnce(), failed));
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const close of this.closes.splice(0)) await close();
    await this.delivering;
  }

  private receive(payload: string): void {
    const { onError } = this.options;
    const reported = parsePayload(payload);
    if (reported === null) return onError(new Error('notification is not a list of events'), { at: 'events.receive' });
    if (this.received.length + reported.length <= HEARD_MAX) this.received.push(...reported);
    this.delivering ??= this.deliver().finally(() => (this.delivering = undefined));
  }

  /** Stores received events. While a list is being stored, the next list fills up. */
  private async deliver(): Promise<void> {
    const { arrived, onError, consumer } = this.options;
    while (this.received.length > 0 && !this.closed) {
      const reported = this.received;
      this.received = [];
      try {
        const ids = reported.filter((one) => typeof one === 'string');
        const whole = reported.filter((one) => typeof one !== 'string');
        await arrived(ids.length === 0 ? whole : [...whole, ...(await this.fetchAll(ids))]);
      } catch (error) {
        onError(error, { at: 'events.receive', consumer });
      }
    }
  }

  private fetchAll(ids: readonly string[]): Promise<Envelope[]> {
    return this.options.db.tx('events.fetch', (tx) => eventsByIds(tx, ids));
  }

  private pollOnce(): Promise<void> {
    this.checking ??= this.poll().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async poll(): Promise<void> {
    const { checked } = this;
    const began =
      checked === null ? await this.pollAfterWatermarks() : await this.pollRecent(checked - POLL_OVERLAP_MS);
    this.checked = began ?? checked;
  }

  private async pollRecent(from: number): Promise<number | undefined> {
    const { db, clock, consumer, streams, arrived } = this.options;
    let began: number | undefined;
    for (let after = '0', complete = false; !complete && !this.closed;) {
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
  private async pollAfterWatermarks(): Promise<number | undefined> {
    const { db, clock, consumer, streams } = this.options;
    const [began, places] = await db.tx('events.read', async (tx) => [
      await clock.now(tx),
      await watermarksOf(tx, { consumer, streams }),
    ]);
    for (const stream of streams) await this.pollStream(stream, places.get(stream) ?? BEGINNING);
    return began;
  }

  private async pollStream(stream: string, from: Place): Promise<void> {
    const { db, consumer, arrived } = this.options;
    let after = from;
    for (let complete = false; !complete && !this.closed;) {
      const page = await db.tx('events.read', (tx) =>
        pageAfter(tx, { consumer, stream, after, young: null, limit: PAGE }),
      );
      if (page.missed.length > 0) await arrived(page.missed);
      after = page.places.at(-1) ?? after;
      ({ complete } = page);
    }
  }
}
