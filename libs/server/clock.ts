/**
 * The only source of time. Times that decide money or status come from `now(tx)`, which is the database's transaction
 * time plus the lab offset. It is the same for every statement of the transaction and in every process. `localNow()` is
 * the clock of this machine plus the lab offset, only for intervals, logging and in-process leases. All times are
 * milliseconds.
 */
export abstract class Clock {
  abstract readonly now: (tx: { transactionTime(): Promise<number> }) => Promise<number>;
  abstract readonly localNow: () => number;
  /** Returns the system clock without the lab offset, for use with external machines. */
  abstract readonly systemNow: () => number;
  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
  abstract readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Calls `tick` repeatedly, `ms` milliseconds after the previous call has ended.
   *
   * @returns A function that stops the calls and waits for a running tick.
   */
  abstract readonly every: (
    ms: number,
    tick: () => Promise<void>,
    onError: (error: unknown) => void,
  ) => () => Promise<void>;
}

/**
 * Creates the system clock.
 *
 * @param options `offsetMs` is the lab offset in milliseconds.
 */
export function systemClock({ offsetMs = 0 }: { offsetMs?: number } = {}): Clock {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, Math.max(0, ms));
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done, { once: true });
    });
  return {
    now: async (tx) => (await tx.transactionTime()) + offsetMs,
    localNow: () => Date.now() + offsetMs,
    systemNow: () => Date.now(),
    sleep,
    every(ms, tick, onError) {
      const stop = new AbortController();
      const loop = (async () => {
        while (!stop.signal.aborted) {
          try {
            await tick();
          } catch (error) {
            onError(error);
          }
          await sleep(ms, stop.signal);
        }
      })();
      return async () => {
        stop.abort();
        await loop;
      };
    },
  };
}

/**
 * Converts milliseconds to the text of an SQL timestamp parameter. (The product rules contain the same function,
 * because this library does not depend on them.)
 */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
