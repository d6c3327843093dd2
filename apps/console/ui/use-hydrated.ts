import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns false while the HTML of the build is hydrated, and true from then on. For content that the build cannot know,
 * such as today's date or the query of the address.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
