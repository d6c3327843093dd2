import type { User } from '@moorage/contracts';
import type { AuthProvider } from 'react-admin';
import { go } from '../navigation';
import { api, ApiError } from './api';
import { currentSession, endSession, updateUser } from './session';

/** The session of the public side, as react-admin asks for it. Logging in happens on /login, before this is loaded. */
export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error('People log in at /login.')),
  async logout() {
    if (currentSession() !== null) {
      // its failure is ignored: the session ends here in any case
      await api('/auth/logout', { method: 'POST' }).catch(() => undefined);
      endSession();
    }
    go('/login');
    return false;
  },
  checkAuth: () => (currentSession() === null ? Promise.reject(new Error('Nobody is logged in.')) : Promise.resolve()),
  checkError: (error: unknown) =>
    error instanceof ApiError && error.status === 401 ? Promise.reject(error) : Promise.resolve(),
  async getIdentity() {
    const user = currentSession()?.user ?? (await loadUser());
    return { ...user, fullName: user.username };
  },
  async canAccess({ resource }) {
    const user = currentSession()?.user ?? (await loadUser());
    return user.is_admin || resource !== 'users';
  },
};

/** The user as the server sees it now; the specification's fall-back address included. */
export async function loadUser(): Promise<User> {
  const user = await api<User>('/auth/me').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return api<User>('/users/me');
    throw error;
  });
  updateUser(user);
  return user;
}
