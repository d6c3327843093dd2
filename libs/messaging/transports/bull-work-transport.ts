import { type Clock, type Db, iso } from '@moorage/server';
import { errorName } from '../retries';
import { HealthReporter } from '../health-reporter';
import { type OnError, type OnOutage, TransportAway, type WorkTransport } from '../types';
import type { BullQueues, Signal } from './bull-queues';
import { BULL_PREFIX, redisAddress } from './redis';
import type { RedisServer } from './servers';

/** Time ahead for which work is signalled. The sweep, which runs every minute, signals later work in time. */
const SOON_MS = 60_000;
/** Maximum number of signals per kind after an outage. The sweep signals the rest. */
const WAKE_MAX = 1_000;

/**
 * Delivers due work through Bull. A signal is a job in the queue of its kind, delayed until the work is due. Only the
 * rows decide, so Redis may be emptied and nothing in it is persistent state. After an outage, due work is signalled
 * again as soon as Redis responds.
 */
export function createBullWorkTransport({
  server,
  db,
  clock,
  onError = () => undefined,
  onOutage = () => undefined,
  prefix = BULL_PREFIX,
}: {
  server: RedisServer;
  db: Db;
  clock: Clock;
  onError?: OnError;
  onOutage?: OnOutage;
  prefix?: string;
}): WorkTransport {
  const address = redisAddress(server);
  let known: () => void;
  /** Settles when Redis has been reached, or is known to be unavailable. */
  const outcome = new Promise<void>((resolve) => (known = resolve));
  const trouble = new HealthReporter((change) => {
    known();
    onOutage(change);
  });
  const listeners = new Map<string, Listener>();
  /** Kinds with signals that failed while Redis was unavailable. */
  const missed = new Set<string>();
  const inFlight = new Set<Promise<unknown>>();
  let closing = false;
  let closed = false;
  const opening = open();
  opening.catch((error: unknown) => {
    known();
    onError(error, { at: 'work.open' });
  });

  async function open(): Promise<BullQueues> {
    const { openBullQueues } = await import('./bull-queues');
    return openBullQueues({
      server,
      prefix,
      clock,
      trouble,
      onReady(again) {
        known();
        for (const kind of listeners.keys()) void serve(kind);
        if (!again || closing) return;
        void busy(wake([...listeners.keys(), ...missed]));
        missed.clear();
      },
    });
  }

  function busy<Result>(task: Promise<Result>): Promise<Result> {
    inFlight.add(task);
    return task.finally(() => inFlight.delete(task));
  }

  async function add(kind: string, key: string, due_at: number): Promise<void> {
    await outcome;
    const queues = await opening;
    try {
      if (closed || !queues.ready()) throw new TransportAway(`${kind} not signalled: no connection to Redis`);
      const id = idOf({ key, due_at });
      const queue = await queues.queue(kind);
      await queue.add(
        { key, due_at },
        {
          // The same signal gets the same job id, except that work which is running may be requested once more.
          jobId: listeners.get(kind)?.running.has(id) ? `${id}~` : id,
          delay: Math.max(0, due_at - clock.localNow()),
        },
      );
    } catch (error) {
      missed.add(kind);
      queues.failed(error);
      const reported = trouble.health().trouble;
      if (reported === null && queues.ready())
        throw new Error(`Bull did not accept the signal of ${kind} (${errorName(error)})`, { cause: error });
      throw new TransportAway(reported?.detail ?? `no connection to ${address}`);
    }
  }

  /** Serves the kind unless it is already being served. If Redis refuses, the next ping tries again. */
  async function serve(kind: string): Promise<void> {
    const listener = listeners.get(kind);
    const queues = await opening;
    if (listener === undefined || listener.served || closing || !queues.ready()) return;
    listener.served = true;
    try {
      const queue = await queues.servable(kind);
      if (closing) return;
      queue
        .process(listener.concurrency, (job) => busy(run(kind, listener, job)))
        .catch(() => closing || onError(new Error(`Bull no longer serves ${kind}`), { at: 'work.serve', kind }));
    } catch (error) {
      listener.served = false;
      queues.failed(error);
    }
  }

  async function run(kind: string, { running, due }: Listener, { id, data }: { id: unknown; data: unknown }) {
    if (!isSignal(data)) return onError(new Error('job is not a signal'), { at: 'work.due', kind });
    running.add(String(id));
    try {
      // A job fetched during shutdown goes back to the queue, for another process.
      await (closing ? add(kind, data.key, data.due_at) : due(data.key));
    } catch (error) {
      onError(error, { at: 'work.due', kind });
    } finally {
      running.delete(String(id));
    }
  }

  /** Signals due work again after an outage, without waiting for the sweep. */
  async function wake(kinds: readonly string[]): Promise<void> {
    try {
      const rows = await db.read('work.read', async (tx) => {
        const now = await clock.now(tx);
        return tx.query<{ kind: string } & Signal>(DUE_SOON, [kinds, iso(now + SOON_MS), iso(now), WAKE_MAX]);
      });
      for (const { kind, key, due_at } of rows) if (!closing) await add(kind, key, due_at);
    } catch (error) {
      if (!(error instanceof TransportAway)) onError(error, { at: 'work.read' });
    }
  }

  return {
    signal: (kind, key, due_at) => busy(add(kind, key, due_at)),
    listen(kind, concurrency, due) {
      listeners.set(kind, { concurrency, due, running: new Set(), served: false });
      const begin = async ({ ready }: BullQueues): Promise<void> => {
        if (!ready()) return; // deferred until it is ready
        await serve(kind);
        await wake([kind]);
      };
      void busy(opening.then(begin, () => undefined));
      return Promise.resolve();
    },
    health: () => trouble.health(),
    async close() {
      closing = true;
      const queues = await opening.catch(() => undefined);
      await queues?.stop();
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      closed = true;
      await queues?.close();
    },
  };
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
