import type { User, Impersonation } from '@moorage/contracts';
import { create } from 'zustand';
import { pages } from './navigation';
import { forgetPageLists } from './tab-list';

/** The logged-in user. As specified, token and user are stored in local storage and restored at start. */
export interface Session {
  readonly token: string;
  readonly user: User | null;
}

/** Impersonation of this user by an administrator. Replaces the session in this tab only. */
export interface ImpersonationSession extends Session {
  readonly user: User;
  readonly expiresAt: string;
}

const TOKEN = 'access_token';
const USER = 'user';
/** Stored in session storage, so that no other tab has it. */
const VIEW = 'view';
/** Key of the recently opened records (`recent.ts`), which are removed at logout. */
export const RECENT = 'recent';
/** Written at logout so that other tabs also clear their data. */
const LOGGED_OUT = 'logged_out';

interface Sessions {
  readonly own: Session | null;
  /**
   * Fixed for the lifetime of a page. Starting or ending an impersonation loads a new page, so that data of two
   * accounts never mixes.
   */
  readonly impersonation: ImpersonationSession | null;
}

const useSessions = create<Sessions>(() => ({ own: null, impersonation: null }));
const active = ({ own, impersonation }: Sessions): Session | null => impersonation ?? own;

/** Restores the session from storage when a page loads, and follows its changes in other tabs. */
export function restoreSession(): void {
  useSessions.setState({ own: restore(), impersonation: restoreImpersonation() });
  window.addEventListener('storage', fromElsewhere);
  window.addEventListener('pageshow', fromBefore);
}

/** Returns the active session, which is the impersonation if any, otherwise the user's own. */
export function currentSession(): Session | null {
  return active(useSessions.getState());
}

/** Returns the session in local storage. During impersonation this is the administrator's. */
export const ownSession = (): Session | null => useSessions.getState().own;

export const currentImpersonation = (): ImpersonationSession | null => useSessions.getState().impersonation;

export const isImpersonating = (): boolean => currentImpersonation() !== null;

export function startSession(token: string, user: User | null): void {
  store(TOKEN, token);
  store(USER, user === null ? null : JSON.stringify(user));
  useSessions.setState({ own: { token, user } });
}

/** Stores the user as returned by the server. */
export function updateUser(user: User): void {
  const { own, impersonation } = useSessions.getState();
  if (impersonation !== null) useSessions.setState({ impersonation: { ...impersonation, user } });
  else if (own !== null && !endedElsewhere(own.token)) startSession(own.token, user);
}

/**
 * Returns whether another tab has logged out without this tab having noticed. The session must not be restored then.
 */
function endedElsewhere(token: string): boolean {
  try {
    return localStorage.getItem(TOKEN) !== token;
  } catch {
    return false;
  }
}

/** Ends the session. During impersonation it ends only the impersonation. */
export function endSession(): void {
  const impersonation = currentImpersonation();
  if (impersonation !== null) {
    leaveImpersonation(`${pageOf(impersonation)}?view=ended`);
    return;
  }
  store(TOKEN, null);
  store(USER, null);
  store(RECENT, null);
  useSessions.setState({ own: null });
}

/** Logs out at the user's request and clears their data in all tabs. A session that merely expired keeps the draft. */
export function forgetSession(): void {
  if (!isImpersonating()) {
    forgetTab();
    store(LOGGED_OUT, String(Date.now()));
    store(LOGGED_OUT, null);
  }
  endSession();
}

/** Clears drafts, pending checkouts and the like. Keeps the impersonation, which the server ends. */
function forgetTab(): void {
  forgetPageLists();
  try {
    for (const key of Object.keys(sessionStorage)) if (key !== VIEW) sessionStorage.removeItem(key);
  } catch {
    // Storage is disabled, so it is empty.
  }
}

/** Starts an impersonation. Throws if session storage is unavailable, because the next page could not restore it. */
export function startImpersonation({ access_token: token, user, expires_at: expiresAt }: Impersonation): void {
  sessionStorage.setItem(VIEW, JSON.stringify({ token, user, expiresAt } satisfies ImpersonationSession));
  pages.load('/dashboard');
}

/** Ends the impersonation and returns to the page of the account. */
export function endImpersonation(): void {
  const impersonation = currentImpersonation();
  if (impersonation !== null) leaveImpersonation(pageOf(impersonation));
}

const pageOf = ({ user }: ImpersonationSession): string => `/users/${user.id}/show`;

/**
 * Leaves the impersonation. The first caller decides the destination. Until that page has loaded, this one still
 * impersonates and is therefore read-only.
 */
function leaveImpersonation(to: string): void {
  try {
    if (sessionStorage.getItem(VIEW) === null) return;
    sessionStorage.removeItem(VIEW);
  } catch {
    // Storage was disabled in the meantime, so the next page has no impersonation either.
  }
  pages.load(to);
}

export function useSession(): Session | null {
  return useSessions(active);
}

/** Returns the impersonation of this tab, or null. */
export function useImpersonation(): ImpersonationSession | null {
  return useSessions(({ impersonation }) => impersonation);
}

/** Returns whether anything can be changed, which is not the case while an administrator views the account. */
export const useCanChange = (): boolean => useImpersonation() === null;

/** Handles a login or logout in another tab. */
function fromElsewhere(event: StorageEvent): void {
  if (event.key === LOGGED_OUT && event.newValue !== null) forgetTab();
  if (event.key === TOKEN || event.key === USER || event.key === null) useSessions.setState({ own: restore() });
}

/** Reloads a page from the back/forward cache if an impersonation has started or ended in the meantime. */
function fromBefore(event: PageTransitionEvent): void {
  if (event.persisted && restoreImpersonation()?.token !== currentImpersonation()?.token)
    pages.load(location.pathname + location.search);
}

function restore(): Session | null {
  try {
    const token = localStorage.getItem(TOKEN);
    if (token === null) return null;
    const user = localStorage.getItem(USER);
    return { token, user: user === null ? null : (JSON.parse(user) as User) };
  } catch {
    return null;
  }
}

function restoreImpersonation(): ImpersonationSession | null {
  try {
    return JSON.parse(sessionStorage.getItem(VIEW) ?? 'null') as ImpersonationSession | null;
  } catch {
    return null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // If storage is disabled, the session lasts as long as the page.
  }
}
