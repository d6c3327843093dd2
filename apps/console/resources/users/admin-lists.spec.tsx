import { describe, expect, it, jest } from '@jest/globals';
import type { AdminUserAnswer, StaleBackupAnswer } from '@moorage/contracts';
import { ACCESS_MESSAGES, BACKUP_MESSAGES } from '@moorage/domain';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { ADMIN, later, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { onPhone } from '../../testing/screen-size';
import DeploymentList from '../admin-deployments/list';
import DeploymentShow from '../admin-deployments/show';
import UserList from './list';
import UserShow from './show';
import { PERSON } from './testing';
import { packageOf } from '../../testing/packages';

const person = (over: Partial<AdminUserAnswer>): AdminUserAnswer => ({
  ...USER,
  total_balance: 39.95,
  active_deployments: 2,
  deactivated_at: null,
  low_balance_days: null,
  ...over,
});
const PEOPLE = [
  person({ id: 1, username: 'erik.kovac', email: 'erik@moorage.example', is_admin: true, balance: 0 }),
  person({ id: 7, balance: 34.996 }),
  person({ id: 18, username: 't.okafor', email: 'tobi@example.net', balance: 0.41, low_balance_days: 1 }),
];
const list = (rows: unknown, total: number) => ({ body: rows, headers: { 'x-total-count': String(total) } });

function show(at: string, replies: Replies, user = ADMIN) {
  return showInConsole(
    <Routes>
      <Route path="/users" element={<UserList />} />
      <Route path="/users/:id/show" element={<UserShow />} />
      <Route path="/admin-deployments" element={<DeploymentList />} />
      <Route path="/admin-deployments/:id/show" element={<DeploymentShow />} />
      <Route path="/dashboard" element={<p>the dashboard</p>} />
    </Routes>,
    { replies, at, user },
  );
}

describe('user list', () => {
  it('shows the specified columns and links to deployments and billing', async () => {
    show('/users', { 'GET /users': list(PEOPLE, 3) });
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['ID', 'Username', 'Email', 'Admin', 'Balance', 'Actions']);
    const row = within(table).getByText('mara.lindqvist').closest('tr') as HTMLElement;
    expect(within(row).getByText('$34.99')).toBeInTheDocument();
    expect(within(row).getByText('View Deployments')).toHaveAttribute('href', '/dashboard?user=mara.lindqvist');
    expect(within(row).getByText('Show Billing')).toHaveAttribute('href', '/billing?user=mara.lindqvist');
    expect(within(table).getByText('erik.kovac').closest('tr')?.textContent).toContain('you');
    expect(within(table).getByText('t.okafor').closest('tr')?.textContent).toContain('ends within 1 d');
    expect(screen.getByText('1 to 3 of 3')).toBeInTheDocument();
  });

  it('searches once, half a second after the last key', async () => {
    const fixture = show('/users', { 'GET /users': list(PEOPLE, 3) });
    await screen.findByRole('table');
    jest.useFakeTimers();
    const field = screen.getByRole('searchbox', { name: 'Search by username, email or ID' });
    const before = fixture.calls.length;
    fireEvent.change(field, { target: { value: 'ma' } });
    act(() => void jest.advanceTimersByTime(300));
    fireEvent.change(field, { target: { value: 'mara' } });
    act(() => void jest.advanceTimersByTime(499));
    expect(fixture.calls).toHaveLength(before);
    // The debounce has ended, and its effects are scheduled one after the other.
    for (let turn = 0; turn < 5; turn += 1) await act(() => jest.advanceTimersByTimeAsync(1));
    jest.useRealTimers();
    await waitFor(() => expect(fixture.calls).toHaveLength(before + 1));
    expect(fixture.calls.at(-1)?.query).toMatchObject({ search: 'mara', page: '1', per_page: '20' });
  });

  it('shows the search text when no user is found', async () => {
    show('/users?filter=%7B%22q%22%3A%22harbor%22%7D', { 'GET /users': list([], 0) });
    expect(await screen.findByText('No user matches "harbor"')).toBeInTheDocument();
  });

  it('shows deactivated users on request', async () => {
    const fixture = show('/users', { 'GET /users': list(PEOPLE, 3) });
    await screen.findByRole('table');
    expect(fixture.calls.at(-1)?.query).not.toHaveProperty('show_deactivated');
    fixture.reply({
      'GET /users': list(
        [person({ username: 'deactivated_24_seaglass', deactivated_at: '2026-11-01T00:00:00.000Z' })],
        1,
      ),
    });
    fireEvent.click(screen.getByRole('switch', { name: 'Show deactivated users' }));
    expect(await screen.findByText('deactivated_24_seaglass')).toBeInTheDocument();
    expect(fixture.calls.at(-1)?.query).toMatchObject({ show_deactivated: 'true' });
    expect(screen.getByText('Deactivated')).toBeInTheDocument();
  });

  it('shows at most five page numbers', async () => {
    const fixture = show('/users', { 'GET /users': list(PEOPLE, 248) });
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    expect(pages.getAllByRole('link').map((link) => link.textContent)).toEqual(['1', '2', '3', '4', '5', '']);
    fireEvent.click(pages.getByRole('link', { name: 'Page 4' }));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ page: '4' }));
    await waitFor(() =>
      expect(
        within(screen.getByRole('navigation', { name: 'Pages' }))
          .getAllByRole('link')
          .map((link) => link.textContent),
      ).toEqual(['', '2', '3', '4', '5', '6', '']),
    );
  });

  it('pages past the last numbered page by cursor links, and back', async () => {
    const answer = (cursors: Readonly<Record<string, string>>) => ({
      body: PEOPLE,
      headers: {
        'x-total-count': '10430',
        'x-total-count-estimated': 'true',
        link: Object.entries(cursors)
          .map(([rel, cursor]) => `</api/users?per_page=20&cursor=${cursor}>; rel="${rel}"`)
          .join(', '),
      },
    });
    const fixture = show('/users?page=500&perPage=20', {
      'GET /users': ({ query }) =>
        query.cursor === undefined
          ? answer({ next: 'second', last: 'end', prev: 'first' })
          : query.cursor === 'second'
            ? answer({ next: 'third', last: 'end', prev: 'back' })
            : answer({ prev: 'back' }),
    });
    const pages = async () => within(await screen.findByRole('navigation', { name: 'Pages' }));
    expect(await screen.findByText('9,981 to 9,983 of about 10,430')).toBeInTheDocument();
    fireEvent.click((await pages()).getByRole('link', { name: 'Next page' }));
    expect(await screen.findByText('10,001 to 10,003 of about 10,430')).toBeInTheDocument();
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toEqual({ cursor: 'second', per_page: '20' }));
    expect(fixture.address()).toContain('cursor=second');
    await waitFor(async () =>
      expect((await pages()).getByRole('link', { name: 'Next page' })).toHaveAttribute(
        'href',
        expect.stringContaining('cursor=third'),
      ),
    );
    fireEvent.click((await pages()).getByRole('link', { name: 'Next page' }));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toEqual({ cursor: 'third', per_page: '20' }));
    await waitFor(async () =>
      expect((await pages()).queryByRole('link', { name: 'Next page' })).not.toBeInTheDocument(),
    );
    fireEvent.click((await pages()).getByRole('link', { name: 'Page 499' }));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ page: '499', per_page: '20' }));
    expect(fixture.address()).not.toContain('cursor');
  });

  it('drops the cursor position with a new search', async () => {
    const fixture = show('/users?page=500&perPage=20&cursor=second&from=10001', { 'GET /users': list(PEOPLE, 10_430) });
    await screen.findByRole('table');
    expect(fixture.calls.at(-1)?.query).toEqual({ cursor: 'second', per_page: '20' });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'mara' } });
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ search: 'mara', page: '1' }));
    expect(fixture.calls.at(-1)?.query).not.toHaveProperty('cursor');
  });

  it('offers 10, 20, 50 and 100 rows', async () => {
    const fixture = show('/users', { 'GET /users': list(PEOPLE, 248) });
    await screen.findByRole('table');
    const rows = screen.getByRole('combobox', { name: /Rows/ });
    expect(
      within(rows)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['10', '20', '50', '100']);
    fireEvent.change(rows, { target: { value: '50' } });
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ per_page: '50', page: '1' }));
  });

  it('shows cards on a phone', async () => {
    onPhone();
    show('/users', { 'GET /users': list(PEOPLE, 3) });
    expect(await screen.findByText('mara.lindqvist')).toBeInTheDocument();
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
  });

  it('shows a load error and retries', async () => {
    const fixture = show('/users', { 'GET /users': { status: 500, body: { detail: 'x' } } });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load users');
    fixture.reply({ 'GET /users': list(PEOPLE, 3) });
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('table')).toBeInTheDocument();
  });
});

