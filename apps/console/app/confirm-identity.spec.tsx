import { describe, expect, it } from '@jest/globals';
import { ACCESS_MESSAGES, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import AccountPage from '../pages/account/account-page';
import { REPLIES } from '../pages/account/testing';
import { press, showInConsole, USER } from '../testing/console-fixture';
import { ConfirmIdentity } from './confirm-identity';

const REFUSED = {
  status: 403,
  body: { ...ACCESS_MESSAGES.reauthenticate, code: 'REAUTHENTICATION_REQUIRED', message_code: 'access.reauthenticate' },
};
const PENDING = { pending_email: 'mara@new.example' };

/** Account page with an old session. The server refuses until the password has been confirmed. */
function show({ hasTwoFactor = false } = {}) {
  const user = { ...USER, has_two_factor: hasTwoFactor };
  let isRecent = false;
  const needsRecent = (reply: object) => () => (isRecent ? reply : REFUSED);
  return showInConsole(
    <>
      <ConfirmIdentity />
      <AccountPage />
    </>,
    {
      replies: {
        ...REPLIES,
        'GET /auth/me': { body: user },
        'POST /users/self/email-change': needsRecent({ body: { ...user, ...PENDING } }),
        'PUT /users/self/password': needsRecent({
          body: {
            code: 'own_account.password_changed',
            facts: {},
            message: OWN_ACCOUNT_MESSAGES.password_changed.detail,
          },
        }),
        'POST /users/self/reauthentication': ({ body }) => {
          isRecent = (body as { password: string }).password === 'quay-one';
          const error = {
            path: 'password',
            ...OWN_ACCOUNT_MESSAGES.password_wrong,
            message: 'This password is incorrect.',
          };
          return isRecent
            ? { body: { recent_until: '2026-11-25T08:10:00.000Z' } }
            : { status: 422, body: { detail: 'x', code: 'FIELDS_INVALID', errors: [error] } };
        },
      },
      user,
      at: '/account',
    },
  );
}

const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const promptForAddress = async () => {
  await press('Change Email');
  await type('New email address', 'mara@new.example');
  await press('Send link');
};

describe('sensitive call of an older session', () => {
  it('prompts for the password, shows a wrong password beside the field, and is repeated', async () => {
    const { calls } = show();
    await promptForAddress();
    expect(await screen.findByRole('dialog', { name: "Confirm that it's you" })).toBeInTheDocument();
    await type('Password', 'quay-two');
    await press('Confirm');
    expect(await screen.findByText('This password is incorrect.')).toBeInTheDocument();
    await userEvent.clear(screen.getByLabelText('Password'));
    await type('Password', 'quay-one');
    await press('Confirm');
    expect(await screen.findByText('Pending: mara@new.example')).toBeInTheDocument();
    expect(calls.filter(({ path }) => path === '/users/self/email-change')).toHaveLength(2);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('prompts for a code as well when two-factor authentication is on', async () => {
    const { calls } = show({ hasTwoFactor: true });
    await promptForAddress();
    await type('Password', 'quay-one');
    await press('Confirm');
    expect(await screen.findByText(ACCESS_MESSAGES.otp_missing.detail)).toBeInTheDocument();
    await type('Authentication code', '123456');
    await press('Confirm');
    expect(await screen.findByText('Pending: mara@new.example')).toBeInTheDocument();
    expect(calls.find(({ path }) => path === '/users/self/reauthentication')?.body).toEqual({
      password: 'quay-one',
      otp: '123456',
    });
  });

  it('changes nothing when cancelled and shows why', async () => {
    const { calls } = show();
    await promptForAddress();
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByText(ACCESS_MESSAGES.reauthenticate.detail)).toBeInTheDocument();
    expect(calls.filter(({ path }) => path === '/users/self/email-change')).toHaveLength(1);
  });

  it('does not prompt for a password that its form has just requested', async () => {
    show();
    await press('Change Password');
    await type('Current password', 'quay-two');
    await type('New password', 'harbour light');
    await type('Confirm new password', 'harbour light');
    await press('Change password');
    expect(await screen.findByText('This password is incorrect.')).toBeInTheDocument();
    expect(screen.getByLabelText('Current password')).toHaveFocus();
    await userEvent.clear(screen.getByLabelText('Current password'));
    await type('Current password', 'quay-one');
    await press('Change password');
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.password_changed.detail)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});
