import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currentSession } from '../../data/session';
import { MARA, open, type Received, type Replies, serveApi } from './testing';

const TOKEN = { 'POST /auth/login': () => ({ body: { access_token: 'token-1', token_type: 'bearer' } }) };

let received: Received[];
const at = (address: string, replies: Replies = {}): void => {
  received = serveApi(replies);
  open(address);
};
const email = () => screen.findByLabelText('Email');
const password = () => screen.findByLabelText('Password');
const submit = () => screen.findByRole('button', { name: /^Login$/ });
const calls = (path: string): Received[] => received.filter((call) => call.path === path);

async function logInAs(typed: { email: string; password: string }): Promise<void> {
  const user = userEvent.setup();
  await user.type(await email(), typed.email);
  await user.type(await password(), typed.password);
  await user.click(await submit());
}

describe('logging in', () => {
  it('stores the session for the right password and redirects to the dashboard', async () => {
    at('/login', TOKEN);
    await logInAs({ email: ' mara@example.com ', password: 'quay-one' });

    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(currentSession()).toEqual({ token: 'token-1', user: MARA });
    expect(localStorage.getItem('access_token')).toBe('token-1');
    const [login] = calls('/auth/login');
    expect(login?.body).toBe('username=mara%40example.com&password=quay-one');
    expect(calls('/auth/me')[0]?.headers.get('authorization')).toBe('Bearer token-1');
  });

  it('redirects administrators to what needs them', async () => {
    at('/login', { ...TOKEN, 'GET /auth/me': () => ({ body: { ...MARA, is_admin: true } }) });
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });
    await waitFor(() => expect(location.pathname).toBe('/admin'));
  });

  it('returns to the page that required the login', async () => {
    at(`/login?next=${encodeURIComponent('/billing?page=2')}`, TOKEN);
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });
    await waitFor(() => expect(location.pathname + location.search).toBe('/billing?page=2'));
  });

  it('shows an error for a wrong password, keeps the address and focuses the password', async () => {
    at('/login', {
      'POST /auth/login': () => ({
        status: 401,
        body: { detail: 'Incorrect email or password.', code: 'CREDENTIALS_WRONG' },
      }),
    });
    await logInAs({ email: 'mara@example.com', password: 'quay-two' });

    expect(await screen.findByText('Incorrect email or password.')).toBeInTheDocument();
    expect(await email()).toHaveValue('mara@example.com');
    expect(await password()).toHaveFocus();
    expect(currentSession()).toBeNull();
  });

  it('rejects a password that cannot be valid at its field, without a request', async () => {
    at('/login', TOKEN);
    await logInAs({ email: 'mara@example.com', password: 'quay1' });

    expect(await screen.findByText('Password must be longer than 6 characters')).toBeInTheDocument();
    expect(await password()).toHaveAttribute('aria-invalid', 'true');
    expect(await password()).toHaveFocus();
    expect(calls('/auth/login')).toHaveLength(0);
  });

  it('marks both empty fields and focuses the first', async () => {
    at('/login', TOKEN);
    await userEvent.click(await submit());
    expect(await screen.findByText('Email is required')).toBeInTheDocument();
    expect(screen.getByText('Password is required')).toBeInTheDocument();
    expect(await email()).toHaveFocus();
  });

  it('shows the page for deactivated accounts', async () => {
    at('/login', {
      'POST /auth/login': () => ({
        status: 403,
        body: { detail: 'Account has been deactivated', code: 'ACCOUNT_DEACTIVATED' },
      }),
    });
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });
    expect(await screen.findByRole('heading', { name: 'Account deactivated' })).toBeInTheDocument();
    expect(location.pathname).toBe('/account-deactivated');
  });

  it('stores nothing for a name that marks a deactivated account, with the message of the specification', async () => {
    at('/login', { ...TOKEN, 'GET /auth/me': () => ({ body: { ...MARA, username: 'deactivated_7_mara' } }) });
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });

    expect(
      await screen.findByText('Your account has been deactivated. Please contact support if you need assistance.'),
    ).toBeInTheDocument();
    expect(location.pathname).toBe('/login');
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('access_token')).toBeNull();
    expect(calls('/auth/logout')[0]?.headers.get('authorization')).toBe('Bearer token-1');
  });

  it('shows that the server cannot be reached', async () => {
    at('/login', { 'POST /auth/login': () => 'unreachable' });
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });
    expect(await screen.findByText('Network error. Please try again.')).toBeInTheDocument();
  });

  it('shows progress on the button and sends a single request', async () => {
    let answer: (reply: { body: unknown }) => void = () => undefined;
    at('/login', { 'POST /auth/login': () => new Promise((resolve) => (answer = resolve)) });
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });

    const busy = await screen.findByRole('button', { name: 'Logging in...' });
    expect(busy).toBeDisabled();
    await userEvent.click(busy);
    expect(calls('/auth/login')).toHaveLength(1);
    answer({ body: { access_token: 'token-1' } });
    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
  });
});

