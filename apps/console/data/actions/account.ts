import type { NotificationAnswer, User } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { go } from '../navigation';
import { forgetSession, updateUser } from '../session';
import { readKey } from '../use-read';

/** Kinds of emails that the user receives. */
export const NOTIFICATIONS = 'GET /users/self/notifications';

const storeUser = { apply: (_client: QueryClient, user: User) => updateUser(user) };

/** Actions of users on their own account. */
export const ACCOUNT = {
  changeUsername: action('PUT /users/self/username', storeUser),
  changeEmail: action('POST /users/self/email-change', storeUser),
  cancelEmailChange: action('DELETE /users/self/email-change', storeUser),
  resendVerification: action('POST /users/resend-verification', { changesNothing: true }),
  /** Ends the other sessions and revokes the API tokens. */
  changePassword: action('PUT /users/self/password', { changes: ['own-user'] }),
  confirmIdentity: action('POST /users/self/reauthentication', { changesNothing: true }),
  endSession: action('DELETE /users/self/sessions/{id}'),
  endOtherSessions: action('DELETE /users/self/sessions'),
  createToken: action('POST /users/self/api-tokens'),
  revokeToken: action('DELETE /users/self/api-tokens/{id}'),
  beginTwoFactor: action('POST /users/self/two-factor', { changesNothing: true }),
  /** Ends the other sessions. The answer contains the recovery codes. */
  confirmTwoFactor: action('POST /users/self/two-factor/confirm', { changes: ['own-user'] }),
  renewRecoveryCodes: action('POST /users/self/two-factor/recovery-codes'),
  endTwoFactor: action('POST /users/self/two-factor/disable', { changes: ['own-user'] }),
  setNotification: action('PUT /users/self/notifications', {
    expect: (client, { body: { kind, is_on } }) =>
      client.setQueryData<NotificationAnswer[]>(readKey('account', NOTIFICATIONS), (all) =>
        all?.map((each) => (each.kind === kind ? { ...each, is_on } : each)),
      ),
  }),
  requestExport: action('POST /users/self/exports'),
  delete: action('DELETE /users/self', {
    apply() {
      // Navigate first, because logging out on a console page redirects to the login.
      go('/');
      forgetSession();
    },
  }),
} as const;
