import { useState } from 'react';
import { useRunway } from '../../data/billing';
import { useServerNow } from '../../data/server-now';

/** The server's time as far as an answer has said it, otherwise this computer's. */
export function useNow(): number {
  const { data, dataUpdatedAt } = useRunway();
  const [opened] = useState(() => Date.now());
  const now = useServerNow(data?.now, dataUpdatedAt);
  return now === 0 ? opened : now;
}
