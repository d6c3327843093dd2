import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import './search-dialog';
import { ConsoleBar } from '../layout/console-bar';
import { runwayOf } from '../../pages/billing/testing';
import { storeRecent } from '../../data/recent';
import { deploymentOf } from '../../resources/deployments/testing';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { onNarrowScreen } from '../../testing/screen-size';
import { packageOf } from '../../testing/packages';

const HARBOUR = deploymentOf({ id: 1053, client_name: 'maralind-pangolin-915204', domain: 'harbour.example' });
const LIGHTS = deploymentOf({ id: 1042, client_name: 'maralind-coolify-871330', status: 'FAILED' });
const KIT = {
  ...USER,
  id: 31,
  username: 'kit',
  email: 'kit@example.org',
  total_balance: 0,
  active_deployments: 0,
  deactivated_at: null,
  low_balance_days: null,
};
const REPLIES: Replies = {
  'GET /billing/runway': { body: runwayOf() },
  'GET /deployments/packages': { body: [packageOf('pangolin', 'Pangolin')] },
  'GET /deployments': ({ query }) => ({
    body: query.id === '1042' ? [LIGHTS] : query.id === undefined ? [HARBOUR] : [],
  }),
};

async function show({ user = USER, replies = {} }: { user?: typeof USER; replies?: Replies } = {}) {
  const fixture = showInConsole(<ConsoleBar />, { replies: { ...REPLIES, ...replies }, at: '/billing', user });
  await screen.findByRole('button', { name: /Search or jump to/ });
  return fixture;
}
async function openSearch(): Promise<HTMLElement> {
  await userEvent.keyboard('{Control>}k{/Control}');
  return screen.findByRole('dialog', { name: 'Search and jump' });
}
const field = () => screen.getByRole('combobox', { name: 'Search and jump' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const chosen = (): string | null => {
  const id = field().getAttribute('aria-activedescendant') ?? '';
  return id === '' ? null : (document.getElementById(id)?.textContent ?? null);
};
const searches = ({ calls }: Awaited<ReturnType<typeof show>>) =>
  calls.filter(({ path }) => path === '/deployments' || path === '/users').map(({ path, query }) => [path, query]);

describe('search dialog', () => {
  it('opens with Ctrl K and its button, takes the focus, and closes with Esc or Ctrl K', async () => {
    await show();
    await openSearch();
    expect(field()).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const button = screen.getByRole('button', { name: /Search or jump to/ });
    await userEvent.click(button);
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(button).toHaveFocus();
  });

  it('regains the focus after something behind it took it', async () => {
    await show();
    await openSearch();
    act(() => screen.getByRole('link', { name: 'Billing', hidden: true }).focus());
    await waitFor(() => expect(field()).toHaveFocus());
  });

  it('ignores other keys and an open menu', async () => {
    await show();
    await userEvent.keyboard('k{Control>}{Shift>}k{/Shift}{/Control}');
    await userEvent.click(screen.getByRole('button', { name: /account menu/ }));
    await screen.findByRole('menu');
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows recent items and pages for an empty query, with the first selected', async () => {
    const fixture = await show();
    storeRecent({ kind: 'deployment', id: 1042, name: LIGHTS.client_name });
    storeRecent({ kind: 'user', id: 31, name: 'kit' });
    await openSearch();
    expect(options()).toEqual([
      'kit#31',
      'maralind-coolify-871330#1042',
      'Create Deployment',
      'Dashboard',
      'Billing',
      'Account',
      'Activity',
      'Referrals',
      'Support',
    ]);
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby'))).toEqual([
      'finder-recent',
      'finder-screens',
    ]);
    expect(chosen()).toBe('kit#31');
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toBe('maralind-coolify-871330#1042');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(fixture.address()).toBe('/deployments/1042'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(searches(fixture)).toEqual([]);
  });

  it('opens a page at once without a request', async () => {
    const fixture = await show();
    await openSearch();
    await userEvent.keyboard('crea');
    expect(options()).toEqual(['Create Deployment']);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(fixture.address()).toBe('/create-deployment'));
  });

  it('searches after typing pauses and shows progress and the number of results', async () => {
    const fixture = await show();
    const dialog = await openSearch();
    await userEvent.keyboard('harbour');
    expect(options()).toEqual([]);
    expect(within(dialog).getByRole('status').textContent).toBe('Searching...');
    expect(searches(fixture)).toEqual([]);
    const option = await screen.findByRole('option', { name: /maralind-pangolin-915204/ });
    expect(option.textContent).toBe('maralind-pangolin-915204#1053, harbour.exampleReady');
    expect(searches(fixture)).toEqual([['/deployments', { search: 'harbour', page: '1', per_page: '6' }]]);
    expect(within(dialog).getByRole('status').textContent).toBe('1 result');
    await userEvent.click(option);
    await waitFor(() => expect(fixture.address()).toBe('/deployments/1053'));
  });

  it('finds a deployment by its number', async () => {
    const fixture = await show({
      replies: {
        'GET /deployments': ({ query }) => ({ body: query.id === '1042' ? [LIGHTS] : [] }),
      },
    });
    await openSearch();
    await userEvent.keyboard('#1042');
    expect((await screen.findByRole('option', { name: /#1042/ })).textContent).toContain('Failed');
    expect(searches(fixture)[0]).toEqual(['/deployments', { id: '1042', page: '1', per_page: '6' }]);
  });

  it('finds users for administrators, and sends that request for no other user', async () => {
    const fixture = await show({
      user: ADMIN,
      replies: { 'GET /deployments': { body: [] }, 'GET /users': { body: [KIT] } },
    });
    await openSearch();
    await userEvent.keyboard('kit@');
    await userEvent.click(await screen.findByRole('option', { name: /kit/ }));
    await waitFor(() => expect(fixture.address()).toBe('/users/31/show'));
    expect(searches(fixture).map(([path]) => path)).toEqual(['/deployments', '/users']);
  });

  it('offers administrators their own pages', async () => {
    await show({ user: ADMIN });
    await openSearch();
    expect(options()).toEqual([
      'Create Deployment',
      'Operations',
      'All Deployments',
      'Users',
      'Payments',
      'Support Inbox',
      'Dashboard',
      'Billing',
      'Account',
      'Activity',
      'Referrals',
      'Support',
      'Referral Management',
      'Providers',
      'Incidents',
      'Releases',
    ]);
  });

  it('shows the search text when nothing is found', async () => {
    await show({ replies: { 'GET /deployments': { body: [] } } });
    await openSearch();
    await userEvent.keyboard('zzz');
    expect(await screen.findByText('No results for "zzz"')).toBeInTheDocument();
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  });

  it('shows why a search failed and repeats it on demand', async () => {
    const fixture = await show({
      replies: { 'GET /deployments': { status: 503, body: { detail: 'Not now.', code: 'SERVICE_UNAVAILABLE' } } },
    });
    await openSearch();
    await userEvent.keyboard('harbour');
    expect((await screen.findByRole('alert')).textContent).toContain('The search failed. Not now.');
    fixture.reply(REPLIES);
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('option', { name: /maralind-pangolin-915204/ })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('shows hostile names as text', async () => {
    const client_name = '<img src=x onerror=alert(1)>';
    await show({ replies: { 'GET /deployments': { body: [deploymentOf({ client_name })] } } });
    await openSearch();
    await userEvent.keyboard('img');
    expect((await screen.findByRole('option')).textContent).toContain(client_name);
    expect(document.querySelector('[role="option"] img')).not.toBeInTheDocument();
  });

  it('moves into the menu when the bar has no room', async () => {
    onNarrowScreen();
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/billing' });
    await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
    expect(screen.queryByRole('button', { name: /Search or jump to/ })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Search and jump' }));
    await screen.findByRole('dialog', { name: 'Search and jump' });
    expect(field()).toHaveFocus();
  });
});
