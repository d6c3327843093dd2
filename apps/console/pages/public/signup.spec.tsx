import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currentSession } from '../../data/session';
import { MARA, open, type Received, type Replies, serveApi } from './testing';

const GOOD: Replies = {
  'POST /users': () => ({ status: 201, body: MARA }),
  'POST /auth/login': () => ({ body: { access_token: 'token-1' } }),
};
const KNOWN_CODE: Replies = {
  'GET /referrals/validate-code/ABC234': () => ({ body: { referrer_username: 'kit', is_free_credits: false } }),
};

async function signUp(
  typed: Partial<Record<'Username' | 'Email' | 'Password' | 'Confirm Password', string>> = {},
): Promise<void> {
  const user = userEvent.setup();
  const all = {
    Username: 'mara.lindqvist',
    Email: 'mara@example.com',
    Password: 'quay-one',
    'Confirm Password': 'quay-one',
    ...typed,
  };
  for (const [label, text] of Object.entries(all)) {
    const field = await screen.findByLabelText(label);
    if (text !== '') await user.type(field, text);
  }
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
}

const sent = (received: readonly Received[]): unknown =>
  received
    .filter(({ path, method }) => path === '/users' && method === 'POST')
    .map(({ body }) => JSON.parse(body) as unknown);

describe('signing up', () => {
  it('creates the account without a code, logs in automatically and opens the dashboard', async () => {
    const received = serveApi(GOOD);
    open('/signup');
    await signUp();

    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(await screen.findByText('Account created successfully!')).toBeInTheDocument();
    expect(sent(received)).toEqual([
      { username: 'mara.lindqvist', email: 'mara@example.com', password: 'quay-one', language: 'en' },
    ]);
    expect(currentSession()?.token).toBe('token-1');
    expect(received.some(({ path }) => path.startsWith('/referrals'))).toBe(false);
  });

  it('prefills and checks the referral code of the link, and names both rewards', async () => {
    const received = serveApi({ ...GOOD, ...KNOWN_CODE });
    open('/signup?ref=%20ABC234');
    expect(await screen.findByLabelText(/^Referral Code/)).toHaveValue('ABC234');
    await signUp();

    expect(
      await screen.findByText('Account created successfully! You and kit will receive referral credits.'),
    ).toBeInTheDocument();
    expect(sent(received)).toEqual([
      {
        username: 'mara.lindqvist',
        email: 'mara@example.com',
        password: 'quay-one',
        language: 'en',
        referral_code: 'ABC234',
      },
    ]);
  });

  it('does not show a free-credits code as an invitation', async () => {
    const received = serveApi({
      ...GOOD,
      'GET /referrals/validate-code/FREE2345': () => ({
        body: { referrer_username: 'Moorage', is_free_credits: true },
      }),
    });
    open('/signup?ref=FREE2345');
    await signUp();

    expect(
      await screen.findByText(
        'Account created successfully! You get your free credits once your email address is verified.',
      ),
    ).toBeInTheDocument();
    expect(sent(received)).toEqual([expect.objectContaining({ referral_code: 'FREE2345' })]);
  });

  it('shows a toast for an invalid code and creates the account without it', async () => {
    const received = serveApi(GOOD);
    open('/signup?ref=NOBODY');
    await signUp();

    expect(
      await screen.findByText('Invalid referral code - signup will proceed without referral benefits'),
    ).toBeInTheDocument();
    expect(await screen.findByText('Account created successfully!')).toBeInTheDocument();
    expect(sent(received)).toEqual([
      { username: 'mara.lindqvist', email: 'mara@example.com', password: 'quay-one', language: 'en' },
    ]);
  });

  it('hides the code field when referrals are off, and ignores the code of the link', async () => {
    const received = serveApi({
      ...GOOD,
      ...KNOWN_CODE,
      'GET /pricing': () => ({ body: { referrals_enabled: false, byovpsDailyFee: 0.12 } }),
    });
    open('/signup?ref=ABC234');
    await screen.findByLabelText('Username');
    await waitFor(() => expect(screen.queryByLabelText(/^Referral Code/)).not.toBeInTheDocument());
    await signUp();

    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(sent(received)).toEqual([
      { username: 'mara.lindqvist', email: 'mara@example.com', password: 'quay-one', language: 'en' },
    ]);
  });

  it.each([
    [{ 'Confirm Password': 'quay-two' }, 'Passwords do not match'],
    [{ Password: 'quay1', 'Confirm Password': 'quay1' }, 'Password must be at least 6 characters long'],
    [{ Username: 'deactivated_1' }, 'A username can\'t start with "deactivated_".'],
    [{ Username: '' }, 'Choose a username.'],
    [{ Email: 'mara' }, 'Enter an email address like name@example.com.'],
    [{ Email: '' }, 'Email is required'],
  ])('rejects %j at its field without a request', async (typed, sentence) => {
    const received = serveApi(GOOD);
    open('/signup');
    await signUp(typed);

    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(document.activeElement).toHaveAttribute('aria-invalid', 'true');
    expect(sent(received)).toEqual([]);
  });

  it('shows an error for a taken username and keeps the input', async () => {
    serveApi({
      ...GOOD,
      'POST /users': () => ({
        status: 409,
        body: { detail: 'This username or email address is already taken.', code: 'ACCOUNT_EXISTS' },
      }),
    });
    open('/signup');
    await signUp();
    expect(await screen.findByText('This username or email address is already taken.')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('mara@example.com');
    expect(screen.getByLabelText('Username')).toHaveFocus();
    await userEvent.click(screen.getByRole('link', { name: 'Is it yours? Log in with this address' }));
    expect(await screen.findByRole('textbox', { name: 'Email' })).toHaveValue('mara@example.com');
    expect(location.pathname).toBe('/login');
  });

  it('shows a field error of the server beside that field', async () => {
    serveApi({
      ...GOOD,
      'POST /users': () => ({
        status: 422,
        body: {
          detail: 'Some fields are not right.',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'email', message: 'This mailbox is not taken.' }],
        },
      }),
    });
    open('/signup');
    await signUp();
    expect(await screen.findByText('This mailbox is not taken.')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.queryByText('Some fields are not right.')).not.toBeInTheDocument();
  });

  it('opens the login page when the login after the sign-up fails', async () => {
    serveApi({ ...GOOD, 'POST /auth/login': () => ({ status: 503, body: { detail: 'Too many people.', code: 'X' } }) });
    open('/signup');
    await signUp();
    await waitFor(() => expect(location.pathname).toBe('/login'));
    expect(await screen.findByText('Too many people.')).toBeInTheDocument();
    expect(await screen.findByLabelText('Email')).toHaveValue('mara@example.com');
  });
});

it('validates a field on blur first and on every change afterwards', async () => {
  serveApi(GOOD);
  open('/signup');
  const user = userEvent.setup();
  const email = await screen.findByLabelText('Email');
  await user.type(email, 'mara@');
  expect(email).toHaveAttribute('aria-invalid', 'false');
  await user.tab();
  expect(email).toHaveAttribute('aria-invalid', 'true');
  await user.type(email, 'example.com');
  expect(email).toHaveAttribute('aria-invalid', 'false');
});
