import type { Clock } from '@moorage/server';
import type { OnError } from './types';

const WAITING_MAX = 10_000;

export interface KeyedQueueOptions {
  /** Maximum number of keys that run at a time. */
  readonly concurrency: number;
  /** Resolves to the delay in milliseconds after which the key has to run again, or undefined if it is finished. */
  readonly run: (key: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly onError: OnError;
  /** Maximum number of waiting keys, 10,000 by default. */
  readonly waiting_max?: number;
}

/**
 * Runs keys concurrently, at most `concurrency` in total and never the same key twice at a time. A key that is added
 * while it runs will run once more afterwards, so no signal is lost.
 */
export class KeyedQueue {
  private readonly waiting = new Set<string>();
  private readonly running = new Map<string, { again: boolean; ended: Promise<void> }>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: KeyedQueueOptions) {}

  /**
   * Adds a key. A key that is already waiting is not added again. When `waiting_max` keys are waiting, the key is
   * dropped, and polling finds it later.
   */
  add(key: string): void {
    if (this.stopping.signal.aborted) return;
    const lane = this.running.get(key);
    if (lane !== undefined) lane.again = true;
    else if (this.waiting.size < (this.options.waiting_max ?? WAITING_MAX)) this.waiting.add(key);
    this.fill();
  }

  /** Accepts no more keys, and resolves when the running keys have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.waiting.clear();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private fill(): void {
    const { concurrency, clock } = this.options;
    const { signal } = this.stopping;
    for (const key of this.waiting) {
      if (this.running.size >= concurrency || signal.aborted) return;
      this.waiting.delete(key);
      const current = { again: false, ended: Promise.resolve() };
      this.running.set(key, current);
      current.ended = this.runKey(key).then((after) => {
        this.running.delete(key);
        if (current.again || after === 0) this.add(key);
        else if (after !== undefined) void clock.sleep(after, signal).then(() => this.add(key));
        this.fill();
      });
    }
  }

  private async runKey(key: string): Promise<number | undefined> {
    try {
      return await this.options.run(key);
    } catch (error) {
      this.options.onError(error, { key });
      return undefined;
    }
  }
}
