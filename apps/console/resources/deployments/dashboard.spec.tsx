import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeploymentAnswer } from '@moorage/contracts';
import { ORDER_MESSAGES } from '@moorage/domain';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { onNarrowScreen } from '../../testing/screen-size';
import Dashboard from './list';
import { deploymentOf, NOW, repliesFor } from './testing';

const SLOW = { timeout: 10_000 };
const FIRST = deploymentOf();
const SECOND = deploymentOf({ id: 1042, client_name: 'maralind-coolify-871330', package: 'coolify' });
const BOTH = [FIRST, SECOND];

async function show(
  deployments: readonly DeploymentAnswer[],
  { more = {}, user = USER, at = '/dashboard' }: { more?: Replies; user?: typeof USER; at?: string } = {},
) {
  const fixture = showInConsole(<Dashboard />, { replies: repliesFor(deployments, more), at, user });
  await screen.findByRole('heading', { name: 'Manage Resources' }, SLOW);
  if (deployments.length > 0) await screen.findByRole('link', { name: deployments[0]?.client_name ?? '' }, SLOW);
  return fixture;
}

const lists = ({ requested }: Awaited<ReturnType<typeof show>>) =>
  requested('GET', '/deployments').map(({ query }) => query);

describe('deployment list', () => {
  it('loads the newest first, 20 per page', async () => {
    expect(lists(await show(BOTH))[0]).toEqual({
      page: '1',
      per_page: '20',
      sort_by: 'created_at',
      sort_order: 'desc',
    });
  });

  it('shows name, package, provider and region, access link, status and date', async () => {
    await show([FIRST]);
    const row = screen.getByRole('link', { name: FIRST.client_name }).closest('tr') as HTMLElement;
    expect(await within(row).findByText('Pangolin')).toBeInTheDocument();
    expect((await within(row).findAllByText('Hetzner')).length).toBeGreaterThan(0);
    expect(await within(row).findByText('Falkenstein')).toBeInTheDocument();
    expect(within(row).getByRole('link', { name: 'admin.harbour-lights.example' })).toHaveAttribute(
      'href',
      'https://admin.harbour-lights.example',
    );
    expect(within(row).getByRole('link', { name: `Details of ${FIRST.client_name}` })).toBeInTheDocument();
    expect(screen.queryByRole('columnheader', { name: 'Owner' })).not.toBeInTheDocument();
  });

  it("shows the customer's own server as BYOVPS", async () => {
    await show([
      deploymentOf({ server_type: 'vps', cloud_provider: null, region: null, vps_ip_address: '198.51.100.72' }),
    ]);
    expect(screen.getAllByText('BYOVPS').length).toBeGreaterThan(0);
    expect(screen.getByText('198.51.100.72')).toBeInTheDocument();
  });

  it('shows hostile names as text', async () => {
    const client_name = '<img src=x onerror=alert(1)>';
    await show([deploymentOf({ client_name })]);
    expect(screen.getByRole('link', { name: client_name })).toBeInTheDocument();
    expect(document.querySelector('table img')).not.toBeInTheDocument();
  });

  it('searches after half a second without typing', async () => {
    const fixture = await show(BOTH);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search deployments' }), 'harb');
    expect(lists(fixture).some(({ search }) => search !== undefined)).toBe(false);
    await waitFor(
      () =>
        expect(lists(fixture).filter(({ search }) => search !== undefined)).toEqual([
          expect.objectContaining({ search: 'harb', page: '1' }),
        ]),
      SLOW,
    );
  });

  it('shows the search text when nothing is found, and clears it', async () => {
    const fixture = await show(BOTH);
    fixture.reply({
      'GET /deployments': ({ query }) => {
        const body = query.search === undefined ? BOTH : [];
        return { body, headers: { 'x-total-count': String(body.length) } };
      },
    });
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search deployments' }), 'zzz');
    expect(await screen.findByText('No deployment matches "zzz"', undefined, SLOW)).toBeInTheDocument();
    const [, clear] = screen.getAllByRole('button', { name: 'Clear search' });
    await userEvent.click(clear as HTMLElement);
    expect(await screen.findByRole('link', { name: FIRST.client_name }, SLOW)).toBeInTheDocument();
    expect(screen.getByRole('searchbox', { name: 'Search deployments' })).toHaveValue('');
  });

  it('shows the counts of its segments and filters by the pressed segment', async () => {
    const fixture = await show(BOTH, {
      more: { 'GET /deployments/counts': { body: { all: 9, needs_you: 3, in_progress: 5, ready: 1 } } },
    });
    const segments = screen.getByRole('group', { name: 'Filter by state' });
    await waitFor(() =>
      expect(
        within(segments)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      ).toEqual(['All 9', 'Needs you 3', 'In progress 5', 'Ready 1']),
    );
    const needsYou = within(segments).getByRole('button', { name: 'Needs you 3' });
    await userEvent.click(needsYou);
    expect(needsYou).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ group: 'needs_you' }));
  });

  it('pages to first, previous, next and last, with 20, 50 or 100 rows', async () => {
    const fixture = await show(BOTH, {
      more: { 'GET /deployments': { body: BOTH, headers: { 'x-total-count': '45' } } },
    });
    expect(await screen.findByText('1 to 2 of 45')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'First page' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Last page' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ page: '3' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ page: '2' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await userEvent.click(screen.getByRole('button', { name: 'First page' }));
    await waitFor(() => expect(screen.getByText('1 to 2 of 45')).toBeInTheDocument());
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['20', '50', '100']);
    await userEvent.selectOptions(screen.getByRole('combobox'), '50');
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ page: '1', per_page: '50' }));
  });

  it('pages past row 10 000 to the end and back by cursor links', async () => {
    const cursors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      first: { next: 'second', last: 'end' },
      end: { prev: 'nearly' },
      nearly: { prev: 'before', next: 'end', last: 'end' },
    };
    const fixture = await show(BOTH, {
      more: {
        'GET /deployments': ({ query }) => ({
          body: BOTH,
          headers: {
            'x-total-count': '12000',
            'x-total-count-estimated': 'true',
            link: Object.entries(cursors[query.cursor ?? 'first'] ?? {})
              .map(([rel, cursor]) => `</api/deployments?cursor=${cursor}&per_page=20>; rel="${rel}"`)
              .join(', '),
          },
        }),
      },
    });
    expect(await screen.findByText('1 to 2 of about 12,000')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Last page' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ cursor: 'end', per_page: '20' }));
    expect(lists(fixture).at(-1)).not.toHaveProperty('page');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled());
    await userEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ cursor: 'nearly' }));
    await userEvent.click(screen.getByRole('button', { name: 'First page' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'First page' })).toBeDisabled());
    await userEvent.click(screen.getByRole('button', { name: 'Last page' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ cursor: 'end' }));
    await userEvent.click(screen.getByRole('button', { name: 'Needs you 0' }));
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ group: 'needs_you', page: '1' }));
    expect(lists(fixture).at(-1)).not.toHaveProperty('cursor');
  });

  it('shows a load error and reloads on demand', async () => {
    const fixture = await show([], {
      more: { 'GET /deployments': { status: 503, body: { detail: 'Not now.', code: 'SERVICE_UNAVAILABLE' } } },
    });
    expect((await screen.findByRole('alert', undefined, SLOW)).textContent).toContain(
      'Failed to fetch deployments. Not now.',
    );
    fixture.reply({ 'GET /deployments': { body: BOTH, headers: { 'x-total-count': '2' } } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('link', { name: FIRST.client_name })).toBeInTheDocument();
  });

  it('has its final layout while loading', async () => {
    await show([], { more: { 'GET /deployments': () => new Promise(() => undefined) } });
    expect(screen.getByText('Loading deployments...')).toBeInTheDocument();
    expect(document.querySelectorAll('.t-skel > div').length).toBeGreaterThan(3);
  });
});

