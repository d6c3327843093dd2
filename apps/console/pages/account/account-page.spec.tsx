import { describe, expect, it, jest } from '@jest/globals';
import { ACCOUNT_MESSAGES, type Message, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currentSession } from '../../data/session';
import { press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import AccountPage from './account-page';
import { CODES, EXPORT, MAY_DELETE, OFF, ON, REPLIES, TOKEN } from './testing';

const show = (more: Replies = {}, { at = '/account', user = USER } = {}) =>
  showInConsole(<AccountPage />, { replies: { ...REPLIES, 'GET /auth/me': { body: user }, ...more }, at, user });

const card = async (name: string) => within(await screen.findByRole('region', { name }));
const type = async (label: string, text: string): Promise<void> => userEvent.type(screen.getByLabelText(label), text);
const sent = ({ code, facts, detail }: Message) => ({ body: { message: detail, code, facts } });
const wrongField = (path: string, { code, facts, detail: message }: Message) => ({
  status: 422,
  body: { detail: 'Some fields are wrong.', code: 'FIELDS_INVALID', errors: [{ path, message, code, facts }] },
});
const refused = ({ code, facts, detail }: Message, status = 409) => ({
  status,
  body: { detail, code: 'ACCOUNT_STATE', message_code: code, facts },
});
const noFiles = (): Blob[] => {
  const blobs: Blob[] = [];
  URL.createObjectURL = (blob) => {
    blobs.push(blob as Blob);
    return 'blob:x';
  };
  URL.revokeObjectURL = () => undefined;
  return blobs;
};

describe('profile', () => {
  it('shows the username, email and role of the user', async () => {
    show();
    const profile = await card('Profile');
    for (const text of ['mara.lindqvist', 'mara@northsea.example', 'User', 'Fri 2 Oct 2026'])
      expect(profile.getByText(text)).toBeInTheDocument();
  });

  it('saves a new username and shows it at once', async () => {
    const { calls } = show({ 'PUT /users/self/username': { body: { ...USER, username: 'mara' } } });
    await press('Change Username');
    expect(screen.getByLabelText('New username')).toHaveFocus();
    await type('New username', 'mara');
    await press('Save');
    expect(await screen.findByText('mara')).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ username: 'mara' });
    expect(screen.getByRole('button', { name: 'Change Username' })).toHaveFocus();
  });

  it('rejects an invalid username without a request', async () => {
    const { calls } = show();
    await press('Change Username');
    await type('New username', '!');
    await press('Save');
    expect(await screen.findByText(ACCOUNT_MESSAGES.username_letters.detail)).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('shows that emails to the address bounce', async () => {
    show({ 'GET /auth/me': { body: { ...USER, email_undeliverable: true } } });
    expect(await screen.findByText('Emails to this address are rejected.')).toBeInTheDocument();
  });

  it('sends a link to the new address, keeps the old one until then, and can withdraw the change', async () => {
    show({
      'POST /users/self/email-change': { body: { ...USER, pending_email: 'mara@new.example' } },
      'DELETE /users/self/email-change': { body: USER },
    });
    await press('Change Email');
    await type('New email address', 'mara@new.example');
    await press('Send link');
    expect(await screen.findByText('Pending: mara@new.example')).toBeInTheDocument();
    expect(screen.getByText(/Your current address stays active until you open it\.$/)).toBeInTheDocument();
    await press('Cancel change');
    await waitFor(() => expect(screen.queryByText('Pending: mara@new.example')).not.toBeInTheDocument());
  });

  it('shows a wrong password beside its field', async () => {
    show({ 'PUT /users/self/password': wrongField('current_password', OWN_ACCOUNT_MESSAGES.password_wrong) });
    await press('Change Password');
    await type('Current password', 'quay-two');
    await type('New password', 'harbour light');
    await type('Confirm new password', 'harbour light');
    await press('Change password');
    expect(await screen.findByText('This password is incorrect.')).toBeInTheDocument();
    expect(screen.getByLabelText('Current password')).toHaveFocus();
  });

  it('changes the password, lists what else ended, and reloads sessions and tokens', async () => {
    const { calls } = show({ 'PUT /users/self/password': sent(OWN_ACCOUNT_MESSAGES.password_changed) });
    await press('Change Password');
    await type('Current password', 'quay-one');
    await type('New password', 'harbour light');
    await type('Confirm new password', 'harbour light');
    await press('Change password');
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.password_changed.detail)).toBeInTheDocument();
    const requested = (path: string) => calls.filter((call) => call.path === path).length;
    await waitFor(() =>
      expect([requested('/users/self/sessions'), requested('/users/self/api-tokens')]).toEqual([2, 2]),
    );
  });

  it('disables changes for an unverified user and explains why', async () => {
    show({}, { user: { ...USER, is_verified: false } });
    const change = await screen.findByRole('button', { name: 'Change Username' });
    expect(change).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(change);
    expect((await screen.findByRole('tooltip')).textContent).toBe('Verify your email address first.');
  });
});

