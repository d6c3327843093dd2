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

/**
 * The messaging of one service in one process. After `start`, transports, notifications and timers drive it. Without
 * `start`, each tick does a bounded amount of work, which is how the simulation tests drive their actors.
 */
export interface Messaging {
  start(): Promise<void>;
  /** Accepts no new work, lets running work end, and aborts the signals of steps that still run after `patience_ms`. */
  stop(patience_ms?: number): Promise<void>;
  /** Receives envelopes from the event transport. Tests and simulations may call it too. */
  readonly arrived: (envelopes: readonly Envelope[]) => Promise<void>;
  /** Publishes one batch of every shard and returns the number of events. */
  readonly relayTick: () => Promise<number>;
  /** Drains aggregates that are due and returns the number of events. */
  readonly drainTick: () => Promise<number>;
  /** Runs one step of the longest-due work of this kind and returns the number of steps (0 or 1). */
  workTick(kind: string): Promise<number>;
  /** Runs one pass of the sweep and returns the number of rows recovered or deleted. */
  readonly sweepTick: () => Promise<number>;
}

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
const POLL_EVERY_MS = 1_000;
const POLL_LIMIT = 500;
/** Delay before retrying an aggregate that another process is working on. */
const BUSY_MS = 15;
const STOP_PATIENCE_MS = 10_000;

/** Creates the messaging of a service. Nothing runs before `start` is called. */
export function createMessaging<Known extends KnownEvents>(options: MessagingOptions<Known>): Messaging {
  const { db, clock, random, service, known, subscriptions, handlers, transports, pgNotify, onError, observer } =
    options;
  const streams = subscriptions[service] ?? [];
  const relay = new Relay({ db, clock, transport: { publish } });
  const inbox = new Inbox({
    db,
    clock,
    random,
    consumer: service,
    known,
    handlers,
    onError,
    onHandled: observer?.handled,
  });
  const work = new Work({
    db,
    clock,
    random,
    kinds: options.work,
    worker: service,
    transport: transports.work,
    onError,
    ...(options.lease_ms === undefined ? {} : { lease_ms: options.lease_ms }),
  });

  let queues: { relay: KeyedQueue; drain: KeyedQueue } | undefined;
  const pendingShards = new Set<number>();
  const stops: (() => unknown)[] = [];

  async function publish(batch: readonly Envelope[]): Promise<void> {
    await transports.events.publish(batch);
    observer?.published(batch.length);
  }

  async function runWork(kind: string, key: string): Promise<void> {
    const began = clock.localNow();
    const outcome = await work.run(kind, key);
    if (outcome !== 'not_due') observer?.worked({ kind, outcome, took_ms: clock.localNow() - began });
  }

  async function findPendingEvents(): Promise<number> {
    if (queues === undefined) return relay.tick();
    publishSoon(await relay.shards());
    return 0;
  }

  async function findDueDeliveries(): Promise<number> {
    if (queues === undefined) return inbox.tick();
    for (const aggregate of await inbox.due(POLL_LIMIT)) queues.drain.add(queueKeyOf(aggregate));
    return 0;
  }

  const sweep = new Sweep({
    db,
    clock,
    consumer: service,
    known,
    subscriptions,
    relay: findPendingEvents,
    drain: findDueDeliveries,
    work: transports.work,
    kinds: Object.keys(options.work),
    shared: options.relays !== false,
  });

  async function arrived(envelopes: readonly Envelope[]): Promise<void> {
    const mine = envelopes.filter(({ stream }) => streams.includes(stream));
    if (mine.length === 0) return;
    for (const aggregate of await inbox.arrived(mine)) queues?.drain.add(queueKeyOf(aggregate));
  }

  function publishSoon(shards: readonly number[]): void {
    for (const shard of shards) pendingShards.add(shard);
    if (pendingShards.size > 0) queues?.relay.add('publish');
  }

  /** Publishes all shards collected so far in one transaction. Shards locked by another relay are left to it. */
  async function publishPending(): Promise<number | undefined> {
    const shards = [...pendingShards];
    pendingShards.clear();
    if (shards.length === 0) return undefined;
    const { more } = await relay.publish(shards);
    for (const shard of more) pendingShards.add(shard);
    return more.length > 0 ? 0 : undefined;
  }

  async function drainAggregate(key: string): Promise<number | undefined> {
    const { then } = await inbox.step(aggregateOf(key));
    return then === 'more' ? 0 : then === 'busy' ? BUSY_MS : undefined;
  }

  function every(ms: number, at: string, tick: () => Promise<unknown>): void {
    stops.push(
      clock.every(
        ms,
        async () => void (await tick()),
        (error) => onError(error, { at }),
      ),
    );
  }

  return {
    async start() {
      const concurrency = options.drain_concurrency ?? DRAIN_CONCURRENCY;
      queues = {
        relay: new KeyedQueue({ concurrency: 1, run: publishPending, clock, onError }),
        drain: new KeyedQueue({ concurrency, run: drainAggregate, clock, onError }),
      };
      every(POLL_EVERY_MS, 'inbox.read', findDueDeliveries);
      every(SWEEP_EVERY_MS, 'sweep', () => sweep.tick());
      if (options.relays !== false) {
        const onNotify = (payload: string): void =>
          publishSoon(payload.split(' ').map(Number).filter(Number.isInteger));
        if (pgNotify !== undefined) stops.push(await pgNotify.listen(OUTBOX_CHANNEL, { onNotify }));
        every(POLL_EVERY_MS, 'relay.read', findPendingEvents);
      }
      await transports.events.subscribe(service, streams, arrived);
      for (const [kind, { concurrency }] of Object.entries(options.work)) {
        await transports.work.listen(kind, concurrency, (key) => runWork(kind, key));
      }
    },

    async stop(patience_ms = STOP_PATIENCE_MS) {
      // All at once, so that nothing new begins while another part is still shutting down.
      await Promise.all([
        ...stops.splice(0).map((stop) => stop()),
        transports.events.close(),
        transports.work.close(),
        work.stop(patience_ms),
        queues?.relay.stop(),
        queues?.drain.stop(),
      ]);
      queues = undefined;
    },

    arrived,
    relayTick: () => relay.tick(),
    drainTick: () => inbox.tick(),
    workTick: (kind) => work.tick(kind),
    sweepTick: () => sweep.tick(),
  };
}

function queueKeyOf({ stream, aggregate_id }: Aggregate): string {
  return `${stream}/${aggregate_id}`;
}

function aggregateOf(lane: string): Aggregate {
  const at = lane.indexOf('/');
  return { stream: lane.slice(0, at), aggregate_id: lane.slice(at + 1) };
}
