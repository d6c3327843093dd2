import { useCallback, useEffect, useState } from 'react';

export type Answer<T> = { state: 'waiting' } | { state: 'there'; data: T } | { state: 'failed' };

/** Loads data on pages without a query cache. `ask` must be a stable function. */
export function useAnswer<T>(request: (signal: AbortSignal) => Promise<T>): { answer: Answer<T>; again: () => void } {
  const [answer, setAnswer] = useState<Answer<T>>({ state: 'waiting' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    request(gone.signal).then(
      (data) => {
        if (!gone.signal.aborted) setAnswer({ state: 'there', data });
      },
      () => {
        if (!gone.signal.aborted) setAnswer({ state: 'failed' });
      },
    );
    return () => gone.abort();
  }, [request, round]);
  const again = useCallback(() => {
    setAnswer({ state: 'waiting' });
    setRound((now) => now + 1);
  }, []);
  return { answer, again };
}