describe('two-factor authentication', () => {
  it('turns on with QR code and code, and shows the recovery codes until they are saved', async () => {
    const blobs = noFiles();
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { calls, reply } = show({
      'POST /users/self/two-factor': {
        body: { secret: 'JBSWY3DP', otpauth_url: 'otpauth://totp/Moorage:mara?secret=JBSWY3DP' },
      },
      'POST /users/self/two-factor/confirm': { body: { recovery_codes: CODES } },
    });
    await press('Turn on');
    const qr = await screen.findByRole('img', { name: 'QR code for the authenticator app' });
    expect(qr.querySelector('svg')).toBeInTheDocument();
    expect(screen.getByText('JBSWY3DP')).toBeInTheDocument();
    const code = screen.getByLabelText('Authentication code');
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    expect(code).toHaveAttribute('inputmode', 'numeric');
    reply({ 'GET /users/self/two-factor': { body: ON }, 'GET /auth/me': { body: { ...USER, has_two_factor: true } } });
    await userEvent.type(code, '123456');
    await press('Confirm');

    for (const each of CODES) expect(await screen.findByText(each)).toBeInTheDocument();
    expect(calls.find(({ path }) => path.endsWith('/confirm'))?.body).toEqual({ otp: '123456' });
    await press('Download');
    expect([blobs.length, clicked.mock.calls.length]).toEqual([1, 1]);
    const done = screen.getByRole('button', { name: 'Done' });
    expect(done).toBeDisabled();
    await userEvent.click(screen.getByRole('checkbox', { name: "I've saved these codes" }));
    await userEvent.click(done);
    expect(screen.queryByText(CODES[0] ?? '')).not.toBeInTheDocument();
    expect(await screen.findByText('Recovery codes left')).toBeInTheDocument();
    await waitFor(() => expect(currentSession()?.user?.has_two_factor).toBe(true));
  });

  it('stays off after a wrong code', async () => {
    show({
      'POST /users/self/two-factor': { body: { secret: 'JBSWY3DP', otpauth_url: 'otpauth://totp/a?secret=JBSWY3DP' } },
      'POST /users/self/two-factor/confirm': wrongField('otp', OWN_ACCOUNT_MESSAGES.code_wrong),
    });
    await press('Turn on');
    await userEvent.type(await screen.findByLabelText('Authentication code'), '123456');
    await press('Confirm');
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.code_wrong.detail)).toBeInTheDocument();
  });

  it('turns off after a confirmation', async () => {
    const { reply } = show({
      'GET /users/self/two-factor': { body: ON },
      'POST /users/self/two-factor/disable': sent(OWN_ACCOUNT_MESSAGES.two_factor_ended),
    });
    await press('Turn off');
    expect(await screen.findByText("You'll only need your password to log in.")).toBeInTheDocument();
    reply({ 'GET /users/self/two-factor': { body: OFF } });
    await press('Turn off');
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.two_factor_ended.detail)).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeInTheDocument();
  });

  it('creates new recovery codes and warns when few are left', async () => {
    show({
      'GET /users/self/two-factor': { body: { ...ON, recovery_codes_left: 3 } },
      'POST /users/self/two-factor/recovery-codes': { body: { recovery_codes: CODES } },
    });
    expect(await screen.findByText(/^You have few recovery codes left/)).toBeInTheDocument();
    await press('New recovery codes');
    await press('Generate new codes');
    expect(await screen.findByText(CODES[1] ?? '')).toBeInTheDocument();
  });

  it('warns when it is required but off', async () => {
    show({ 'GET /users/self/two-factor': { body: { ...OFF, is_required: true } } });
    expect(await screen.findByText(/^On this installation, administrators need/)).toBeInTheDocument();
  });
});