describe('deployment list of an administrator', () => {
  const withOwner = deploymentOf({ user: { username: 'kit', email: 'kit@example.org' } });

  it('shows the owner of each deployment', async () => {
    await show([withOwner], { user: ADMIN });
    expect(screen.getByRole('columnheader', { name: 'Owner' })).toBeInTheDocument();
    expect(screen.getByText('kit')).toBeInTheDocument();
    expect(screen.getByText('kit@example.org')).toBeInTheDocument();
  });

  it('opens with the deployments of a linked user', async () => {
    const fixture = await show([withOwner], { user: ADMIN, at: '/dashboard?user=kit' });
    expect(screen.getByRole('searchbox', { name: 'Filter by username or email' })).toHaveValue('kit');
    expect(lists(fixture)[0]).toMatchObject({ user: 'kit' });
  });

  it('filters by owner and updates the URL', async () => {
    const fixture = await show([withOwner], { user: ADMIN });
    const field = screen.getByRole('searchbox', { name: 'Filter by username or email' });
    await userEvent.type(field, 'kit');
    await waitFor(() => expect(fixture.address()).toBe('/dashboard?user=kit'), SLOW);
    await waitFor(() => expect(lists(fixture).at(-1)).toMatchObject({ user: 'kit' }));
    await userEvent.clear(field);
    await waitFor(() => expect(fixture.address()).toBe('/dashboard'), SLOW);
  });

  it('is the only list with the owner filter and its parameter', async () => {
    const fixture = await show(BOTH, { at: '/dashboard?user=kit' });
    expect(screen.queryByRole('searchbox', { name: 'Filter by username or email' })).not.toBeInTheDocument();
    expect(lists(fixture)[0]).not.toHaveProperty('user');
  });
});

