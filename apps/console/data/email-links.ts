import { api } from './api';
import { loadUser } from './account';
import { currentSession, endSession } from './session';

/** Sends an email with a link that sets a new password. */
export const requestPasswordReset = (email: string) => api('POST /auth/forgot-password', { body: { email } });

/** Sets a new password. All sessions of the account end, including the one in this browser. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await api('POST /auth/reset-password', { body: { token, new_password: password } });
  endSession();
}

/** Confirms an email address. The logged-in user is then verified or has a new email. */
export async function verifyEmail(token: string) {
  const answer = await api('POST /auth/verify-email', { body: { token } });
  // A failed reload does not undo the confirmation.
  if (currentSession() !== null) await loadUser().catch(() => undefined);
  return answer;
}

/** Ends the emails of the kind that contained the link. */
export const unsubscribe = (token: string) => api('POST /mails/unsubscribe', { query: { token } });
