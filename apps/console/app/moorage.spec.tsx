import { describe, expect, it } from '@jest/globals';
import { ACCESS_MESSAGES, CONNECTION_MESSAGES } from '@moorage/domain';
import { act, render, screen, waitFor } from '@testing-library/react';
import { api } from '../data/api';
import { currentSession, restoreSession, startSession } from '../data/session';
import { Moorage } from './moorage';
import { MARA, serveApi } from '../pages/public/testing';

const SENTENCE = 'Your account has been deactivated. Please contact support if you need assistance.';

/** Opens a page with a session already in storage. */
function open(address: string, user: typeof MARA): void {
  startSession('token-0', user);
  history.replaceState(null, '', address);
  restoreSession();
  render(<Moorage />);
}

async function isReported(): Promise<void> {
  expect(await screen.findByText(SENTENCE)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login');
  expect(location.pathname).toBe('/account-deactivated');
  expect([currentSession(), localStorage.getItem('access_token'), localStorage.getItem('user')]).toEqual([
    null,
    null,
    null,
  ]);
}

describe('user of a deactivated account', () => {
  it.each(['/dashboard', '/cancel'])(
    'is notified on %s if the stored name shows it, and nothing is stored',
    async (at) => {
      serveApi({});
      open(at, { ...MARA, username: 'deactivated_7_mara' });
      await isReported();
    },
  );

  it('is notified when the session is rejected for it', async () => {
    const { detail, code, facts } = CONNECTION_MESSAGES.deactivated;
    serveApi({
      'GET /auth/me': () => ({ status: 401, body: { detail, code: 'UNAUTHENTICATED', message_code: code, facts } }),
    });
    open('/cancel', MARA);
    await act(() => expect(api('GET /auth/me')).rejects.toThrow(detail));
    await isReported();
  });
});

describe('user of an expired session', () => {
  it('is not shown the notice about a deactivated account', async () => {
    const { detail, code, facts } = ACCESS_MESSAGES.session_ended;
    serveApi({
      'GET /auth/me': () => ({ status: 401, body: { detail, code: 'UNAUTHENTICATED', message_code: code, facts } }),
    });
    open('/cancel', MARA);
    await act(() => expect(api('GET /auth/me')).rejects.toThrow(detail));
    await waitFor(() => expect(currentSession()).toBeNull());
    expect(location.pathname).toBe('/cancel');
  });
});

describe('visitor', () => {
  const visit = async (address: string): Promise<void> => {
    serveApi({});
    history.replaceState(null, '', address);
    // Waits, because the list of all screens loads first.
    await act(() => Promise.resolve(render(<Moorage />)));
  };

  it('is shown an unknown address as not found instead of the login', async () => {
    await visit('/no-such-page?x=1');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    expect(location.pathname).toBe('/no-such-page');
    expect(screen.getByRole('link', { name: 'Go to home page' })).toHaveAttribute('href', '/');
  });

  it.each(['/billing?page=2', '/users/7/show', '/mailbox/', '/deployments', '/deployments/3/show'])(
    'is redirected from %s to the login and back',
    async (address) => {
      await visit(address);
      await waitFor(() => expect(location.pathname).toBe('/login'));
      expect(new URLSearchParams(location.search).get('next')).toBe(address);
    },
  );
});
