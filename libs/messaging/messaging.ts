import type { Clock, Db, Random } from '@moorage/server';
import { type Aggregate, Inbox } from './inbox';
import { KeyedQueue } from './keyed-queue';
import type { MessagingObserver } from './observer';
import type { PgNotify } from './pg-notify';
import { OUTBOX_CHANNEL } from './outbox';
import { Relay } from './relay';
import { Sweep, type Subscriptions, SWEEP_EVERY_MS } from './sweep';
import type { Envelope, EventHandlers, EventTransport, KnownEvents, OnError, WorkTransport } from './types';
import { Work, type WorkKind } from './work';

export interface MessagingOptions<Known extends KnownEvents> {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  /** Name of the consumer that owns this inbox, and of the worker in leases. */
  readonly service: string;
  /** Every event this release knows, by name. */
  readonly known: Known;
  /** Subscriptions of all services, because the sweep of any service serves all. */
  readonly subscriptions: Subscriptions;
  readonly handlers: EventHandlers<Known>;
  readonly work: Readonly<Record<string, WorkKind>>;
  /** Transports owned by this instance. `stop` closes them. */
  readonly transports: { readonly events: EventTransport; readonly work: WorkTransport };
  /**
   * Notifies the relay of commits. Without it the relay polls every second. It may be shared, and its creator closes
   * it.
   */
  readonly pgNotify?: PgNotify;
  readonly onError: OnError;
  /**
   * Whether this instance publishes, and sweeps for all services. One instance is enough in a process that runs
   * several. Default true.
   */
  readonly relays?: boolean;
  /** Number of aggregates drained concurrently. Default 4. */
  readonly drain_concurrency?: number;
  readonly lease_ms?: number;
  readonly observer?: MessagingObserver;
}

const DRAIN_CONCURRENCY = 4;
/**
 * Number of batches under way at a time, each of other shards, so that one is sent while another is read or marked. Two
 * keep the transport busy.
 */
const RELAY_LANES = 2;
const POLL_EVERY_MS = 1_000;
const POLL_LIMIT = 500;
/** Delay before retrying an aggregate that another process is working on. */
const BUSY_MS = 15;
const STOP_PATIENCE_MS = 10_000;

/**
 * The messaging of one service in one process. After `start`, transports, notifications and timers drive it. Without
 * `start`, each tick does a bounded amount of work, which is how the simulation tests drive their actors.
 */
export class Messaging<Known extends KnownEvents = KnownEvents> {
  private readonly options: Omit<MessagingOptions<KnownEvents>, 'known' | 'handlers'>;
  private readonly streams: readonly string[];
  private readonly relay: Relay;
  private readonly inbox: Inbox;
  private readonly work: Work;
  private readonly sweep: Sweep;
  private readonly pendingShards = new Set<number>();
  private readonly stops: (() => unknown)[] = [];
  private queues: { relay: KeyedQueue; drain: KeyedQueue } | undefined;

  /** Nothing runs before `start` is called. */
  constructor({ known, handlers, ...options }: MessagingOptions<Known>) {
    const { db, clock, random, service, subscriptions, transports, onError, observer, lease_ms } = options;
    this.options = options;
    this.streams = subscriptions[service] ?? [];
    this.relay = new Relay({ db, clock, transport: { publish: (batch) => this.publish(batch) } });
    this.inbox = new Inbox({
      db,
      clock,
      random,
      consumer: service,
      known,
      handlers,
      onError,
      onHandled: observer?.handled,
    });
    this.work = new Work({
      db,
      clock,
      random,
      kinds: options.work,
      worker: service,
      transport: transports.work,
      onError,
      ...(lease_ms === undefined ? {} : { lease_ms }),
    });
    this.sweep = new Sweep({
      db,
      clock,
      consumer: service,
      known,
      subscriptions,
      relay: () => this.findPendingEvents(),
      drain: () => this.findDueDeliveries(),
      work: transports.work,
      kinds: Object.keys(options.work),
      shared: options.relays !== false,
    });
  }

  async start(): Promise<void> {
    const { clock, transports, service, work, relays, onError } = this.options;
    const concurrency = this.options.drain_concurrency ?? DRAIN_CONCURRENCY;
    this.queues = {
      relay: new KeyedQueue({ concurrency: RELAY_LANES, run: (lane) => this.publishPending(lane), clock, onError }),
      drain: new KeyedQueue({ concurrency, run: (key) => this.drainAggregate(key), clock, onError }),
    };
    this.every(POLL_EVERY_MS, 'inbox.read', () => this.findDueDeliveries());
    this.every(SWEEP_EVERY_MS, 'sweep', () => this.sweepTick());
    if (relays !== false) await this.startRelay();
    await transports.events.subscribe(service, this.streams, (envelopes) => this.arrived(envelopes));
    for (const [kind, { concurrency }] of Object.entries(work)) {
      await transports.work.listen(kind, concurrency, (key) => this.runWork(kind, key));
    }
  }

