import { isPublicPath } from '../../data/addresses';

const HOME_OF_MEMBERS = '/dashboard';

/** Returns the destination after a login: the page that required it, but never another site. */
export function afterLogin(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next)) return HOME_OF_MEMBERS;
  const url = new URL(next, location.origin);
  return url.origin === location.origin && !isPublicPath(url.pathname)
    ? url.pathname + url.search + url.hash
    : HOME_OF_MEMBERS;
}