describe('logging in with two-factor authentication', () => {
  const refusal = (code: string, detail: string) => ({ status: 401, body: { detail, code } });
  /** Requires a code and accepts only this value. */
  const withCode: Replies = {
    'POST /auth/login': ({ body }) => {
      const otp = new URLSearchParams(body).get('otp');
      if (otp === null) return refusal('OTP_REQUIRED', 'Enter the code from your authenticator app.');
      return otp === '123456' ? TOKEN['POST /auth/login']() : refusal('OTP_WRONG', 'This code is incorrect.');
    },
  };
  const code = () => screen.findByLabelText('Authentication code');
  const requestedFor = async (): Promise<void> => {
    at('/login', withCode);
    await logInAs({ email: 'mara@example.com', password: 'quay-one' });
    await code();
  };

  it('prompts for the code in place', async () => {
    await requestedFor();
    expect(await code()).toHaveFocus();
    expect(await code()).toHaveAttribute('autocomplete', 'one-time-code');
    expect(screen.getByText(/A recovery code works too\.$/)).toBeInTheDocument();
    await userEvent.type(await code(), ' 123456{Enter}');

    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(currentSession()).toEqual({ token: 'token-1', user: MARA });
    expect(calls('/auth/login')[1]?.body).toBe('username=mara%40example.com&password=quay-one&otp=123456');
  });

  it('shows a wrong code beside its field and does not log in', async () => {
    await requestedFor();
    await userEvent.type(await code(), '654321{Enter}');
    expect(await screen.findByText('This code is incorrect.')).toBeInTheDocument();
    expect(await code()).toHaveAttribute('aria-invalid', 'true');
    expect(await code()).toHaveFocus();
    expect(currentSession()).toBeNull();
  });

  it('keeps address and password when going back', async () => {
    await requestedFor();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await email()).toHaveValue('mara@example.com');
    expect(await password()).toHaveValue('quay-one');
  });
});

describe('login page', () => {
  beforeEach(() => at('/login'));

  it('passes the typed address to the forgotten-password page', async () => {
    await userEvent.type(await email(), 'mara@example.com');
    await userEvent.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    expect(await screen.findByRole('heading', { name: 'Forgot password' })).toBeInTheDocument();
    expect(await email()).toHaveValue('mara@example.com');
  });

  it('shows that the account page requires a login', async () => {
    at(`/login?next=${encodeURIComponent('/account')}`);
    expect(await screen.findByText('Please log in to view account settings.')).toBeInTheDocument();
  });

  it('reveals the masked password on request', async () => {
    await userEvent.type(await password(), 'quay-one');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(await password()).toHaveAttribute('type', 'text');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(await password()).toHaveAttribute('type', 'password');
  });
});

it.each(['/login', '/signup'])('redirects a logged-in user from %s to the dashboard', async (path) => {
  serveApi({});
  open(path, { as: MARA });
  await waitFor(() => expect(location.pathname).toBe('/dashboard'));
});