describe('sessions', () => {
  it('lists sessions with their devices and ends another session', async () => {
    const { calls } = show({ 'DELETE /users/self/sessions/4': sent(OWN_ACCOUNT_MESSAGES.session_ended) });
    const table = within(await screen.findByRole('table', { name: 'Sessions' }));
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'DeviceAddressLast usedEnd',
      'Firefox on Linux This device203.0.113.9Wed 25 Nov, 08:00 UTC',
      'iOS N/AThu 19 Nov, 08:00 UTCEnd',
    ]);
    await press('End the session: iOS');
    expect(await screen.findByText('The session was ended.')).toBeInTheDocument();
    await waitFor(() =>
      expect(calls.filter(({ method, path }) => `${method} ${path}` === 'GET /users/self/sessions')).toHaveLength(2),
    );
  });

  it('ends all sessions except the current one', async () => {
    show({ 'DELETE /users/self/sessions': sent(OWN_ACCOUNT_MESSAGES.sessions_ended) });
    await press('End all others');
    expect(await screen.findByText('All other sessions were ended.')).toBeInTheDocument();
  });

  it('shows the login history with rejected codes marked', async () => {
    show();
    const table = within(await screen.findByRole('table', { name: 'Login history' }));
    expect(table.getByText('Password and code')).toBeInTheDocument();
    expect(table.getByText('Code rejected')).toHaveClass('port');
  });

  it('shows a load error and retries', async () => {
    const { reply } = show({ 'GET /users/self/sessions': { status: 503, body: { detail: 'Busy', code: 'BUSY' } } });
    const sessions = await card('Sessions');
    expect(await sessions.findByText('Failed to load your sessions')).toBeInTheDocument();
    reply({ 'GET /users/self/sessions': REPLIES['GET /users/self/sessions'] ?? { body: [] } });
    await press('Try again now', sessions);
    expect(
      await screen.findByText(/^Firefox on Linux/, { selector: '[aria-label="Sessions"] td' }),
    ).toBeInTheDocument();
  });
});

describe('API tokens', () => {
  it('shows a usage example until a token is created', async () => {
    show({ 'GET /users/self/api-tokens': { body: [] } });
    expect(await screen.findByText('You have no API tokens.')).toBeInTheDocument();
    expect(
      screen.getByText(`curl -H "Authorization: Bearer $MOORAGE_TOKEN" ${location.origin}/api/deployments/`),
    ).toBeInTheDocument();
  });

  it('creates a read-only token for 90 days and shows it once', async () => {
    const created = { ...TOKEN, id: 4, label: 'ci', token: 'mrg_abc' };
    const { calls } = show({ 'POST /users/self/api-tokens': { status: 201, body: created } });
    await press('New token');
    await type('Label', ' ci ');
    await press('Create token');
    expect(await screen.findByText('mrg_abc')).toBeInTheDocument();
    expect(screen.getByText(/Authorization: Bearer mrg_abc"/)).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      label: 'ci',
      scope: 'read',
      expires_in_days: 90,
    });
    await press("I've copied it");
    expect(screen.queryByText('mrg_abc')).not.toBeInTheDocument();
  });

  it('offers the admin scope to administrators', async () => {
    const admin = { ...USER, is_admin: true };
    const { calls } = show(
      {
        'GET /auth/me': { body: admin },
        'POST /users/self/api-tokens': { body: { ...TOKEN, id: 4, label: 'ci', token: 'mrg_abc' } },
      },
      { user: admin },
    );
    await press('New token');
    await type('Label', 'ci');
    await userEvent.selectOptions(screen.getByLabelText('Scope'), 'Read, write and administer');
    await press('Create token');
    await screen.findByText('mrg_abc');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      label: 'ci',
      scope: 'admin',
      expires_in_days: 90,
    });
  });

  it('revokes a token after a confirmation', async () => {
    show({ 'DELETE /users/self/api-tokens/3': { body: { message: 'The token was revoked.', code: 'x', facts: {} } } });
    await press('Revoke backup script');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke "backup script"?' }));
    await press('Revoke', dialog);
    expect(await screen.findByText('The token was revoked.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });
});

describe('email preferences', () => {
  it('turns off emails by kind, except security emails', async () => {
    const { calls } = show({ 'PUT /users/self/notifications': { body: [] } });
    expect(await screen.findByRole('switch', { name: /^Security.*Always on$/ })).toBeDisabled();
    await userEvent.click(screen.getByRole('switch', { name: 'Getting started' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ kind: 'getting_started', is_on: false }),
    );
  });

  it('shows a choice while it is being saved, and the previous one after an error', async () => {
    let answer: () => void = () => undefined;
    show({
      'PUT /users/self/notifications': () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 503, body: { detail: 'Not now.', code: 'SERVICE_UNAVAILABLE' } });
        }),
    });
    const choice = await screen.findByRole('switch', { name: 'Getting started' });
    await userEvent.click(choice);
    expect(choice).not.toBeChecked();
    answer();
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    await waitFor(() => expect(choice).toBeChecked());
  });

  it('switches the pages to another language', async () => {
    const { calls } = show({ 'PUT /users/self/language': { body: { ...USER, language: 'de' } } });
    await userEvent.selectOptions(await screen.findByLabelText('Language'), 'Deutsch');
    expect(await screen.findByRole('heading', { name: 'Konto' })).toBeInTheDocument();
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ language: 'de' }));
  });
});