describe('administrator without the required two-factor authentication', () => {
  it.each([
    ['/users', 'GET /users'],
    ['/users/7/show', 'GET /users/7'],
    ['/admin-deployments', 'GET /deployments'],
  ])('is notified on %s with a link to the setup', async (at, call) => {
    const { code, facts, detail } = ACCESS_MESSAGES.two_factor_first;
    const refused = { status: 403, body: { detail, code: 'TWO_FACTOR_REQUIRED', message_code: code, facts } };
    show(at, {
      [call]: refused,
      'GET /admin/stale-backups': refused,
    });
    expect((await screen.findByRole('alert')).textContent).toContain(detail);
    expect(screen.getByRole('link', { name: 'Go to two-factor authentication' })).toHaveAttribute(
      'href',
      '/account#two-factor',
    );
  });
});

describe('user without the administrator role', () => {
  it.each(['/users', '/users/7/show', '/admin-deployments', '/admin-deployments/3/show'])(
    'is notified on %s and redirected to the dashboard after two seconds',
    async (at) => {
      const fixture = show(at, {}, USER);
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toBe('Access DeniedYou must be an administrator to view this page.');
      expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
      expect(fixture.address()).toBe(at);
      await waitFor(() => expect(fixture.address()).toBe('/dashboard'), { timeout: 20_000 });
      expect(fixture.calls).toEqual([]);
    },
  );
});