describe('account without a deployment', () => {
  const enough = { 'GET /billing/balance': { body: { available_balance: 10, regular_balance: 10 } } };
  const board = async () =>
    within((await screen.findByText('Available packages', undefined, SLOW)).closest('section')!);
  const charged = {
    'GET /billing/transactions': {
      body: {
        transactions: [{ date: '2026-11-28', transactions: [{ id: 1, deployment_id: 1053 }] }],
        total_pages: 1,
        current_page: 1,
        has_next: false,
        has_previous: false,
      },
    },
  };

  it('sees three steps, their progress, and the available packages', async () => {
    await show([]);
    expect(await screen.findByText('Three steps to your first deployment', undefined, SLOW)).toBeInTheDocument();
    expect(screen.getByText('verified')).toBeInTheDocument();
    expect(screen.getByText('Add at least $4.99')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing#add');
    await userEvent.click(screen.getByRole('button', { name: 'Request Free Credits' }));
    expect(screen.getByRole('dialog', { name: 'Request Free Credits' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /^Pangolin ?Reach private services/ })).toHaveAttribute(
      'href',
      '/create-deployment?package=pangolin',
    );
    expect(screen.getByRole('link', { name: 'See prices' })).toHaveAttribute('href', '/pricing');
    expect(screen.queryByRole('link', { name: 'Create Deployment' })).not.toBeInTheDocument();
  });

  it.each([
    ['unverified', { ...USER, is_verified: false }, {}, 'Resend Email'],
    ['without funds', USER, {}, 'Add funds'],
    ['with enough funds', USER, enough, 'Create Deployment'],
  ])('has a single filled button: %s', async (_, user, more, label) => {
    await show([], { user, more });
    const filled = (await board()).getAllByText(label).filter((each) => each.closest('.btn.primary') !== null);
    expect(filled).toHaveLength(1);
    expect(document.querySelectorAll('.btn.primary')).toHaveLength(1);
  });

  it('is not greeted as new after its deployments were deleted', async () => {
    await show([], { more: { ...enough, ...charged } });
    expect(await screen.findByText('Create your next deployment', undefined, SLOW)).toBeInTheDocument();
    expect(screen.queryByText('Verify your email')).not.toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Create Deployment' })).toHaveAttribute(
      'href',
      '/create-deployment',
    );
  });
});

describe('window title', () => {
  it('names the dashboard', async () => {
    await show(BOTH);
    expect(document.title).toBe('Dashboard · Moorage');
  });

  it('counts the steps of an open deployment that is being set up', async () => {
    const building = deploymentOf({
      status: 'PROVISIONING',
      progress: { step: 'wait-for-ssh', number: 3, of: 10, action_required: false },
    });
    await show([building], { at: `/dashboard?deployment=${building.id}` });
    await waitFor(() => expect(document.title).toBe(`3/10 · ${building.client_name} · Moorage`));
  });
});