  /** Accepts no new work, lets running work end, and aborts the signals of steps that still run after `patience_ms`. */
  async stop(patience_ms = STOP_PATIENCE_MS): Promise<void> {
    const { transports } = this.options;
    // All at once, so that nothing new begins while another part is still shutting down.
    await Promise.all([
      ...this.stops.splice(0).map((stop) => stop()),
      transports.events.close(),
      transports.work.close(),
      this.work.stop(patience_ms),
      this.queues?.relay.stop(),
      this.queues?.drain.stop(),
    ]);
    this.queues = undefined;
  }

  /** Receives envelopes from the event transport. Tests and simulations may call it too. */
  async arrived(envelopes: readonly Envelope[]): Promise<void> {
    const mine = envelopes.filter(({ stream }) => this.streams.includes(stream));
    if (mine.length === 0) return;
    for (const aggregate of await this.inbox.arrived(mine)) this.queues?.drain.add(queueKeyOf(aggregate));
  }

  /** Publishes one batch of every shard and returns the number of events. */
  relayTick(): Promise<number> {
    return this.relay.tick();
  }

  /** Drains aggregates that are due and returns the number of events. */
  drainTick(): Promise<number> {
    return this.inbox.tick();
  }

  /** Runs one step of the longest-due work of this kind and returns the number of steps (0 or 1). */
  workTick(kind: string): Promise<number> {
    return this.work.tick(kind);
  }

  /** Runs one pass of the sweep and returns the number of rows recovered or deleted. */
  sweepTick(): Promise<number> {
    return this.sweep.tick();
  }

  private async startRelay(): Promise<void> {
    const { pgNotify } = this.options;
    const onNotify = (payload: string): void =>
      this.publishSoon(payload.split(' ').map(Number).filter(Number.isInteger));
    if (pgNotify !== undefined) this.stops.push(await pgNotify.listen(OUTBOX_CHANNEL, { onNotify }));
    this.every(POLL_EVERY_MS, 'relay.read', () => this.findPendingEvents());
  }

  private every(ms: number, at: string, tick: () => Promise<unknown>): void {
    const { clock, onError } = this.options;
    this.stops.push(
      clock.every(
        ms,
        async () => void (await tick()),
        (error) => onError(error, { at }),
      ),
    );
  }

  private async publish(batch: readonly Envelope[]): Promise<void> {
    const { transports, observer } = this.options;
    await transports.events.publish(batch);
    observer?.published(batch.length);
  }

  private async runWork(kind: string, key: string): Promise<void> {
    const { clock, observer } = this.options;
    const began = clock.localNow();
    const outcome = await this.work.runIfDue(kind, key);
    if (outcome !== 'not_due') observer?.worked({ kind, outcome, took_ms: clock.localNow() - began });
  }

  private async findPendingEvents(): Promise<number> {
    if (this.queues === undefined) return this.relay.tick();
    this.publishSoon(await this.relay.shards());
    return 0;
  }

  private async findDueDeliveries(): Promise<number> {
    if (this.queues === undefined) return this.inbox.tick();
    for (const aggregate of await this.inbox.due(POLL_LIMIT)) this.queues.drain.add(queueKeyOf(aggregate));
    return 0;
  }

  private publishSoon(shards: readonly number[]): void {
    // All shards first, because a lane takes what is pending as soon as it is added.
    for (const shard of shards) this.pendingShards.add(shard);
    for (const lane of new Set([...this.pendingShards].map(laneOf))) this.queues?.relay.add(lane);
  }

  /**
   * Publishes the shards of a lane collected so far in one transaction. Shards locked by another relay are left to it.
   */
  private async publishPending(lane: string): Promise<number | undefined> {
    const shards = [...this.pendingShards].filter((shard) => laneOf(shard) === lane);
    for (const shard of shards) this.pendingShards.delete(shard);
    if (shards.length === 0) return undefined;
    const { more } = await this.relay.publish(shards);
    for (const shard of more) this.pendingShards.add(shard);
    return more.length > 0 ? 0 : undefined;
  }

  private async drainAggregate(key: string): Promise<number | undefined> {
    const { then } = await this.inbox.step(aggregateOf(key));
    return then === 'more' ? 0 : then === 'busy' ? BUSY_MS : undefined;
  }
}

function laneOf(shard: number): string {
  return `relay ${shard % RELAY_LANES}`;
}

function queueKeyOf({ stream, aggregate_id }: Aggregate): string {
  return `${stream}/${aggregate_id}`;
}

function aggregateOf(lane: string): Aggregate {
  const at = lane.indexOf('/');
  return { stream: lane.slice(0, at), aggregate_id: lane.slice(at + 1) };
}
