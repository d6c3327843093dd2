import { describe, expect, it } from '@jest/globals';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currentSession } from '../../data/session';
import { settingsOf } from '../../testing/console-fixture';
import { loadConsoleSettings } from '../../data/brand';
import { closeSupport, useSupportDesk } from '../../parts/support/support-desk';
import { MARA, open, serveApi } from './testing';

const LINK_ENDED = {
  status: 422,
  body: { detail: 'This link is no longer valid. Request a new one.', code: 'TOKEN_INVALID' },
};

describe('forgotten password', () => {
  it('shows that an email was sent for any address, and accepts another address', async () => {
    const received = serveApi({ 'POST /auth/forgot-password': () => ({ body: { message: 'sent' } }) });
    open('/forgot-password');
    const user = userEvent.setup();
    const submit = await screen.findByRole('button', { name: 'Send Reset Link' });
    expect(submit).toBeDisabled();
    await user.type(screen.getByLabelText('Email'), 'mara@example.com');
    await user.click(submit);

    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toHaveFocus();
    expect(screen.getByText('Password reset instructions sent to your email')).toBeInTheDocument();
    expect(received.find(({ path }) => path === '/auth/forgot-password')?.body).toBe('{"email":"mara@example.com"}');
    expect(screen.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login');
    await user.click(screen.getByRole('button', { name: 'Try Different Email' }));
    expect(await screen.findByLabelText('Email')).toHaveValue('');
  });

  it('shows that the email is in a file when the installation sends no email', async () => {
    const settings = settingsOf({ payments: 'test', mails: 'kept', clouds: 'sandbox' });
    serveApi({
      'POST /auth/forgot-password': () => ({ body: { message: 'sent' } }),
      'GET /console/settings': () => ({ body: settings }),
    });
    await act(() => loadConsoleSettings());
    open('/forgot-password');
    await userEvent.type(await screen.findByLabelText('Email'), 'mara@example.com{Enter}');
    expect(await screen.findByText(/newest file of the mail folder/)).toBeInTheDocument();
  });

  it.each([
    ['unreachable' as const, 'Network error. Please try again.'],
    [{ status: 429, body: { detail: 'Wait an hour.', code: 'RATE_LIMITED' } }, 'Wait an hour.'],
  ])('shows why the request could not be sent', async (reply, sentence) => {
    serveApi({ 'POST /auth/forgot-password': () => reply });
    open('/forgot-password');
    await userEvent.type(await screen.findByLabelText('Email'), 'mara@example.com{Enter}');
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });
});

describe('choosing a new password', () => {
  const choose = async (password: string, again: string): Promise<void> => {
    await userEvent.type(await screen.findByLabelText('New password'), password);
    await userEvent.type(screen.getByLabelText('Confirm new password'), `${again}{Enter}`);
  };

  it('shows a toast and redirects to the login page without a token', async () => {
    serveApi({});
    open('/reset-password');
    expect(await screen.findByText('Invalid reset link')).toBeInTheDocument();
    expect(location.pathname).toBe('/login');
  });

  it('is possible with the link and ends all sessions, including that of this browser', async () => {
    const received = serveApi({ 'POST /auth/reset-password': () => ({ body: { message: 'done' } }) });
    open('/reset-password?token=tok-1', { as: MARA });
    expect(await screen.findByRole('button', { name: 'Reset password' })).toBeDisabled();
    await choose('quay-two', 'quay-two');

    expect(await screen.findByRole('heading', { name: 'Password Reset Successful' })).toBeInTheDocument();
    expect(screen.getByText('Password reset successfully!')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    expect(received.find(({ path }) => path === '/auth/reset-password')?.body).toBe(
      '{"token":"tok-1","new_password":"quay-two"}',
    );
    expect(currentSession()).toBeNull();
  });

  it.each([
    ['quay-two', 'quay-2wo', 'Passwords do not match'],
    ['quay1', 'quay1', 'Password must be at least 6 characters long'],
  ])('rejects %s repeated as %s without a request', async (password, again, sentence) => {
    const received = serveApi({});
    open('/reset-password?token=tok-1');
    await choose(password, again);
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(received.some(({ path }) => path === '/auth/reset-password')).toBe(false);
  });

  it('shows the message of the server for an expired link and offers a new link', async () => {
    serveApi({ 'POST /auth/reset-password': () => LINK_ENDED });
    open('/reset-password?token=tok-1');
    await choose('quay-two', 'quay-two');
    expect(await screen.findByText('This link is no longer valid. Request a new one.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot-password');
  });
});

describe('verifying an email address', () => {
  const confirm = async (): Promise<void> =>
    userEvent.click(await screen.findByRole('button', { name: 'Confirm email address' }));

  it('happens on the button rather than on opening, and marks the logged-in user as verified', async () => {
    let answer: (reply: { body: unknown }) => void = () => undefined;
    const received = serveApi({
      'POST /auth/verify-email': () => new Promise((resolve) => (answer = resolve)),
      'GET /auth/me': () => ({ body: { ...MARA, is_verified: true } }),
    });
    open('/verify-email?token=tok-1', { as: { ...MARA, is_verified: false } });
    const button = await screen.findByRole('button', { name: 'Confirm email address' });
    expect(received.some(({ path }) => path.startsWith('/auth/verify-email'))).toBe(false);
    await userEvent.click(button);
    expect(await screen.findByText('Verifying your email...')).toBeInTheDocument();
    expect(received.find(({ path }) => path === '/auth/verify-email')).toMatchObject({ body: '{"token":"tok-1"}' });
    answer({ body: { message: 'Email verified successfully' } });

    expect(await screen.findByText('Email verified successfully')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(currentSession()?.user?.is_verified).toBe(true);
  });

  it('confirms a changed address with the message of the server and applies it at once', async () => {
    serveApi({
      'POST /auth/verify-email': () => ({
        body: { message: 'Your email address was changed.', code: 'access.email_changed', facts: {} },
      }),
      'GET /auth/me': () => ({ body: { ...MARA, email: 'mara@new.example' } }),
    });
    open('/verify-email?token=tok-1', { as: { ...MARA } });
    await confirm();
    expect(await screen.findByText('Your email address was changed.')).toBeInTheDocument();
    expect(currentSession()?.user?.email).toBe('mara@new.example');
  });

  it('fails without a token', async () => {
    serveApi({});
    open('/verify-email');
    expect(await screen.findByText('Missing verification token')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login');
  });

  it('fails with an expired link and shows the reason', async () => {
    const received = serveApi({ 'POST /auth/verify-email': () => LINK_ENDED });
    open('/verify-email?token=tok-1');
    await confirm();
    expect(await screen.findByText('This link is no longer valid. Request a new one.')).toBeInTheDocument();
    await waitFor(() => expect(received.some(({ path }) => path === '/auth/me')).toBe(false));
  });
});

describe('deactivated account page', () => {
  it('links to support', async () => {
    serveApi({});
    open('/account-deactivated');
    const { result } = renderHook(() => useSupportDesk());
    await userEvent.click(await screen.findByRole('button', { name: 'Contact support' }));
    expect(result.current).toMatchObject({ open: true, about: null });
    act(() => closeSupport());
  });
});

describe('unsubscribing from a kind of email', () => {
  const URL = '/unsubscribe?token=k1.a-token-of-a-mail-00000';

  it('happens on the button rather than on opening', async () => {
    const received = serveApi({
      'POST /mails/unsubscribe': () => ({
        body: {
          message: 'You\'ll no longer get emails of the type "Getting started".',
          code: 'access.unsubscribed',
          facts: { kind: { code: 'mail_kind.getting_started', facts: {}, detail: 'Getting started' } },
        },
      }),
    });
    open(URL);
    const stop = await screen.findByRole('button', { name: 'Unsubscribe' });
    expect(received.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.click(stop);
    expect(await screen.findByText('You\'ll no longer get emails of the type "Getting started".')).toBeInTheDocument();
    expect(received.find(({ method }) => method === 'POST')?.path).toBe(
      '/mails/unsubscribe?token=k1.a-token-of-a-mail-00000',
    );
    expect(screen.getByRole('link', { name: 'Manage email settings' })).toHaveAttribute('href', '/account');
  });

  it('fails with an expired link and shows the reason', async () => {
    serveApi({ 'POST /mails/unsubscribe': () => LINK_ENDED });
    open(URL);
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText('This link is no longer valid. Request a new one.')).toBeInTheDocument();
  });

  it('fails without a token', async () => {
    serveApi({});
    open('/unsubscribe');
    expect(await screen.findByText('This link is incomplete.')).toBeInTheDocument();
  });
});
