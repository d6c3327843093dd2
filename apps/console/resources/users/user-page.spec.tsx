import { describe, expect, it } from '@jest/globals';
import { type Message, USERS_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { runwayOf, topUpOf } from '../../pages/billing/testing';
import { ADMIN, type Replies, showInConsole } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { MAIL, PAGE, PARTS, PERSON } from './testing';
import UserShow from './show';

const show = (more: Replies = {}, at = '/users/7/show') =>
  showInConsole(
    <Routes>
      <Route path="/users/:id/show" element={<UserShow />} />
    </Routes>,
    { replies: { ...PAGE, ...more }, at, user: ADMIN },
  );
const card = async (name: string) => within(await screen.findByRole('region', { name }));
const rows = async (name: string, count: number): Promise<string[]> => {
  const region = await card(name);
  await waitFor(() => expect(region.getAllByRole('row')).toHaveLength(count + 1));
  return region
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '');
};
const sent = ({ code, facts, detail }: Message) => ({ body: { message: detail, code, facts } });

describe('user page', () => {
  it('shows the user, the balance and the last activity', async () => {
    show();
    expect(await screen.findByRole('heading', { name: 'mara.lindqvist' })).toBeInTheDocument();
    for (const text of ['$39.95', 'mara@northsea.example', 'English', 'Off'])
      expect(screen.getByText(text)).toBeInTheDocument();
    const activity = screen.getByText('Last activity').nextElementSibling as HTMLElement;
    await waitFor(() => expect(activity.textContent).toBe('Sat 21 Nov, 08:00 UTC'));
    expect(screen.getByRole('link', { name: 'Show Billing' })).toHaveAttribute('href', '/billing?user=mara.lindqvist');
    expect(screen.getByRole('link', { name: 'View Deployments' })).toHaveAttribute(
      'href',
      '/dashboard?user=mara.lindqvist',
    );
    for (const tag of ['Admin', 'Deactivated', 'Unverified', 'you'])
      expect(screen.queryByText(tag)).not.toBeInTheDocument();
  });

  it('shows the newest deployments with links to each and to all', async () => {
    const fixture = show();
    expect(await rows('Deployments', 1)).toEqual(['maralind-pangolin-338851pangolinReady$0.85']);
    const deployments = await card('Deployments');
    expect(deployments.getByRole('link', { name: 'maralind-pangolin-338851' })).toHaveAttribute(
      'href',
      '/admin-deployments/3/show',
    );
    expect(deployments.getByRole('link', { name: 'All deployments of mara.lindqvist' })).toHaveAttribute(
      'href',
      '/dashboard?user=mara.lindqvist',
    );
    expect(fixture.calls.find(({ path }) => path === '/users/7/deployments')?.query).toEqual({ per_page: '10' });
  });

  it('shows the card for automatic top-up and turns automatic top-up off with a reason', async () => {
    const on = topUpOf({ enabled: true });
    const off = topUpOf({ off_reason: 'administrator' });
    const fixture = show({
      'GET /billing/admin/users/7/automatic-top-up': { body: on },
      'POST /billing/admin/users/7/automatic-top-up/stop': { body: off },
    });
    const automatic = await card('Automatic top-up');
    expect(await automatic.findByText('On')).toBeInTheDocument();
    expect(automatic.getByText('Visa 4242')).toBeInTheDocument();
    await userEvent.click(automatic.getByRole('button', { name: 'Turn off' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByRole('button', { name: 'Turn off' })).toBeDisabled();
    await userEvent.type(dialog.getByLabelText('Reason'), 'You asked us to.');
    fixture.reply({ 'GET /billing/admin/users/7/automatic-top-up': { body: off } });
    await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await automatic.findByText('Turned off by an administrator.')).toBeInTheDocument();
    expect(fixture.calls.find(({ path }) => path.endsWith('/stop'))?.body).toEqual({ reason: 'You asked us to.' });
  });

  it('shows credits and the newest days of transactions, with a link to the rest', async () => {
    const fixture = show();
    const credits = await card('Credits');
    expect(await credits.findByText('Signup credit')).toBeInTheDocument();
    expect(credits.getByText(/\$4\.99/)).toBeInTheDocument();
    const transactions = await card('Latest transactions');
    expect(await transactions.findByRole('heading', { name: /^Fri 20 Nov 2026/ })).toBeInTheDocument();
    expect(transactions.getByRole('link', { name: 'All transactions of mara.lindqvist' })).toHaveAttribute(
      'href',
      '/billing?user=mara.lindqvist',
    );
    expect(fixture.calls.find(({ path }) => path === '/billing/admin/transactions')?.query).toEqual({
      page: '1',
      days_per_page: '5',
      user: 'mara.lindqvist',
    });
  });

  it('shows sent and pending emails', async () => {
    show();
    expect(await rows('Emails', 2)).toEqual([
      'WelcomeFri 20 Nov, 10:00 UTCWaiting',
      'Payment receivedFri 20 Nov, 10:00 UTCFri 20 Nov, 10:00 UTC',
    ]);
  });

  it('links to its conversations with support', async () => {
    show();
    const support = await card('Support');
    const subject = await support.findByRole('link', { name: 'My domain' });
    expect(subject).toHaveAttribute('href', '/support-inbox/2');
    expect(subject.closest('li')?.textContent).toContain('It does not answer.\nWhat can I do?');
    expect(support.getByRole('link', { name: 'Support inbox of mara.lindqvist' })).toHaveAttribute(
      'href',
      '/support-inbox?filter=%7B%22user_id%22%3A%227%22%7D',
    );
  });

  it('shows actions on the account, their actor and the deployment', async () => {
    show();
    expect(await rows('History', 2)).toEqual([
      'Console viewed by an administrator: ticket 12erik.kovac 203.0.113.4Wed 18 Nov, 10:00 UTC',
      'Server confirmed as lost, Deployment 3SystemTue 17 Nov, 10:00 UTC',
    ]);
    const history = await card('History');
    expect(history.getByRole('link', { name: 'erik.kovac' })).toHaveAttribute('href', '/users/1/show');
    expect(history.getByRole('link', { name: 'Deployment 3' })).toHaveAttribute('href', '/admin-deployments/3/show');
  });

  it('shows the newest ten rows of a long list, and all on request', async () => {
    const mails = Array.from({ length: 23 }, (_, index) => ({ ...MAIL, id: 100 - index }));
    show({ 'GET /users/7/mails': { body: mails } });
    await rows('Emails', 10);
    await userEvent.click(screen.getByRole('button', { name: 'Show all (23)' }));
    await rows('Emails', 23);
    await userEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
    await rows('Emails', 10);
  });

  it('shows an empty message in each section', async () => {
    const empty = Object.fromEntries(Object.keys(PARTS).map((call) => [call, { body: [] }]));
    show({
      ...empty,
      'GET /billing/admin/transactions': { body: { transactions: [] } },
      'GET /billing/admin/users/7/automatic-top-up': { body: topUpOf({ card: null }) },
    });
    for (const text of [
      'This account has no deployments.',
      'This account has no credits.',
      'No card is saved.',
      'This account has no transactions.',
      'This account is not logged in anywhere.',
      'No emails were sent to this account.',
      'This account has not contacted support.',
      'No administrator activity yet.',
    ])
      expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByText('Last activity').nextElementSibling?.textContent).toBe('Unknown');
    expect(screen.queryByRole('button', { name: 'Log out everywhere' })).not.toBeInTheDocument();
  });
});

