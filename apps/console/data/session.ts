import type { User, View } from '@moorage/contracts';
import { useSyncExternalStore } from 'react';
import { pages } from '../navigation';
import { forgetPageLists } from './tab-list';

/** Who is signed in, as the specification keeps it: token and user in local storage, restored at start. */
export interface Session {
  readonly token: string;
  readonly user: User | null;
}

/** An administrator sees the console as this user. It takes the place of the session, in this tab only. */
export interface AccountView extends Session {
  readonly user: User;
  readonly expiresAt: string;
}

const TOKEN = 'access_token';
const USER = 'user';
/** In session storage: no other tab has it. */
const VIEW = 'view';
/** What the search offers again (`recent.ts`): it ends with the session. */
export const RECENT = 'recent';
/** Written at a logout, for other tabs: they forget what they keep as well. */
const LOGGED_OUT = 'logged_out';
const listeners = new Set<() => void>();
let own: Session | null = null;
/** From the loading of a page to the next: a view begins and ends with a page of its own, so that nothing of two accounts mixes. */
let view: AccountView | null = null;

/** What storage has, for a page that begins. */
export function restoreSession(): void {
  view = restoreView();
  setOwn(restore());
}

/** Whose eyes the console has: the session, or the view in its place. */
export function currentSession(): Session | null {
  return view ?? own;
}

/** The session of local storage; while viewing it is the administrator's. */
export const ownSession = (): Session | null => own;

export const currentView = (): AccountView | null => view;

export const isViewing = (): boolean => view !== null;

export function startSession(token: string, user: User | null): void {
  keep(TOKEN, token);
  keep(USER, user === null ? null : JSON.stringify(user));
  setOwn({ token, user });
}

/** The user as the server now sees it. */
export function updateUser(user: User): void {
  if (view !== null) {
    view = { ...view, user };
    changed();
  } else if (own !== null && !endedElsewhere(own.token)) startSession(own.token, user);
}

/** Another tab has logged out, and this one has not heard of it yet: it must not bring the session back. */
function endedElsewhere(token: string): boolean {
  try {
    return localStorage.getItem(TOKEN) !== token;
  } catch {
    return false;
  }
}

/** While viewing only the view ends: the administrator's session is left as it is. */
export function endSession(): void {
  if (view !== null) {
    leaveView(`${pageOf(view)}?view=ended`);
    return;
  }
  keep(TOKEN, null);
  keep(USER, null);
  keep(RECENT, null);
  setOwn(null);
}

/** Ends the session at the person's own wish: nothing of theirs stays in any tab. One that has ended keeps the draft. */
export function forgetSession(): void {
  if (view === null) {
    forgetTab();
    keep(LOGGED_OUT, String(Date.now()));
    keep(LOGGED_OUT, null);
  }
  endSession();
}

/** Drafts, a checkout that was begun and the like; not the view, which the server ends. */
function forgetTab(): void {
  forgetPageLists();
  try {
    for (const key of Object.keys(sessionStorage)) if (key !== VIEW) sessionStorage.removeItem(key);
  } catch {
    // storage is switched off: there is nothing in it
  }
}

/** Throws where the tab keeps nothing: without storage no page after this one would know of the view. */
export function beginView({ access_token: token, user, expires_at: expiresAt }: View): void {
  sessionStorage.setItem(VIEW, JSON.stringify({ token, user, expiresAt } satisfies AccountView));
  pages.load('/dashboard');
}

/** What asked for the view's end is answered by the page of the account. */
export function endView(): void {
  if (view !== null) leaveView(pageOf(view));
}

const pageOf = ({ user }: AccountView): string => `/users/${user.id}/show`;

/** The first who ends it says where to go. Until that page is there this one still views, and so can change nothing. */
function leaveView(to: string): void {
  try {
    if (sessionStorage.getItem(VIEW) === null) return;
    sessionStorage.removeItem(VIEW);
  } catch {
    // storage was switched off since: the next page has no view either
  }
  pages.load(to);
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession);
}

/** The view of this tab; null: the console is one's own. */
export function useView(): AccountView | null {
  return useSyncExternalStore(subscribe, currentView);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', fromElsewhere);
  window.addEventListener('pageshow', fromBefore);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromElsewhere);
    window.removeEventListener('pageshow', fromBefore);
  };
}

/** Another tab signed in or out. */
function fromElsewhere(event: StorageEvent): void {
  if (event.key === LOGGED_OUT && event.newValue !== null) forgetTab();
  if (event.key === TOKEN || event.key === USER || event.key === null) setOwn(restore());
}

/** Back has brought a page as it was left; a view has begun or ended since. */
function fromBefore(event: PageTransitionEvent): void {
  if (event.persisted && restoreView()?.token !== view?.token) pages.load(location.pathname + location.search);
}

function setOwn(next: Session | null): void {
  own = next;
  changed();
}

function changed(): void {
  for (const listener of listeners) listener();
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

function restoreView(): AccountView | null {
  try {
    return JSON.parse(sessionStorage.getItem(VIEW) ?? 'null') as AccountView | null;
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // storage is switched off: the session lasts as long as the page
  }
}
