import { isPublicPath } from '../../data/addresses';

export const ORDER = '/create-deployment';

/** Returns the destination after a login: the page that required it, but never another site. */
export function afterLogin(next: string | null, home: string): string {
  if (next === null || !/^\/(?![/\\])/.test(next)) return home;
  const url = new URL(next, location.origin);
  return url.origin === location.origin && !isPublicPath(url.pathname) ? url.pathname + url.search + url.hash : home;
}
