import { useEffect, useState } from 'react';

/** Longer than this nobody waits for what stands above before the rest is shown. */
const PLACE_MS_MAX = 1_000;

/**
 * Has what stands above its height? It grows when its answers come (holds, a runway of few days, credits), and what was
 * shown below already would jump. For the class `unplaced`, which keeps the room and shows nothing.
 */
export function useIsPlaced(above: readonly { readonly isPending: boolean; readonly failureCount: number }[]): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PLACE_MS_MAX);
    return () => clearTimeout(timer);
  }, []);
  return isLate || above.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
