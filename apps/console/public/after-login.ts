import { isPublicPath } from '../screens';

const HOME_OF_MEMBERS = '/dashboard';

/** Where somebody goes who has just logged in: back to where the login was asked for, but never to another site. */
export function afterLogin(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next)) return HOME_OF_MEMBERS;
  const url = new URL(next, location.origin);
  return url.origin === location.origin && !isPublicPath(url.pathname)
    ? url.pathname + url.search + url.hash
    : HOME_OF_MEMBERS;
}
