import { type Clock, type Db, iso } from '@moorage/server';
import { errorName } from '../retries';
import { HealthReporter } from '../health-reporter';
import { type OnError, type OnOutage, TransportAway, type TransportHealth, type WorkTransport } from '../types';
import type { BullQueues, Signal } from './bull-queues';
import { BULL_PREFIX, redisAddress } from './redis';
import type { RedisServer } from './servers';

/** Time ahead for which work is signalled. The sweep, which runs every minute, signals later work in time. */
const SOON_MS = 60_000;
/** Maximum number of signals per kind after an outage. The sweep signals the rest. */
const WAKE_MAX = 1_000;

export interface BullWorkTransportOptions {
  readonly server: RedisServer;
  readonly db: Db;
  readonly clock: Clock;
  readonly onError?: OnError;
  readonly onOutage?: OnOutage;
  readonly prefix?: string;
}

/**
 * Delivers due work through Bull. A signal is a job in the queue of its kind, delayed until the work is due. Only the
 * rows decide, so Redis may be emptied and nothing in it is persistent state. After an outage, due work is signalled
 * again as soon as Redis responds.
 */
export class BullWorkTransport implements WorkTransport {
  private readonly db: Db;
  private readonly clock: Clock;
  private readonly onError: OnError;
  private readonly address: string;
  private readonly reporter: HealthReporter;
  private readonly listeners = new Map<string, Listener>();
  /** Kinds with signals that failed while Redis was unavailable. */
  private readonly missed = new Set<string>();
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly opening: Promise<BullQueues>;
  /** Settles when Redis has been reached, or is known to be unavailable. */
  private readonly outcome: Promise<void>;
  private outcomeKnown: () => void = () => undefined;
  private closing = false;
  private closed = false;

  /** Begins to connect. */
  constructor({ server, db, clock, onError, onOutage, prefix = BULL_PREFIX }: BullWorkTransportOptions) {
    this.db = db;
    this.clock = clock;
    this.onError = onError ?? (() => undefined);
    this.address = redisAddress(server);
    this.outcome = new Promise<void>((resolve) => (this.outcomeKnown = resolve));
    this.reporter = new HealthReporter((change) => {
      this.outcomeKnown();
      onOutage?.(change);
    });
    this.opening = this.open(server, prefix);
    this.opening.catch((error: unknown) => {
      this.outcomeKnown();
      this.onError(error, { at: 'work.open' });
    });
  }

  signal(kind: string, key: string, due_at: number): Promise<void> {
    return this.track(this.add(kind, key, due_at));
  }

  listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void> {
    this.listeners.set(kind, { concurrency, due, running: new Set(), served: false });
    const begin = async (queues: BullQueues): Promise<void> => {
      if (!queues.ready()) return; // deferred until it is ready
      await this.serve(kind);
      await this.wake([kind]);
    };
    void this.track(this.opening.then(begin, () => undefined));
    return Promise.resolve();
  }

  health(): TransportHealth {
    return this.reporter.health();
  }

  async close(): Promise<void> {
    this.closing = true;
    const queues = await this.opening.catch(() => undefined);
    await queues?.stop();
    while (this.inFlight.size > 0) await Promise.allSettled(this.inFlight);
    this.closed = true;
    await queues?.close();
  }

  private async open(server: RedisServer, prefix: string): Promise<BullQueues> {
    const { BullQueues } = await import('./bull-queues');
    return BullQueues.open({
      server,
      prefix,
      clock: this.clock,
      reporter: this.reporter,
      onReady: (again) => this.onReady(again),
    });
  }

  private onReady(again: boolean): void {
    this.outcomeKnown();
    for (const kind of this.listeners.keys()) void this.serve(kind);
    if (!again || this.closing) return;
    void this.track(this.wake([...this.listeners.keys(), ...this.missed]));
    this.missed.clear();
  }

  /** Remembers a task until it has ended, because closing waits for it. */
  private track<Result>(task: Promise<Result>): Promise<Result> {
    this.inFlight.add(task);
    return task.finally(() => this.inFlight.delete(task));
  }

