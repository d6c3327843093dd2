/** Paths of the public pages, open without a login. Every other path belongs to the logged-in side. */
const PUBLIC_PATHS = [
  '/',
  '/pricing',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/conversation',
  '/unsubscribe',
  '/account-deactivated',
  '/success',
  '/cancel',
] as const;
export type PublicPath = (typeof PUBLIC_PATHS)[number];

/** Removes trailing slashes from a path. */
export const plainPath = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

export const isPublicPath = (path: string): boolean => PUBLIC_PATHS.some((each) => each === plainPath(path));

/** Returns whether a part of an address is the ID of a record. */
export const isId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text);

/** Returns the first page after the login. Administrators start with what needs them. */
export const homeOf = (user: { readonly is_admin: boolean } | null | undefined): string =>
  user?.is_admin === true ? '/admin' : '/dashboard';
