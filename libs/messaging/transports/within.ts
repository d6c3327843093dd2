import type { Clock } from '@moorage/server';

/** It took too long. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Its result, or NoAnswer after so long or when `signal` is aborted; what it still does then is nobody's. */
export async function within<T>(clock: Clock, ms: number, doing: Promise<T>, signal?: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const given = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  const late = clock.sleep(ms, given).then((): Promise<T> => {
    if (ended.signal.aborted) return doing;
    throw new NoAnswer(signal?.aborted ? 'nobody waits any more' : `no answer within ${ms} ms`);
  });
  late.catch(() => undefined);
  doing.catch(() => undefined);
  try {
    return await Promise.race([doing, late]);
  } finally {
    ended.abort();
  }
}