describe('user details', () => {
  it('show what the list knows until the rest has loaded', async () => {
    const details = later({
      body: { ...PERSON, payments: { count: 2, paid: 40, taken_back: 0 } },
    });
    show('/users', { 'GET /users': list(PEOPLE, 3), 'GET /users/7': details.reply });
    fireEvent.click(await screen.findByRole('link', { name: 'mara.lindqvist' }));
    expect(await screen.findByText('Paid so far')).toBeInTheDocument();
    expect(screen.queryByText('$40.00')).not.toBeInTheDocument();
    details.answer();
    expect(await screen.findByText('$40.00')).toBeInTheDocument();
  });

  it('show the balance and the account data', async () => {
    show('/users/7/show', {
      'GET /users/7': {
        body: {
          ...person({}),
          balances: {
            total_balance: 39.95,
            regular_balance: 34,
            referral_credits: 0.96,
            signup_credits: 4.99,
            available_balance: 39.95,
            owed: 0,
          },
          payments: { count: 0, paid: 0, taken_back: 0 },
        },
      },
    });
    expect(await screen.findByRole('heading', { name: 'mara.lindqvist' })).toBeInTheDocument();
    expect(screen.getByText('$39.95')).toBeInTheDocument();
    expect(screen.getByText('mara@northsea.example')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Show Billing' })).toHaveAttribute('href', '/billing?user=mara.lindqvist');
  });

  it('show that an account does not exist', async () => {
    show('/users/99/show', {});
    expect(await screen.findByText('There is no such account.')).toBeInTheDocument();
  });
});

describe('all deployments', () => {
  const DEPLOYMENT = {
    id: 3,
    client_name: 'maralind-pangolin-338851',
    package: 'pangolin',
    cloud_provider: null,
    server_type: 'vps',
    status: 'READY',
    deleted_at: null,
    daily_cost: 0.8544,
    hourly_cost: 0.0356,
    created_at: '2026-11-21T13:22:00.000Z',
    user_id: 7,
    user: { username: 'mara.lindqvist', email: 'mara@northsea.example' },
    support_level: 1,
    failure_reason: null,
    failure: null,
    region: null,
    instance_type: null,
    vps_ip_address: '198.51.100.72',
    instance_ip: null,
    domain: 'harbour.example',
    access_link: 'https://admin.harbour.example',
    ended: null,
    grace_period_ends_at: null,
    worst_incident: null,
  };

  it('show when each ends, by the balance of its owner', async () => {
    const fixture = show('/admin-deployments', {
      'GET /deployments': list(
        [
          DEPLOYMENT,
          { ...DEPLOYMENT, id: 4 },
          { ...DEPLOYMENT, id: 5, grace_period_ends_at: '2026-11-21T15:00:00.000Z' },
          { ...DEPLOYMENT, id: 6, status: 'FAILED', ended: { reason: 'failed', at: '2026-11-20T10:00:00.000Z' } },
          { ...DEPLOYMENT, id: 8, user_id: 9 },
        ],
        5,
      ),
      'GET /admin/balance-ends': {
        body: [
          { user_id: 7, ends_at: '2026-12-02T00:00:00.000Z', stops: [3] },
          { user_id: 9, ends_at: null, stops: [] },
        ],
      },
    });
    await screen.findAllByText(/2 Dec/);
    const ends = screen.getAllByRole('row').slice(1);
    expect(ends.map((row) => within(row).getAllByRole('cell').at(-2)?.textContent)).toEqual([
      'Wed 2 Dec, 00:00 UTC',
      'after Wed 2 Dec, 00:00 UTC',
      'unpaid, Sat 21 Nov, 15:00 UTC',
      'ended Fri 20 Nov, 10:00 UTC',
      'More than ten years',
    ]);
    expect(fixture.requested('GET', '/admin/balance-ends').map(({ query }) => query)).toEqual([{ user_ids: '7,9' }]);
  });

  it('are filtered by state and provider', async () => {
    const fixture = show('/admin-deployments', {
      'GET /deployments': list([DEPLOYMENT], 1),
      'GET /deployments/cloud-providers': { body: [{ name: 'hetzner', display_name: 'Hetzner' }] },
    });
    const last = () => fixture.requested('GET', '/deployments').at(-1)?.query;
    fireEvent.click(await screen.findByRole('button', { name: 'Failed' }));
    await waitFor(() => expect(last()).toMatchObject({ status: 'FAILED' }));
    fireEvent.click(screen.getByRole('button', { name: 'Needs action' }));
    await waitFor(() => expect(last()).toMatchObject({ group: 'needs_you' }));
    expect(last()).not.toHaveProperty('status');
    await screen.findByRole('option', { name: 'Hetzner' });
    fireEvent.change(screen.getByRole('combobox', { name: 'Cloud provider' }), { target: { value: 'hetzner' } });
    await waitFor(() => expect(last()).toMatchObject({ group: 'needs_you', cloud_provider: 'hetzner' }));
    fireEvent.click(screen.getByRole('button', { name: 'All' }));
    await waitFor(() => expect(last()).not.toHaveProperty('group'));
  });

  it('lists deployments newest first, with their owners', async () => {
    const fixture = show('/admin-deployments', {
      'GET /deployments': list([DEPLOYMENT], 1),
      'GET /deployments/packages': { body: [packageOf('pangolin', 'Pangolin')] },
    });
    const row = (await screen.findByText('maralind-pangolin-338851')).closest('tr') as HTMLElement;
    expect(row.textContent).toContain('BYOVPS');
    expect(row.textContent).toContain('$0.85');
    expect(within(row).getByText('mara.lindqvist')).toHaveAttribute('href', '/users/7/show');
    expect(await within(row).findByText('Pangolin')).toBeInTheDocument();
    const requested = fixture.calls.find(({ path }) => path === '/deployments');
    expect(requested?.query).toMatchObject({ sort_by: 'created_at', sort_order: 'desc', per_page: '20' });
  });

  const stale = (rows: readonly Partial<StaleBackupAnswer>[]): Replies => ({
    'GET /deployments': list([], 0),
    'GET /deployments/packages': { body: [packageOf('pangolin', 'Pangolin')] },
    'GET /admin/stale-backups': { body: rows },
  });

  it('shows deployments with outdated backups at the top, with links to their backups', async () => {
    show(
      '/admin-deployments',
      stale([
        {
          deployment_id: 3,
          client_name: 'maralind-pangolin-338851',
          username: 'mara.lindqvist',
          support_level: 2,
          package: 'pangolin',
          cloud_provider: null,
          newest_at: '2026-11-19T03:12:00.000Z',
          failure: BACKUP_MESSAGES.server_silent,
        },
        {
          deployment_id: 4,
          client_name: 'never-once',
          username: 't.okafor',
          package: 'pangolin',
          newest_at: null,
          failure: null,
          cloud_provider: null,
          support_level: 3,
        },
      ]),
    );
    const card = within(await screen.findByRole('region', { name: 'Backups older than 36 hours' }));
    const link = await card.findByRole('link', { name: 'maralind-pangolin-338851' });
    expect(link).toHaveAttribute('href', '/deployments/3/backups');
    const [first, second] = card.getAllByRole('row').slice(1);
    expect(first?.textContent).toContain(
      'mara.lindqvist2Pangolin, BYOVPSThu 19 Nov, 03:12 UTCThe server could not be reached.',
    );
    expect(second?.textContent).toContain('never');
    expect(card.getByText('2 deployments have no copy from the last 36 hours.')).toBeInTheDocument();
  });

  it('shows that no backup is outdated', async () => {
    show('/admin-deployments', stale([]));
    expect(
      await screen.findByText('Every deployment with backups has a copy from the last 36 hours.'),
    ).toBeInTheDocument();
  });

  it('shows a single deployment', async () => {
    show('/admin-deployments/3/show', { 'GET /deployments/3': { body: DEPLOYMENT } });
    expect(await screen.findByRole('heading', { name: 'maralind-pangolin-338851' })).toBeInTheDocument();
    expect(screen.getByText('198.51.100.72')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Backups' })).toHaveAttribute('href', '/deployments/3/backups');
    expect(screen.getByRole('link', { name: 'Open on the dashboard' })).toHaveAttribute(
      'href',
      '/dashboard?deployment=3',
    );
  });
});
