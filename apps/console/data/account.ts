import type { Signup, User } from '@moorage/contracts';
import { isDeactivatedUsername, type Language } from '@moorage/domain';
import { showLocale } from '../texts/locale';
import { api, ApiError, saysDeactivated } from './api';
import {
  currentSession,
  currentView,
  endSession,
  endView,
  forgetSession,
  isViewing,
  ownSession,
  startSession,
  updateUser,
} from './session';

/** The user as the server sees it now; the specification's fall-back address included. */
export async function loadUser(): Promise<User> {
  const user = await askUser();
  updateUser(user);
  return user;
}

/** `deactivated_name`: the account's name says that it is deactivated, so its session is thrown away again. */
export type LoginOutcome = 'logged_in' | 'deactivated' | 'deactivated_name';

/**
 * Logs in; the session stands when the user is known too. Throws ApiError for every other refusal: OTP_REQUIRED asks for a
 * code of the authenticator app or a recovery code.
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
    if (error instanceof ApiError && saysDeactivated(error)) return 'deactivated';
    throw error;
  }
  const user = await askUser(bearer(token));
  if (isDeactivatedUsername(user.username)) {
    await api('POST /auth/logout', { headers: bearer(token) }).catch(() => undefined);
    endSession();
    return 'deactivated_name';
  }
  startSession(token, user);
  return 'logged_in';
}

/** Makes an account; a referral code only where it is known to be good. */
export function signUp(account: Signup): Promise<User> {
  return api('POST /users', { body: account });
}

/**
 * Ends the session here in any case; that the server could not be told is ignored. While viewing only the view ends.
 * Answers whether a session ended with it.
 */
export async function logOut(): Promise<boolean> {
  if (isViewing()) {
    await stopViewing();
    return false;
  }
  if (currentSession() === null) return false;
  await api('POST /auth/logout').catch(() => undefined);
  forgetSession();
  return true;
}

/** Ends the view here in any case; the server ends it by itself where it could not be told. */
export async function stopViewing(): Promise<void> {
  const id = currentView()?.user.id;
  const token = ownSession()?.token;
  if (id !== undefined && token !== undefined)
    await api('DELETE /users/{id}/view-as', { params: { id }, headers: bearer(token) }).catch(() => undefined);
  endView();
}

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

function askUser(headers: Readonly<Record<string, string>> = {}): Promise<User> {
  return api('GET /auth/me', { headers }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return api('GET /users/me', { headers });
    throw error;
  });
}

/** Shows the console in a language; who is logged in gets their mails in it as well, whom one views as does not. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLocale(language);
  if (currentSession() === null || isViewing()) return;
  // the console is in it already; the mails follow when it is chosen again
  await api('PUT /users/self/language', { body: { language } }).then(updateUser, () => undefined);
}