describe('data export', () => {
  it('requests an export and shows the rejection while one is being prepared', async () => {
    const { reply } = show({
      'GET /users/self/exports': { body: [] },
      'POST /users/self/exports': { status: 202, body: { ...EXPORT, state: 'preparing' } },
    });
    expect(await screen.findByText('You have no exports.')).toBeInTheDocument();
    reply({
      'GET /users/self/exports': { body: [{ ...EXPORT, state: 'preparing', ready_at: null, size_bytes: null }] },
    });
    await press('Request export');
    expect(await screen.findByText('Preparing...')).toBeInTheDocument();
    reply({ 'POST /users/self/exports': refused(OWN_ACCOUNT_MESSAGES.export_running) });
    await press('Request export');
    expect(await screen.findByText('An export is already being prepared.')).toBeInTheDocument();
  });

  it('downloads a finished export with the token', async () => {
    const blobs = noFiles();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      expect(this.download).toBe('moorage-export-2.zip');
    });
    const { calls } = show({
      'GET /users/self/exports/2/file': { headers: { 'content-type': 'application/zip' }, body: 'PK' },
    });
    expect(await screen.findByText('84 kB')).toBeInTheDocument();
    await press(/^Download the export of/);
    await waitFor(() => expect(blobs).toHaveLength(1));
    expect(calls.find(({ path }) => path.endsWith('/file'))?.headers.get('authorization')).toBe('Bearer a-token');
  });

  it('shows that the export has expired in the meantime', async () => {
    show({ 'GET /users/self/exports/2/file': refused(OWN_ACCOUNT_MESSAGES.export_ended) });
    await press(/^Download the export of/);
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.export_ended.detail)).toBeInTheDocument();
  });

  it('opens from the link in the email', async () => {
    show({}, { at: '/account#data' });
    await waitFor(() => expect(document.activeElement?.id).toBe('data'));
  });
});

describe('deleting the account', () => {
  it('lists what remains, takes the confirmation word, and logs out', async () => {
    const { calls } = show({ 'DELETE /users/self': sent(OWN_ACCOUNT_MESSAGES.deleted) });
    await press('Delete account');
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText('$34.00')).toBeInTheDocument();
    expect(dialog.getByText('$4.99')).toBeInTheDocument();
    expect(dialog.getByText(/you can't undo this yourself\. Support can restore your account/)).toBeInTheDocument();
    const submit = dialog.getByRole('button', { name: 'Delete account' });
    await userEvent.type(dialog.getByRole('textbox'), 'delete');
    expect(submit).toBeDisabled();
    await userEvent.clear(dialog.getByRole('textbox'));
    await userEvent.type(dialog.getByRole('textbox'), 'DELETE');
    await userEvent.click(submit);
    expect(await screen.findByText(OWN_ACCOUNT_MESSAGES.deleted.detail)).toBeInTheDocument();
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/users/self')).toBe(true);
    expect([location.pathname, currentSession()]).toEqual(['/', null]);
  });

  it('is rejected while deployments run, with a link to them', async () => {
    const refusal = OWN_ACCOUNT_MESSAGES.delete_blocked({ count: 2 });
    show({
      'GET /users/self/deletion-check': {
        body: { ...MAY_DELETE, can_delete: false, active_deployment_count: 2, refusal },
      },
    });
    await press('Delete account');
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/^Cannot delete account: You have 2 active deployment/)).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(dialog.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it('shows a failure and changes nothing', async () => {
    show({ 'DELETE /users/self': () => Promise.reject(new Error('gone')) });
    await press('Delete account');
    const dialog = within(await screen.findByRole('alertdialog'));
    await userEvent.type(await dialog.findByRole('textbox'), 'DELETE');
    await press('Delete account', dialog);
    expect(await dialog.findByText('Failed to delete account')).toBeInTheDocument();
    expect(currentSession()).not.toBeNull();
  });
});
