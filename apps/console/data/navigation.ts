import { useSyncExternalStore } from 'react';

const WENT = 'moorage:went';

/**
 * Navigates without loading a new page. The public side and react-admin's router share the browser history. Both are
 * notified, the router through `popstate`.
 */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  window.dispatchEvent(new Event(WENT));
  window.scrollTo(0, 0);
}

/** Loads a URL as a new page, which discards all state. A method, so that tests can replace it. */
export const pages = {
  load(to: string): void {
    location.assign(to);
  },
};

/** Address with which the HTML was rendered or is hydrated. */
let rendered = '/';

/** Sets the address before the first render, on the server and in the browser. */
export function renderAt(address: string): void {
  rendered = address;
}

/** Returns the current path and query. */
export function useAddress(): { path: string; query: URLSearchParams } {
  const href = useSyncExternalStore(
    subscribe,
    () => location.pathname + location.search,
    () => rendered,
  );
  const url = new URL(href, 'http://localhost');
  return { path: url.pathname, query: url.searchParams };
}

/** Notifies the public side that react-admin's router has navigated to one of its pages. */
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
