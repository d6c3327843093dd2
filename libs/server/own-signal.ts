import { setMaxListeners } from 'node:events';

/**
 * Runs `use` with a controller of its own, which is aborted together with the signal and at the end. For short work
 * under a signal that lives as long as the process: `AbortSignal.any` keeps a trace of each combined signal there, and
 * whatever listens to it, until that signal is aborted (https://github.com/nodejs/node/issues/54614).
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  use: (own: AbortController) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = (): void => own.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else if (signal !== undefined) {
    // Much work at the same time is no leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
  }
  try {
    return await use(own);
  } finally {
    signal?.removeEventListener('abort', abort);
    own.abort();
  }
}
