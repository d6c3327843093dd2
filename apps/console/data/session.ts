import type { User } from '@moorage/contracts';
import { useSyncExternalStore } from 'react';

/** Who is signed in, as the specification keeps it: token and user in local storage, restored at start. */
export interface Session {
  readonly token: string;
  readonly user: User | null;
}

const TOKEN = 'access_token';
const USER = 'user';
/** What the search offers again (`recent.ts`): it ends with the session. */
export const RECENT = 'recent';
const listeners = new Set<() => void>();
let session: Session | null | undefined;

export function currentSession(): Session | null {
  if (session === undefined) session = restore();
  return session;
}

export function startSession(token: string, user: User | null): void {
  keep(TOKEN, token);
  keep(USER, user === null ? null : JSON.stringify(user));
  set({ token, user });
}

/** The user as the server now sees it. */
export function updateUser(user: User): void {
  const now = currentSession();
  if (now !== null) startSession(now.token, user);
}

export function endSession(): void {
  keep(TOKEN, null);
  keep(USER, null);
  keep(RECENT, null);
  set(null);
}

export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    window.addEventListener('storage', fromElsewhere);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', fromElsewhere);
    };
  }, currentSession);
}

/** Another tab signed in or out. */
function fromElsewhere(event: StorageEvent): void {
  if (event.key === TOKEN || event.key === USER || event.key === null) set(restore());
}

function set(next: Session | null): void {
  session = next;
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

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // storage is switched off: the session lasts as long as the page
  }
}
