import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Impersonation } from '@moorage/contracts';
import { ACCESS_MESSAGES, type Message, USERS_MESSAGES } from '@moorage/domain';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLogout } from 'react-admin';
import { Route, Routes } from 'react-router-dom';
import AccountPage from '../../pages/account/account-page';
import BillingPage from '../../pages/billing/billing-page';
import { runwayOf, topUpOf } from '../../pages/billing/testing';
import WizardPage from '../../pages/wizard/wizard-page';
import EmptyBoard from '../deployments/empty-board';
import { api } from '../../data/api';
import { type ImpersonationSession, currentSession, isImpersonating } from '../../data/session';
import MailboxList from '../mailbox/list';
import { pages } from '../../data/navigation';
import { ConsoleBar } from '../../app/layout/console-bar';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { PAGE, PERSON } from './testing';
import UserShow from './show';

/** Half an hour after the fixtures' clock starts. */
const ENDS = '2026-11-21T14:48:48.000Z';
const VIEW: ImpersonationSession = { token: 'view-token', user: USER, expiresAt: ENDS };
const ANSWER: Impersonation = { access_token: 'view-token', token_type: 'bearer', expires_at: ENDS, user: USER };

let loaded: string[];
beforeEach(() => {
  loaded = [];
  jest.spyOn(pages, 'load').mockImplementation((to) => void loaded.push(to));
});
const refused = ({ code, facts, detail }: Message, status: number, name: string) => ({
  status,
  body: { detail, code: name, message_code: code, facts },
});
const storedOfAdministrator = (): unknown[] => [
  localStorage.getItem('access_token'),
  (JSON.parse(localStorage.getItem('user') ?? 'null') as { id: number } | null)?.id,
];
const THEIRS = ['a-token', ADMIN.id];

describe('starting an impersonation', () => {
  const show = (more: Replies = {}, at = '/users/7/show') =>
    showInConsole(
      <Routes>
        <Route path="/users/:id/show" element={<UserShow />} />
      </Routes>,
      { replies: { ...PAGE, 'POST /users/7/impersonation': { status: 201, body: ANSWER }, ...more }, at, user: ADMIN },
    );
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'View as' }));
    return within(await screen.findByRole('dialog', { name: 'View as mara.lindqvist' }));
  };
  const begin = async (reason: string) => {
    const dialog = await open();
    await userEvent.type(dialog.getByLabelText('Reason'), reason);
    await userEvent.click(dialog.getByRole('button', { name: 'View as mara.lindqvist' }));
    return dialog;
  };

  it('explains itself, stores the session for this tab only, and reloads at the dashboard', async () => {
    const { calls } = show();
    const dialog = await begin(' ticket 12 ');
    expect(dialog.getByText(/You can't change anything, and secrets stay hidden\./)).toBeInTheDocument();
    expect(dialog.getByText(/after 30 minutes at most.*with your reason\./)).toBeInTheDocument();
    await waitFor(() => expect(loaded).toEqual(['/dashboard']));
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'ticket 12' });
    expect(JSON.parse(sessionStorage.getItem('view') ?? 'null')).toEqual(VIEW);
    expect(storedOfAdministrator()).toEqual(THEIRS);
    // This page belongs to the administrator until it is left.
    expect(currentSession()?.token).toBe('a-token');
  });

  it('sends no request without a reason', async () => {
    const { calls } = show();
    const dialog = await begin('  ');
    expect(await dialog.findByText(USERS_MESSAGES.view_reason_missing.detail)).toBeInTheDocument();
    expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(USERS_MESSAGES.view_reason_missing.detail);
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('shows why it was rejected and starts nothing', async () => {
    show({ 'POST /users/7/impersonation': refused(USERS_MESSAGES.view_administrator, 409, 'ACCOUNT_STATE') });
    const dialog = await begin('ticket 12');
    expect(await dialog.findByText("You can't view the console as an administrator.")).toBeInTheDocument();
    expect([loaded, sessionStorage.getItem('view')]).toEqual([[], null]);
  });

  it('shows a failure', async () => {
    show({ 'POST /users/7/impersonation': { status: 500, body: {} } });
    expect(await (await begin('ticket 12')).findByText('Failed to start the impersonation')).toBeInTheDocument();
  });

  it('returns to the account page with a notice once it has expired', async () => {
    show({}, '/users/7/show?view=ended');
    expect(await screen.findByText('The impersonation has ended.')).toHaveAttribute('role', 'status');
  });
});

