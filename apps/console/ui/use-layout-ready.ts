import { useEffect, useState } from 'react';

/** Maximum time to wait for the content above before showing the rest. */
const PLACE_MS_MAX = 1_000;

/**
 * Returns whether the content above has reached its final height. It grows as its data loads (grace periods, warnings,
 * credits), which would make content below it jump. Used for the class `unplaced`, which reserves space invisibly.
 */
export function useLayoutReady(
  above: readonly { readonly isPending: boolean; readonly failureCount: number }[],
): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PLACE_MS_MAX);
    return () => clearTimeout(timer);
  }, []);
  return isLate || above.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
