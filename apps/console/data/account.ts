import type { Signup, User } from '@moorage/contracts';
import { isDeactivatedUsername, type Language } from '@moorage/domain';
import { showLocale } from '../texts/locale';
import { api, isDeactivatedError } from './api';
import { ApiError, isMissing } from './errors';
import {
  currentSession,
  currentImpersonation,
  endSession,
  endImpersonation,
  forgetSession,
  isImpersonating,
  ownSession,
  startSession,
  updateUser,
} from './session';

/** Loads the current user from the server, including the fallback address that the specification requires. */
export async function loadUser(): Promise<User> {
  const user = await fetchUser();
  updateUser(user);
  return user;
}

/**
 * Outcome of a login. `deactivated_name` means that the username marks a deactivated account, so the new session is
 * discarded.
 */
type LoginOutcome = 'logged_in' | 'deactivated' | 'deactivated_name';

/**
 * Logs in and starts the session once the user is loaded. Throws ApiError for every other refusal. OTP_REQUIRED prompts
 * for an authenticator code or a recovery code.
 */
export async function logIn({
  email,
  password,
  otp,
}: {
  email: string;
  password: string;
  otp?: string;
}): Promise<LoginOutcome> {
  let token: string;
  try {
    const answer = await api('POST /auth/login', {
      form: { username: email, password, ...(otp === undefined ? {} : { otp }) },
    });
    token = answer.access_token;
  } catch (error) {
    if (error instanceof ApiError && isDeactivatedError(error)) return 'deactivated';
    throw error;
  }
  const user = await fetchUser(bearer(token));
  if (isDeactivatedUsername(user.username)) {
    await api('POST /auth/logout', { headers: bearer(token) }).catch(() => undefined);
    endSession();
    return 'deactivated_name';
  }
  startSession(token, user);
  return 'logged_in';
}

/** Creates an account. Sends a referral code only if it is known to be valid. */
export function signUp(account: Signup): Promise<User> {
  return api('POST /users', { body: account });
}

/**
 * Ends the local session even if the server cannot be reached. During impersonation it ends only the impersonation.
 * Returns whether a session ended.
 */
export async function logOut(): Promise<boolean> {
  if (isImpersonating()) {
    await stopImpersonating();
    return false;
  }
  if (currentSession() === null) return false;
  await api('POST /auth/logout').catch(() => undefined);
  forgetSession();
  return true;
}

/** Ends the impersonation in this tab. If the server cannot be reached, it expires there automatically. */
export async function stopImpersonating(): Promise<void> {
  const id = currentImpersonation()?.user.id;
  const token = ownSession()?.token;
  if (id !== undefined && token !== undefined)
    await api('DELETE /users/{id}/impersonation', { params: { id }, headers: bearer(token) }).catch(() => undefined);
  endImpersonation();
}

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

function fetchUser(headers: Readonly<Record<string, string>> = {}): Promise<User> {
  return api('GET /auth/me', { headers }).catch((error: unknown) => {
    if (isMissing(error)) return api('GET /users/me', { headers });
    throw error;
  });
}

/** Switches the console to a language. For the logged-in user, emails switch too, but not for an impersonated user. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLocale(language);
  if (currentSession() === null || isImpersonating()) return;
  // The console has already switched. If this fails, emails switch the next time the language is chosen.
  await api('PUT /users/self/language', { body: { language } }).then(updateUser, () => undefined);
}
