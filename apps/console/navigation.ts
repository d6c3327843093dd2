import { useSyncExternalStore } from 'react';

const WENT = 'moorage:went';

/**
 * Goes to an address without loading the page anew. The public side and react-admin's router share the browser's
 * history: both hear of it, the router through `popstate`.
 */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  window.dispatchEvent(new Event(WENT));
  window.scrollTo(0, 0);
}

/** Loads an address as a new page: nothing that this one holds is left. A method, because a test has no page to leave. */
export const pages = {
  load(to: string): void {
    location.assign(to);
  },
};

/** Path and query as they are now. */
export function useAddress(): { path: string; query: URLSearchParams } {
  const href = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  const url = new URL(href, location.origin);
  return { path: url.pathname, query: url.searchParams };
}

/** Tells the public side that react-admin's router has left for one of its pages. */
export function addressChanged(): void {
  window.dispatchEvent(new Event(WENT));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(WENT, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(WENT, listener);
  };
}
