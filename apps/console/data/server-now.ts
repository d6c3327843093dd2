import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/**
 * The server's time while a page stands open: what it said, and what has passed here since. Read from clocks each time,
 * never counted, so that a tab that slept is right when it wakes. 0 until an answer has come.
 */
export function useServerNow(said: string | undefined, arrivedAt: number, everyMs = MINUTE_MS): number {
  const [here, setHere] = useState(arrivedAt);
  useEffect(() => {
    const timer = setInterval(() => setHere(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return said === undefined ? 0 : Date.parse(said) + Math.max(0, here - arrivedAt);
}
