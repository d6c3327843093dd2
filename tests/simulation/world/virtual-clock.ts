import type { Clock, Db } from '@moorage/server';
import type { Instant } from '@moorage/domain';
import type { Scheduler } from './scheduler';

/**
 * Time that moves only when the simulation moves it. A sleeping actor continues when it is drawn after its time has
 * passed. This is the database's clock, and `now(tx)` is the time at which the transaction began if its database was
 * wrapped by `timed`.
 */
export interface VirtualClock extends Clock {
  readonly at: Instant;
  advance(ms: number): void;
  /**
   * Sets the clock back, as an NTP daemon does with a clock that is ahead. Sleepers still sleep for the intended
   * duration.
   */
  stepBack(ms: number): void;
  /** Wraps a database so that its transactions begin by this clock. */
  timed(db: Db): Db;
  /** Returns the system clock of another machine, which differs by this many milliseconds. */
  seenBy(skewMs: () => number): Clock;
  /** Next time at which a sleeper could wake, or null if there are no sleepers. */
  readonly next: Instant | null;
}

interface Sleeper {
  readonly due: Instant;
  readonly wake: () => void;
}

export function createVirtualClock({ scheduler, start }: { scheduler: Scheduler; start: Instant }): VirtualClock {
  let at = start;
  const sleepers = new Set<Sleeper>();

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    const { woken, wake, forget } = scheduler.suspend('sleep');
    const sleeper = { due: at + Math.max(0, ms), wake };
    sleepers.add(sleeper);
    let aborted = (): void => undefined;
    const cut = new Promise<void>((resolve) => (aborted = resolve));
    signal?.addEventListener('abort', aborted, { once: true });
    await Promise.race([woken, cut]);
    signal?.removeEventListener('abort', aborted);
    sleepers.delete(sleeper);
    forget();
  }

  const clock: VirtualClock = {
    get at() {
      return at;
    },
    get next() {
      return sleepers.size === 0 ? null : Math.min(...[...sleepers].map(({ due }) => due));
    },
    advance(ms) {
      at += Math.round(ms);
      for (const sleeper of [...sleepers].sort((a, b) => a.due - b.due)) {
        if (sleeper.due > at) break;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    stepBack(ms) {
      const by = Math.round(ms);
      at -= by;
      const asleep = [...sleepers];
      sleepers.clear();
      for (const sleeper of asleep) sleepers.add(Object.assign(sleeper, { due: sleeper.due - by }));
    },
    timed(db) {
      const began = (): (() => Promise<Instant>) => {
        const instant = at;
        return () => Promise.resolve(instant);
      };
      return {
        ...db,
        tx: (name, fn) => db.tx(name, (tx) => fn({ ...tx, transactionTime: began() })),
        read: (name, fn) => db.read(name, (reads) => fn({ ...reads, transactionTime: began() })),
      };
    },
    seenBy: (skewMs) => {
      const skewed = (): Instant => at + skewMs();
      const { now, sleep, every } = clock;
      return { now, sleep, every, localNow: skewed, systemNow: skewed };
    },
    now: (tx) => tx.transactionTime(),
    localNow: () => at,
    systemNow: () => at,
    sleep,
    every(ms, tick, onError) {
      const stop = new AbortController();
      const loop = (async () => {
        while (!stop.signal.aborted) {
          await tick().catch(onError);
          await sleep(ms, stop.signal);
        }
      })();
      return async () => {
        stop.abort();
        await loop;
      };
    },
  };
  return clock;
}
