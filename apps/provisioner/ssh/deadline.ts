import type { Clock } from '@moorage/server';
import { SshError } from './types';

export interface Limits {
  readonly deadline_ms: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for `work`, but not longer than the limits allow. Then calls `stop` to make the work end, and ignores the
 * work's later failure.
 */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  limits: Limits,
  what: string,
  stop: () => void,
  work: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = clock.sleep(limits.deadline_ms, over.signal).then(() => 'deadline' as const);
  const aborted = new Promise<'aborted'>((resolve) => {
    if (limits.signal?.aborted === true) resolve('aborted');
    limits.signal?.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal });
  });
  const done = work.then((value) => ({ value }));
  done.catch(() => undefined);
  try {
    const first = await Promise.race([done, timer, aborted]);
    if (typeof first === 'object') return first.value;
    stop();
    throw new SshError(
      first,
      first === 'deadline' ? `${what} took longer than ${limits.deadline_ms} ms` : `${what} was aborted`,
    );
  } finally {
    over.abort();
  }
}
