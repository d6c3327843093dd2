import type { AuthProvider } from 'react-admin';
import { go } from './navigation';
import { loadUser, logOut } from './account';
import { ApiError } from './errors';
import { currentSession } from './session';

/** Adapts the session to react-admin. Users log in at /login, before this module is loaded. */
export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error('Users log in at /login.')),
  async logout() {
    if (await logOut()) go('/login');
    return false;
  },
  checkAuth: () => (currentSession() === null ? Promise.reject(new Error('Not logged in.')) : Promise.resolve()),
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