describe('section that fails to load', () => {
  it.each([
    ['GET /users/7/deployments', 'Failed to load the deployments'],
    ['GET /users/7/credits', 'Failed to load the credits'],
    ['GET /billing/admin/transactions', 'Failed to load the transactions'],
    ['GET /users/7/sessions', 'Failed to load the sessions'],
    ['GET /users/7/mails', 'Failed to load the emails'],
    ['GET /users/7/support-messages', 'Failed to load the support messages'],
    ['GET /users/7/history', 'Failed to load the history'],
  ] as const)('%s: shows the error in its own card and retries', async (call, failed) => {
    const fixture = show({ [call]: { status: 500, body: { detail: 'x' } } });
    expect((await screen.findByRole('alert')).textContent).toBe(failed);
    fixture.reply({ [call]: PARTS[call] });
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    await waitFor(() => expect(screen.queryByText(failed)).not.toBeInTheDocument());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('ending all sessions of a user', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere' }));
    return within(await screen.findByRole('alertdialog', { name: 'Log mara.lindqvist out everywhere?' }));
  };

  it('asks for confirmation, reports success and reloads', async () => {
    const { calls, reply } = show({
      'DELETE /users/7/sessions': sent(USERS_MESSAGES.sessions_ended({ name: 'mara.lindqvist' })),
    });
    const dialog = await open();
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    reply({ 'GET /users/7/sessions': { body: [] } });
    await userEvent.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    expect(await screen.findByText('mara.lindqvist was logged out everywhere.')).toBeInTheDocument();
    expect(await screen.findByText('This account is not logged in anywhere.')).toBeInTheDocument();
    await waitFor(() => expect(calls.filter(({ path }) => path === '/users/7/history')).toHaveLength(2));
  });

  it('shows why it failed', async () => {
    show({ 'DELETE /users/7/sessions': { status: 403, body: { detail: 'Not now.', code: 'FORBIDDEN' } } });
    await userEvent.click((await open()).getByRole('button', { name: 'Log out everywhere' }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
  });

  it('can be cancelled', async () => {
    const { calls } = show();
    await userEvent.click((await open()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  });
});

describe('account state', () => {
  const of = (over: Partial<typeof PERSON>) => ({ 'GET /users/7': { body: { ...PERSON, ...over } } });

  it('shows how long the balance lasts and what was paid so far', async () => {
    show({ 'GET /users/7/runway': { body: runwayOf({ ends_at: '2026-12-09T00:00:00.000Z', daily_cost: 6.83 }) } });
    const row = async (label: string) => (await screen.findByText(label)).nextElementSibling;
    await waitFor(async () =>
      expect((await row('Balance lasts until'))?.textContent).toBe('Wed 9 Dec, 00:00 UTC at $6.83 a day'),
    );
    expect((await row('Paid so far'))?.textContent).toBe('$80.00 3 payments, $5.00 taken back');
    expect(screen.getByRole('link', { name: '3 payments' })).toHaveAttribute(
      'href',
      '/payments?filter=%7B%22q%22%3A%22mara.lindqvist%22%7D',
    );
  });

  it('shows since when the account is deactivated and offers no impersonation', async () => {
    show(of({ username: 'deactivated_7_mara', deactivated_at: '2026-11-01T08:00:00.000Z' }));
    expect(await screen.findByText('This account was deactivated on 1 Nov 2026.')).toBeInTheDocument();
    expect(screen.getByText('Deactivated')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'View as' })).not.toBeInTheDocument();
  });

  it('tags an unverified administrator and offers no impersonation', async () => {
    show(of({ is_admin: true, is_verified: false }));
    expect(await screen.findByText('Unverified')).toBeInTheDocument();
    expect(screen.getAllByText('Admin')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'View as' })).not.toBeInTheDocument();
  });

  it('marks the own account and offers no impersonation', async () => {
    show({ 'GET /users/1': { body: { ...PERSON, id: 1, username: 'erik.kovac' } } }, '/users/1/show');
    expect(await screen.findByText('you')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'View as' })).not.toBeInTheDocument();
  });

  it('shows that the address bounces', async () => {
    show({
      ...of({ email_undeliverable: true }),
      'GET /users/7/mails': {
        body: [
          { ...MAIL, id: 13, sent_at: null, given_up_at: MAIL.created_at, is_refused: true },
          { ...MAIL, id: 12, sent_at: null, given_up_at: MAIL.created_at },
        ],
      },
    });
    expect(await screen.findByText('Emails to this address are rejected')).toBeInTheDocument();
    expect(await screen.findByText('Address rejected')).toBeInTheDocument();
    expect(screen.getByText('Not sent')).toBeInTheDocument();
  });

  it('shows two-factor authentication and a pending address', async () => {
    show(of({ has_two_factor: true, pending_email: 'mara@new.example', language: 'de' }));
    for (const text of ['On', 'mara@new.example', 'Deutsch']) expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

describe('German console', () => {
  it('names emails and actions in German', async () => {
    await showLocale('de', { persist: false });
    show();
    expect(await rows('E-Mails', 2)).toEqual([
      expect.stringMatching(/^Willkommen.*Wartet$/),
      expect.stringMatching(/^Zahlung eingegangen/),
    ]);
    expect((await rows('Verlauf', 2))[0]).toMatch(/^Konsole von einem Administrator angesehen: ticket 12/);
  });
});
