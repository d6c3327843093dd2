/**
 * The only source of time. Instants that decide money or status come from `now(tx)`: the database's transaction time
 * (plus the lab offset), the same for every statement of the transaction and for every process.
 * `localNow()` is this machine's clock: for intervals, logging and leases of in-process things only.
 */
export abstract class Clock {
  abstract readonly now: (tx: { transactionTime(): Promise<number> }) => Promise<number>;
  abstract readonly localNow: () => number;
  /** The system clock without the lab's offset: for machines outside, whose clocks have none. */
  abstract readonly systemNow: () => number;
  abstract readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `tick` every `ms` after the previous call has ended, until the returned function is called (it awaits a running tick). */
  abstract readonly every: (
    ms: number,
    tick: () => Promise<void>,
    onError: (error: unknown) => void,
  ) => () => Promise<void>;
}

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

/** Milliseconds as SQL parameters take an instant. (The same line stands in the product's rules, which this library does not know.) */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