  private async add(kind: string, key: string, due_at: number): Promise<void> {
    await this.outcome;
    const queues = await this.opening;
    try {
      if (this.closed || !queues.ready()) throw new TransportAway(`${kind} not signalled: no connection to Redis`);
      const id = idOf({ key, due_at });
      const queue = await queues.queue(kind);
      await queue.add(
        { key, due_at },
        {
          // The same signal gets the same job id, except that work which is running may be requested once more.
          jobId: this.listeners.get(kind)?.running.has(id) ? `${id}~` : id,
          delay: Math.max(0, due_at - this.clock.localNow()),
        },
      );
    } catch (error) {
      this.missed.add(kind);
      queues.failed(error);
      const reported = this.reporter.health().trouble;
      if (reported === null && queues.ready())
        throw new Error(`Bull did not accept the signal of ${kind} (${errorName(error)})`, { cause: error });
      throw new TransportAway(reported?.detail ?? `no connection to ${this.address}`);
    }
  }

  /** Serves the kind unless it is already being served. If Redis refuses, the next ping tries again. */
  private async serve(kind: string): Promise<void> {
    const listener = this.listeners.get(kind);
    const queues = await this.opening;
    if (listener === undefined || listener.served || this.closing || !queues.ready()) return;
    listener.served = true;
    try {
      const queue = await queues.servable(kind);
      if (this.closing) return;
      queue
        .process(listener.concurrency, (job) => this.track(this.runJob(kind, listener, job)))
        .catch(
          () => this.closing || this.onError(new Error(`Bull no longer serves ${kind}`), { at: 'work.serve', kind }),
        );
    } catch (error) {
      listener.served = false;
      queues.failed(error);
    }
  }

  private async runJob(
    kind: string,
    { running, due }: Listener,
    { id, data }: { id: unknown; data: unknown },
  ): Promise<void> {
    if (!isSignal(data)) return this.onError(new Error('job is not a signal'), { at: 'work.due', kind });
    running.add(String(id));
    try {
      // A job fetched during shutdown goes back to the queue, for another process.
      await (this.closing ? this.add(kind, data.key, data.due_at) : due(data.key));
    } catch (error) {
      this.onError(error, { at: 'work.due', kind });
    } finally {
      running.delete(String(id));
    }
  }

  /** Signals due work again after an outage, without waiting for the sweep. */
  private async wake(kinds: readonly string[]): Promise<void> {
    try {
      const rows = await this.db.read('work.read', async (tx) => {
        const now = await this.clock.now(tx);
        return tx.query<{ kind: string } & Signal>(DUE_SOON, [kinds, iso(now + SOON_MS), iso(now), WAKE_MAX]);
      });
      for (const { kind, key, due_at } of rows) if (!this.closing) await this.add(kind, key, due_at);
    } catch (error) {
      if (!(error instanceof TransportAway)) this.onError(error, { at: 'work.read' });
    }
  }
}

interface Listener {
  readonly concurrency: number;
  readonly due: (key: string) => Promise<void>;
  /** Ids of the jobs that run in this process. */
  readonly running: Set<string>;
  served: boolean;
}

/**
 * Returns the job id. It is never a plain number, which Bull would mistake for one of its own ids, and never the name
 * of a part of the queue.
 */
function idOf({ key, due_at }: Signal): string {
  return `${key}@${due_at}`;
}

function isSignal(data: unknown): data is Signal {
  const { key, due_at } = (data ?? {}) as Partial<Signal>;
  return typeof key === 'string' && typeof due_at === 'number';
}

const DUE_SOON = `
select w.kind, w.key, w.due_at
from unnest($1::text[]) as asked (kind)
cross join lateral (
  select kind, key, due_at from work
  where kind = asked.kind and due_at <= $2 and (leased_until is null or leased_until <= $3)
  order by due_at limit $4
) w
order by w.due_at`;
