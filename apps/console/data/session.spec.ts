import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { User, Impersonation } from '@moorage/contracts';
import { act, renderHook } from '@testing-library/react';
import { newDraft, forgetDraft, storeDraft, openDraft } from '../parts/order/draft-storage';
import { pages } from './navigation';
import { loadUser } from './account';
import { storeRecent, recent } from './recent';
import {
  startImpersonation,
  currentSession,
  currentImpersonation,
  endSession,
  endImpersonation,
  forgetSession,
  isImpersonating,
  ownSession,
  restoreSession,
  startSession,
  updateUser,
  useSession,
  useImpersonation,
} from './session';

const person = (id: number, over: Partial<User> = {}): User => ({
  id,
  username: `person-${id}`,
  email: `person-${id}@example.org`,
  is_admin: false,
  is_verified: true,
  pending_email: null,
  email_undeliverable: false,
  has_two_factor: false,
  language: 'en',
  balance: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  ...over,
});
const ADMIN = person(1, { is_admin: true });
const VIEW: Impersonation = {
  access_token: 'view-token',
  token_type: 'bearer',
  expires_at: '2026-11-21T14:48:48.000Z',
  user: person(7),
};

let loaded: string[];
beforeEach(() => {
  loaded = [];
  jest.spyOn(pages, 'load').mockImplementation((to) => void loaded.push(to));
});
const stored = (): Record<string, string> => Object.fromEntries(Object.entries(localStorage));
/** Simulates a page load, which restores the session from storage. */
const nextPage = (): void => restoreSession();
function impersonation(): void {
  startSession('token', ADMIN);
  startImpersonation(VIEW);
  nextPage();
  loaded = [];
}

describe('session', () => {
  it('is restored on the next page', () => {
    startSession('token', ADMIN);
    nextPage();
    expect(currentSession()).toEqual({ token: 'token', user: ADMIN });
    expect([isImpersonating(), currentImpersonation()]).toEqual([false, null]);
  });

  it('ends here when another tab ends it', () => {
    startSession('token', ADMIN);
    const { result, unmount } = renderHook(useSession);
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect([currentSession(), result.current]).toEqual([null, null]);
    unmount();
  });
});

describe('logout', () => {
  const STORED = ['draft', 'moorage:checkout', 'runway.nothing'];
  const storeThem = (): void => STORED.forEach((key) => sessionStorage.setItem(key, 'x'));
  const storedKeys = (): string[] => Object.keys(sessionStorage);

  it('removes all data of the user, while an expired session keeps the draft', () => {
    startSession('token', ADMIN);
    storeThem();
    endSession();
    expect([storedKeys().length, stored()]).toEqual([3, {}]);
    startSession('token', ADMIN);
    forgetSession();
    expect([storedKeys(), stored(), currentSession()]).toEqual([[], {}, null]);
  });

  it('in another tab removes all data in this tab', () => {
    startSession('token', ADMIN);
    storeThem();
    const { unmount } = renderHook(useSession);
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'logged_out', newValue: '1' })));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect([storedKeys(), currentSession()]).toEqual([[], null]);
    unmount();
  });

  it('in another tab is not undone by a response that arrives just then', () => {
    startSession('token', ADMIN);
    localStorage.clear();
    updateUser(person(1, { balance: 5 }));
    expect(stored()).toEqual({});
  });

  it('notifies other tabs', () => {
    startSession('token', ADMIN);
    const set = jest.spyOn(Storage.prototype, 'setItem');
    forgetSession();
    expect(set).toHaveBeenCalledWith('logged_out', expect.any(String));
  });
});

describe('impersonation session', () => {
  it('begins with the next page and leaves the session of this page unchanged', () => {
    startSession('token', ADMIN);
    startImpersonation(VIEW);
    expect([currentSession()?.token, loaded]).toEqual(['token', ['/dashboard']]);
    nextPage();
    expect(currentSession()).toMatchObject({ token: 'view-token', user: { id: 7 } });
    expect(ownSession()?.token).toBe('token');
  });

  it('does not begin if the tab cannot store it', () => {
    startSession('token', ADMIN);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(() => startImpersonation(VIEW)).toThrow('full');
    expect(loaded).toEqual([]);
  });

  it('leaves local storage unchanged because user data from the server belongs to the impersonation', async () => {
    impersonation();
    const before = stored();
    updateUser(person(7, { username: 'renamed' }));
    expect(currentSession()?.user?.username).toBe('renamed');
    globalThis.fetch = jest.fn<typeof fetch>(async () => Response.json(person(7, { balance: 5 })));
    await loadUser();
    expect(currentSession()?.user?.balance).toBe(5);
    expect(stored()).toEqual(before);
  });

  it('continues when another tab logs in or out, and returns to that session when it ends', () => {
    impersonation();
    const { result, unmount } = renderHook(useImpersonation);
    localStorage.setItem('access_token', 'another');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect([currentSession()?.token, result.current?.token]).toEqual(['view-token', 'view-token']);
    expect(ownSession()?.token).toBe('another');
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: null })));
    expect(currentSession()?.token).toBe('view-token');
    unmount();
    endImpersonation();
    nextPage();
    expect(currentSession()).toBeNull();
  });

  it('returns to the session it replaced, which is unchanged', () => {
    impersonation();
    const before = stored();
    endSession();
    expect([loaded, stored()]).toEqual([['/users/7/show?view=ended'], before]);
    nextPage();
    expect(currentSession()).toEqual({ token: 'token', user: ADMIN });
  });

  it('is left once, and the first caller to end it decides where to go', () => {
    impersonation();
    endImpersonation();
    endSession();
    endImpersonation();
    expect(loaded).toEqual(['/users/7/show']);
  });

  it('stores neither recent items nor a draft', () => {
    startSession('token', ADMIN);
    storeRecent({ kind: 'user', id: 7, name: 'person-7' });
    storeDraft({ ...newDraft(1, 0), idempotencyKey: 'the-administrators' });
    startImpersonation(VIEW);
    nextPage();
    const before = [stored(), sessionStorage.getItem('draft')];
    storeRecent({ kind: 'deployment', id: 3, name: 'deployment-3' });
    storeDraft(newDraft(7, 0));
    forgetDraft();
    expect([stored(), sessionStorage.getItem('draft')]).toEqual(before);
    expect(recent()).toEqual([]);
    endImpersonation();
    nextPage();
    expect(recent()).toEqual([{ kind: 'user', id: 7, name: 'person-7' }]);
    expect(openDraft(1, 0).idempotencyKey).toBe('the-administrators');
  });

  it.each([
    ['began', () => startSession('token', ADMIN), () => startImpersonation(VIEW)],
    ['ended', impersonation, endImpersonation],
  ])('that %s in the meantime reloads a page restored by the Back button', (_, before, since) => {
    before();
    const { unmount } = renderHook(useSession);
    history.replaceState(null, '', '/billing?page=2#top');
    const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    show(true);
    expect(loaded).toEqual([]);
    since();
    loaded = [];
    show(false);
    expect(loaded).toEqual([]);
    show(true);
    expect(loaded).toEqual(['/billing?page=2']);
    history.replaceState(null, '', '/');
    unmount();
  });
});
