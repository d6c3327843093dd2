import type { Clock } from '@moorage/server';
import type { OnError } from './types';

/**
 * Runs keys concurrently, at most `concurrency` in total and never the same key twice at a time. A key that is added
 * while it runs will run once more afterwards, so no signal is lost.
 */
export interface KeyedQueue {
  /**
   * Adds a key. A key that is already waiting is not added again. When `waiting_max` keys are waiting, the key is
   * dropped, and polling finds it later.
   */
  add(key: string): void;
  /** Accepts no more keys, and resolves when the running keys have ended. */
  stop(): Promise<void>;
}

const WAITING_MAX = 10_000;

/**
 * Creates a queue.
 *
 * @param options `concurrency` is the maximum number of keys that run at a time. `waiting_max` is the maximum number of
 * waiting keys, 10,000 by default.
 */
export function createKeyedQueue({
  concurrency,
  run,
  clock,
  onError,
  waiting_max = WAITING_MAX,
}: {
  concurrency: number;
  /** Resolves to the delay in milliseconds after which the key has to run again, or undefined if it is finished. */
  run: (key: string) => Promise<number | undefined>;
  clock: Clock;
  onError: OnError;
  waiting_max?: number;
}): KeyedQueue {
  const waiting = new Set<string>();
  const running = new Map<string, { again: boolean; ended: Promise<void> }>();
  const stopping = new AbortController();

  function fill(): void {
    for (const key of waiting) {
      if (running.size >= concurrency || stopping.signal.aborted) return;
      waiting.delete(key);
      const current = { again: false, ended: Promise.resolve() };
      running.set(key, current);
      current.ended = one(key).then((after) => {
        running.delete(key);
        if (current.again || after === 0) add(key);
        else if (after !== undefined) void clock.sleep(after, stopping.signal).then(() => add(key));
        fill();
      });
    }
  }

  async function one(key: string): Promise<number | undefined> {
    try {
      return await run(key);
    } catch (error) {
      onError(error, { key });
      return undefined;
    }
  }

  function add(key: string): void {
    if (stopping.signal.aborted) return;
    const lane = running.get(key);
    if (lane !== undefined) lane.again = true;
    else if (waiting.size < waiting_max) waiting.add(key);
    fill();
  }

  return {
    add,
    async stop() {
      stopping.abort();
      waiting.clear();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
