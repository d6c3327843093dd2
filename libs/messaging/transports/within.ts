import type { Clock } from '@moorage/server';

/** Thrown when a response took too long. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Returns the result of `doing`. Its outcome after a timeout is ignored.
 *
 * @param ms Timeout in milliseconds.
 * @throws NoAnswer after the timeout, or when `signal` is aborted.
 */
export async function within<T>(clock: Clock, ms: number, doing: Promise<T>, signal?: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const given = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  const late = clock.sleep(ms, given).then((): Promise<T> => {
    if (ended.signal.aborted) return doing;
    throw new NoAnswer(signal?.aborted ? 'aborted by the caller' : `no response within ${ms} ms`);
  });
  late.catch(() => undefined);
  doing.catch(() => undefined);
  try {
    return await Promise.race([doing, late]);
  } finally {
    ended.abort();
  }
}