describe('banner for an unverified email', () => {
  const user = { ...USER, is_verified: false };

  it('offers to send another email', async () => {
    await show(BOTH, { user, more: { 'POST /users/resend-verification': { body: { message: 'Sent.' } } } });
    expect(screen.getByText(/Verify your email to create deployments and change your account\./)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Resend Email' }));
    expect(await screen.findByText('Verification email sent')).toBeInTheDocument();
  });

  it('shows why the email could not be sent', async () => {
    const detail = 'Wait a minute before the next mail.';
    await show(BOTH, {
      user,
      more: { 'POST /users/resend-verification': { status: 429, body: { detail, code: 'RATE_LIMITED' } } },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Resend Email' }));
    expect(await screen.findByText(detail)).toBeInTheDocument();
  });

  it('disappears once the email is verified', async () => {
    await show(BOTH);
    expect(screen.queryByText(/Verify your email to create deployments/)).not.toBeInTheDocument();
  });
});

describe('deployment details', () => {
  const heading = (name: string) => screen.findByRole('heading', { name, level: 2 }, SLOW);

  it('open from the URL, which is cleaned afterwards', async () => {
    const fixture = await show(BOTH, { at: '/dashboard?deployment=1042' });
    await heading(SECOND.client_name);
    expect(fixture.address()).toBe('/dashboard');
  });

  it('show that a deployment does not exist', async () => {
    await show(BOTH, { at: '/dashboard?deployment=9' });
    expect(await screen.findByText(/no longer exists/, undefined, SLOW)).toBeInTheDocument();
  });

  it('show that a deployment was deleted, and lead to its activity', async () => {
    const { code, facts, detail } = ORDER_MESSAGES.deployment_deleted({ name: 'Harbour' });
    const body = { code: 'NOT_FOUND', detail, message_code: code, facts };
    await show(BOTH, { at: '/dashboard?deployment=9', more: { 'GET /deployments/9': { status: 404, body } } });
    expect(await screen.findByText('Harbour was deleted.', undefined, SLOW)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See your activity' })).toHaveAttribute(
      'href',
      '/activity?kind=deployments',
    );
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Go to Dashboard' })).not.toBeInTheDocument();
    const alert = within(screen.getByRole('alert'));
    await userEvent.click(alert.getByRole('button', { name: 'Close details' }));
    await waitFor(() => expect(screen.queryByText('Harbour was deleted.')).not.toBeInTheDocument());
  });

  it('keep the focus when the name arrives later than the panel', async () => {
    const elsewhere = deploymentOf({ id: 9, client_name: 'loaded-later' });
    await show(BOTH, { at: '/dashboard?deployment=9', more: { 'GET /deployments/9': { body: elsewhere } } });
    expect(await heading('loaded-later')).toHaveFocus();
  });

  it('take the focus, move with J and K, close with Esc, and return the focus to the row', async () => {
    await show(BOTH);
    await userEvent.click(screen.getByRole('link', { name: FIRST.client_name }));
    const opened = await heading(FIRST.client_name);
    expect(opened).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Previous deployment' })).toBeDisabled();
    await userEvent.keyboard('j');
    await heading(SECOND.client_name);
    await userEvent.keyboard('j');
    await heading(SECOND.client_name);
    await userEvent.keyboard('k');
    await heading(FIRST.client_name);
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('heading', { level: 2, name: FIRST.client_name })).not.toBeInTheDocument(),
    );
    expect(screen.getByRole('link', { name: FIRST.client_name })).toHaveFocus();
  });

  it('ignore letters typed into a field', async () => {
    await show(BOTH, { at: '/dashboard?deployment=1053' });
    await heading(FIRST.client_name);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search deployments' }), 'jk');
    await heading(FIRST.client_name);
  });

  it('close when their deployment has been permanently deleted', async () => {
    const gone = deploymentOf({ status: 'DESTROYED', deleted_at: NOW });
    const fixture = await show([gone, SECOND], { at: '/dashboard?deployment=1053' });
    await heading(gone.client_name);
    fixture.reply({
      'DELETE /deployments/1053': { body: { message: 'Deployment deleted permanently.' } },
      'GET /deployments': { body: [SECOND], headers: { 'x-total-count': '1' } },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await userEvent.type(
      within(await screen.findByRole('alertdialog')).getByRole('textbox'),
      `${gone.client_name}{Enter}`,
    );
    await waitFor(
      () => expect(screen.queryByRole('heading', { level: 2, name: gone.client_name })).not.toBeInTheDocument(),
      SLOW,
    );
    await waitFor(() => expect(screen.getByRole('link', { name: SECOND.client_name })).toHaveFocus(), SLOW);
  });

  it('cover the page as a dialog if there is no room beside the list', async () => {
    onNarrowScreen();
    showInConsole(<Dashboard />, { replies: repliesFor(BOTH), at: '/dashboard?deployment=1042' });
    const dialog = await screen.findByRole('dialog', { name: SECOND.client_name }, SLOW);
    expect(dialog).toHaveAttribute('aria-modal', 'true');
  });
});
