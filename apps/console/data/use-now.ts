import { useState } from 'react';
import { useRunway } from './billing';
import { useServerNow } from './server-now';

/** Returns the server's time if a response contained it, otherwise the local time. */
export function useNow(): number {
  const { data, dataUpdatedAt } = useRunway();
  const [opened] = useState(() => Date.now());
  const now = useServerNow(data?.now, dataUpdatedAt);
  return now === 0 ? opened : now;
}
