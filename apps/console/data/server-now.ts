import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/**
 * Returns the server's current time: the time it sent plus the local time elapsed. Read from clocks each time instead
 * of counted, so that a suspended tab is correct when it wakes. Returns 0 until a response has arrived.
 */
export function useServerNow(serverNow: string | undefined, arrivedAt: number, everyMs = MINUTE_MS): number {
  const [here, setHere] = useState(arrivedAt);
  useEffect(() => {
    const timer = setInterval(() => setHere(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return serverNow === undefined ? 0 : Date.parse(serverNow) + Math.max(0, here - arrivedAt);
}