describe('during an impersonation', () => {
  function LogoutButton() {
    const logout = useLogout();
    return <button onClick={() => void logout()}>log out</button>;
  }
  const show = (children = <ConsoleBar />, more: Replies = {}) =>
    showInConsole(children, {
      replies: {
        'GET /billing/runway': { body: runwayOf() },
        'GET /auth/me': { body: USER },
        'DELETE /users/7/impersonation': { body: { message: 'x', code: 'users.view_ended', facts: { name: 'x' } } },
        ...more,
      },
      at: '/dashboard',
      user: ADMIN,
      impersonation: VIEW,
    });

  it('shows the impersonated user, the end and the time left on every page', async () => {
    const { calls } = show();
    expect((await screen.findByText(/^You are viewing as/)).textContent).toBe(
      "You are viewing as mara.lindqvist. You can't change anything. Ends at 14:48 UTC.",
    );
    expect(screen.getByText(/^(30|29) minutes left$/)).toBeInTheDocument();
    await waitFor(() => expect(calls.length).toBeGreaterThan(0));
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer view-token');
  });

  it('shows no banner without an impersonation', async () => {
    showInConsole(<ConsoleBar />, { replies: { 'GET /billing/runway': { body: runwayOf() } }, user: ADMIN });
    await screen.findByRole('button', { name: /menu/i });
    expect(screen.queryByRole('button', { name: 'Stop viewing' })).not.toBeInTheDocument();
  });

  it('stops on request, with the token of the administrator', async () => {
    const { calls } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Stop viewing' }));
    await waitFor(() => expect(loaded).toEqual(['/users/7/show']));
    const stopped = calls.find(({ method }) => method === 'DELETE');
    expect([stopped?.path, stopped?.headers.get('authorization')]).toEqual([
      '/users/7/impersonation',
      'Bearer a-token',
    ]);
    expect(sessionStorage.getItem('view')).toBeNull();
    expect(storedOfAdministrator()).toEqual(THEIRS);
  });

  it.each([
    ['fails', { status: 500, body: {} }],
    ['is rejected for an expired session', refused(ACCESS_MESSAGES.session_ended, 401, 'UNAUTHENTICATED')],
  ])('stops locally when the call %s', async (_, reply) => {
    show(<ConsoleBar />, { 'DELETE /users/7/impersonation': reply });
    await userEvent.click(await screen.findByRole('button', { name: 'Stop viewing' }));
    await waitFor(() => expect(loaded).toEqual(['/users/7/show']));
    expect(storedOfAdministrator()).toEqual(THEIRS);
  });

  it('only ends the impersonation on logout', async () => {
    const { calls, address } = show(<LogoutButton />);
    await userEvent.click(await screen.findByRole('button', { name: 'log out' }));
    await waitFor(() => expect(loaded).toEqual(['/users/7/show']));
    expect(calls.some(({ path }) => path === '/auth/logout')).toBe(false);
    expect([address(), location.pathname]).not.toContain('/login');
    expect(storedOfAdministrator()).toEqual(THEIRS);
  });

  it('ends when its time is over', async () => {
    jest.useFakeTimers();
    jest.setSystemTime(Date.parse(ENDS) - 61_000);
    show();
    // The language loads first.
    await waitFor(() => expect(screen.getByText('2 minutes left')).toBeInTheDocument());
    await act(() => jest.advanceTimersByTimeAsync(2_000));
    expect(screen.getByText('1 minute left')).toBeInTheDocument();
    expect(loaded).toEqual([]);
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(loaded).toEqual(['/users/7/show?view=ended']);
    expect(storedOfAdministrator()).toEqual(THEIRS);
  });

  it('ends once, with the first 401', async () => {
    show(<ConsoleBar />, { 'GET /auth/me': refused(ACCESS_MESSAGES.session_ended, 401, 'UNAUTHENTICATED') });
    await screen.findByRole('button', { name: 'Stop viewing' });
    await Promise.all([1, 2].map(() => expect(api('GET /auth/me')).rejects.toThrow()));
    expect(loaded).toEqual(['/users/7/show?view=ended']);
    expect(sessionStorage.getItem('view')).toBeNull();
    expect(storedOfAdministrator()).toEqual(THEIRS);
  });

  it('stores nothing until the next page has loaded, not even after the end', async () => {
    const { calls } = show(<ConsoleBar />, {
      'GET /auth/me': refused(ACCESS_MESSAGES.session_ended, 401, 'UNAUTHENTICATED'),
    });
    await screen.findByRole('button', { name: 'Stop viewing' });
    const write = () => api('DELETE /deployments/{id}', { params: { id: 3 }, idempotencyKey: 'a-key' });
    await expect(write()).rejects.toThrow(USERS_MESSAGES.view_reads.detail);
    await expect(api('GET /auth/me')).rejects.toThrow();
    await expect(write()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(isImpersonating()).toBe(true);
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('still requests the price of a draft', async () => {
    const { calls } = show(<ConsoleBar />, { 'POST /deployments/pricing/calculate': { body: {} } });
    await api('POST /deployments/pricing/calculate', {
      body: { server_type: 'vps' },
    });
    expect(calls.some(({ method }) => method === 'POST')).toBe(true);
  });

  it('shows the chosen language without saving it to the account', async () => {
    const { calls } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Theme and language' }));
    await userEvent.click(screen.getByRole('button', { name: 'Deutsch' }));
    expect(await screen.findByRole('button', { name: 'Ansicht beenden' })).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('shows only the profile on the account page', async () => {
    const { calls } = show(<AccountPage />);
    expect(await screen.findByRole('region', { name: 'Profile' })).toBeInTheDocument();
    expect(screen.getByText(USERS_MESSAGES.view_private.detail)).toBeInTheDocument();
    expect(screen.getAllByRole('region')).toHaveLength(1);
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/auth/me'));
    expect(calls.filter(({ path }) => path.startsWith('/users/self'))).toEqual([]);
  });

  const BILLING: Replies = {
    'GET /billing/balance': { body: PERSON.balances },
    'GET /billing/runway': { body: runwayOf({ level: 'days' }) },
    'GET /billing/credits': { body: [] },
    'GET /billing/transactions': {
      body: { transactions: [], total_pages: 1, current_page: 1, has_next: false, has_previous: false },
    },
    'GET /billing/automatic-top-up': { body: topUpOf() },
    'GET /billing/details': { body: { details: null } },
    'GET /billing/statements': { body: [{ month: '2026-10' }] },
    'GET /billing/documents': {
      body: { documents: [], total_pages: 1, current_page: 1, has_next: false, has_previous: false },
    },
    'GET /deployments/unpaid-endings': { body: [] },
  };
  const reason = USERS_MESSAGES.view_reads.detail;
  const locked = async (name: string | RegExp) => {
    const [button] = await screen.findAllByRole('button', { name });
    expect([button?.textContent, button?.getAttribute('aria-disabled')]).toEqual([button?.textContent, 'true']);
    await userEvent.hover(button as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(reason);
  };

  it('offers no payment and no other change on the billing page', async () => {
    show(<BillingPage />, BILLING);
    await locked('Add address');
    expect(await screen.findByText(/^No receipts yet/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Pay by card/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('combobox', { name: /statement/i })).not.toBeInTheDocument();
    for (const button of screen.queryAllByRole('button', { name: /^Add \$/ }))
      expect(button).toHaveAttribute('aria-disabled', 'true');
  });

  it('disables changes of the profile, with the reason', async () => {
    show(<AccountPage />);
    await locked('Change Username');
  });

  it('offers no order, neither in the search nor at its address', async () => {
    show(<WizardPage />);
    expect(await screen.findByRole('heading', { name: "You can't order here" })).toBeInTheDocument();
    expect(screen.getByText(reason)).toBeInTheDocument();
  });

  it('disables the buttons of a new dashboard, with the reason', async () => {
    show(<EmptyBoard />, {
      ...BILLING,
      'GET /pricing': { body: {} },
      'GET /deployments/packages': { body: [] },
    });
    await locked(/^(Add funds|Create Deployment)/i);
    expect(screen.queryByRole('button', { name: 'Request Free Credits' })).not.toBeInTheDocument();
  });

  it('contacts no support in the name of the user', async () => {
    show();
    await screen.findByRole('button', { name: 'Stop viewing' });
    expect(screen.queryByRole('button', { name: 'Support' })).not.toBeInTheDocument();
  });

  it('shows why the mailbox is empty', async () => {
    show(<MailboxList />, { 'GET /mailbox': refused(USERS_MESSAGES.view_private, 403, 'FORBIDDEN') });
    expect((await screen.findByRole('alert')).textContent).toContain(USERS_MESSAGES.view_private.detail);
  });

  it('shows the menu of the impersonated user, not that of the administrator', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: /account menu/i }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.queryByRole('menuitem', { name: 'Users' })).not.toBeInTheDocument();
  });
});
