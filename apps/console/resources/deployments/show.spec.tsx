import { beforeEach, describe, expect, it } from '@jest/globals';
import { STEP_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, press, type Replies, USER } from '../../testing/console-fixture';
import { backupsOf, copyOf } from './backups/testing';
import { card, showPage } from './page/testing';
import { deploymentOf, dnsOf, progressOf, stepOf } from './testing';

const NAME = 'maralind-pangolin-915204';
const NOT_FOUND = { status: 404, body: { detail: 'Not found.', code: 'NOT_FOUND' } };
const VIEW = { token: 'a-view', user: USER, expiresAt: '2099-01-01T00:00:00.000Z' };

const tabs = async () => {
  const nav = within(await screen.findByRole('navigation', { name: 'Deployment' }));
  return nav.getAllByRole('link').map(({ textContent }) => textContent);
};

beforeEach(() => localStorage.clear());

describe('page of a deployment', () => {
  it('names it in its header, with its place, one action and a menu', async () => {
    showPage();
    expect(await screen.findByRole('heading', { level: 1, name: NAME })).toBeInTheDocument();
    expect(await screen.findByText('CPX22 at Hetzner, Falkenstein')).toBeInTheDocument();
    const open = await screen.findByRole('link', { name: 'Open' });
    expect(open).toHaveAttribute('href', 'https://admin.harbour-lights.example');
    await press(`Actions for ${NAME}`);
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Restart Stack (Fix SSL)', 'Deactivate', 'Copy link']);
    expect(document.title).toBe(`${NAME} · Moorage`);
  });

  it('shows cost, facts and the last backup first', async () => {
    showPage();
    expect((await card('Cost')).getByText('$0.85 a day')).toBeInTheDocument();
    expect((await card('Details')).getByText('Server address')).toBeInTheDocument();
    expect((await card('Backups')).getByText(/Last backup/)).toBeInTheDocument();
  });

  it.each([
    ['/access', 'Access', 'Addresses', `Access to ${NAME}`],
    ['/backups', 'Backups', 'Copies', `Backups of ${NAME}`],
    ['/metrics', 'Metrics', 'Incidents', `Metrics of ${NAME}`],
    ['/activity', 'Activity', 'Latest run', `Activity of ${NAME}`],
    ['/settings', 'Settings', 'Protection', `Settings of ${NAME}`],
  ])('has at %s the tab %s', async (tab, label, title, window) => {
    showPage({}, { tab });
    await card(title);
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe(label);
    expect(await tabs()).toEqual(['Overview', 'Access', 'Backups', 'Metrics', 'Logs', 'Activity', 'Settings']);
    await waitFor(() => expect(document.title).toBe(`${window} · Moorage`));
  });

  it('keeps the header while the tab changes, and opens tabs by keyboard', async () => {
    const { address } = showPage();
    await card('Cost');
    const heading = screen.getByRole('heading', { level: 1 });
    await userEvent.click(screen.getByRole('link', { name: 'Settings' }));
    await card('Protection');
    expect(screen.getByRole('heading', { level: 1 })).toBe(heading);
    await userEvent.keyboard('gb');
    await card('Copies');
    expect(address()).toBe('/deployments/1053/backups');
    await userEvent.keyboard('xo');
    expect(address()).toBe('/deployments/1053/backups');
  });

  it('is renamed in its header', async () => {
    const { reply, calls } = showPage();
    await press('Rename');
    const renamed = { body: deploymentOf({ client_name: 'Harbour lights', version: 4 }) };
    reply({ 'PUT /deployments/1053/name': renamed, 'GET /deployments/1053': renamed });
    const field = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(field);
    await userEvent.type(field, 'Harbour lights{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Harbour lights' })).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ name: 'Harbour lights' });
  });

  it('says that it does not exist', async () => {
    showPage({}, { more: { 'GET /deployments/1053': NOT_FOUND, 'GET /deployments/1053/backups': NOT_FOUND } });
    expect(
      await screen.findByRole('heading', {
        name: "This deployment doesn't exist, or its backups are no longer stored.",
      }),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
  });

  it('says that it cannot be loaded, and loads it again', async () => {
    const { reply } = showPage({}, { more: { 'GET /deployments/1053': { status: 500, body: {} } } });
    expect((await screen.findByRole('alert')).textContent).toContain('The details could not be loaded.');
    reply({ 'GET /deployments/1053': { body: deploymentOf({ status: 'READY' }) } });
    await press('Try again now');
    await card('Cost');
  });
});

describe('deployment in setup', () => {
  const steps = [stepOf('created', 'done'), stepOf('validate-dns', 'action_required')];
  const more: Replies = {
    'GET /deployments/1053/progress': { body: progressOf(steps) },
    'GET /deployments/1053/dns': { body: dnsOf() },
  };

  it('shows its timeline first, and can be cancelled', async () => {
    showPage({ status: 'PROVISIONING' }, { more });
    expect((await card('Progress')).getByText('Deployment created')).toBeInTheDocument();
    await press('Cancel deployment');
    expect(await screen.findByRole('alertdialog', { name: `Cancel ${NAME}` })).toBeInTheDocument();
  });

  it('says above every tab which records are missing, with a link to them', async () => {
    showPage({ status: 'DNS_FAILED' }, { more, tab: '/settings' });
    expect(await screen.findByText('2 names do not point to your server yet.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('link', { name: 'Show records' }));
    expect((await card('DNS and certificates')).getByText('DNS points to 192.0.2.7')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Show records' })).not.toBeInTheDocument();
  });
});

describe('deployment whose server was lost', () => {
  it('keeps its metrics, which show what came before', async () => {
    const ended = { reason: 'lost', at: '2026-11-21T13:00:00.000Z', due: null, available: null } as const;
    showPage({ status: 'FAILED', ended });
    await card('Cost');
    expect(await tabs()).toContain('Metrics');
  });
});

describe('deployment that is over', () => {
  const OVER = { status: 'DESTROYED', deleted_at: '2026-11-21T13:00:00.000Z' } as const;
  const BACKUPS = 'GET /deployments/1053/backups';

  it('keeps its overview, activity and stored backups, and can be created again', async () => {
    const more = { [BACKUPS]: { body: backupsOf({ copies: [copyOf()], kept_until: '2026-11-28T14:00:00.000Z' }) } };
    showPage(OVER, { more });
    expect((await card('Cost')).getByText('Billing has stopped.')).toBeInTheDocument();
    expect(await tabs()).toEqual(['Overview', 'Backups', 'Activity']);
    expect(await screen.findByRole('button', { name: 'Create again' })).toBeInTheDocument();
  });

  it('has no tab for backups that are not stored', async () => {
    const { address } = showPage(OVER, { more: { [BACKUPS]: { body: backupsOf({ copies: [] }) } }, tab: '/backups' });
    await card('Cost');
    expect(address()).toBe('/deployments/1053');
    expect(await tabs()).toEqual(['Overview', 'Activity']);
  });

  it('leaves a tab that it does not have', async () => {
    const { address } = showPage(OVER, { tab: '/settings' });
    await card('Cost');
    expect(address()).toBe('/deployments/1053');
  });

  it('leaves the page when its entry is deleted', async () => {
    const { address } = showPage(OVER, { more: { 'DELETE /deployments/1053': { body: { message: 'Deleted.' } } } });
    await press(`Actions for ${NAME}`);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await userEvent.type(within(await screen.findByRole('alertdialog')).getByRole('textbox'), `${NAME}{Enter}`);
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });
});

describe('settings of a deployment', () => {
  it('change the name, the lock and the level, and end it', async () => {
    const { calls, reply } = showPage({}, { tab: '/settings' });
    expect((await card('Name')).getByRole('textbox')).toHaveValue(NAME);
    expect((await card('Support level')).getByRole('button', { name: 'Change' })).toBeInTheDocument();
    expect(await (await card('Domains')).findByText('admin.harbour-lights.example')).toBeInTheDocument();
    await userEvent.click((await card('Deletion')).getByRole('button', { name: 'Deactivate' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Keep it' }));
    reply({ 'PUT /deployments/1053/deletion-lock': { body: deploymentOf({ deletion_locked: true, version: 4 }) } });
    await userEvent.click((await card('Protection')).getByRole('switch'));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ locked: true }));
  });

  it('show a new name that was saved in the header, unless another one is being typed', async () => {
    const { reply } = showPage({}, { tab: '/settings' });
    const field = (await card('Name')).getByRole('textbox');
    const rename = async (name: string) => {
      const renamed = { body: deploymentOf({ status: 'READY', client_name: name, version: 4 }) };
      reply({ 'PUT /deployments/1053/name': renamed, 'GET /deployments/1053': renamed });
      await press('Rename');
      await userEvent.keyboard(`${name}{Enter}`);
      await screen.findByRole('heading', { level: 1, name });
    };
    await rename('Harbour lights');
    expect(field).toHaveValue('Harbour lights');
    await userEvent.type(field, ' of home');
    await rename('North sea');
    expect(field).toHaveValue('Harbour lights of home');
  });

  it('explain what prevents the deletion', async () => {
    showPage({ deletion_locked: true }, { tab: '/settings' });
    expect((await card('Deletion')).getByRole('button', { name: 'Deactivate' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  it('offer an account without a verified email only what it may do', async () => {
    showPage({}, { tab: '/settings', user: { ...USER, is_verified: false } });
    expect((await card('Name')).queryByRole('textbox')).not.toBeInTheDocument();
    expect((await card('Support level')).queryByRole('button')).not.toBeInTheDocument();
    expect((await card('Protection')).getByRole('switch')).toHaveAttribute('aria-disabled', 'true');
    expect((await card('Deletion')).getByRole('button', { name: 'Deactivate' })).not.toHaveAttribute('aria-disabled');
    expect(screen.getByRole('button', { name: 'Resend Email' })).toBeInTheDocument();
  });
});

describe('activity of a deployment', () => {
  it('shows the steps of the latest run on request', async () => {
    const body = progressOf([stepOf('restart-stack', 'done', { ended_at: '2026-11-21T11:36:21.000Z' })], {
      run: 'restart',
      status: 'READY',
    });
    showPage({}, { tab: '/activity', more: { 'GET /deployments/1053/progress': { body } } });
    expect((await card('Latest run')).getByText('Restart: ended on 21 Nov 2026, 11:36:21 UTC.')).toBeInTheDocument();
    await press('Show steps');
    expect(await screen.findByText('Package restarted')).toBeInTheDocument();
    await press('Hide steps');
    expect(screen.queryByText('Package restarted')).not.toBeInTheDocument();
  });

  it('says that the latest run failed, and why', async () => {
    const ended = { ended_at: '2026-11-21T11:36:21.000Z', message: STEP_MESSAGES.cloud_capacity_now };
    const body = progressOf([stepOf('start-server', 'failed', ended)], { run: 'undo-update', status: 'READY' });
    showPage({}, { tab: '/activity', more: { 'GET /deployments/1053/progress': { body } } });
    const latest = await card('Latest run');
    expect(latest.getByText(/: failed on/)).toHaveTextContent(
      `Undo of the update: failed on 21 Nov 2026, 11:36:21 UTC. ${STEP_MESSAGES.cloud_capacity_now.detail}`,
    );
  });

  it('shows what happened to this deployment, newest first, with a link to all activity', async () => {
    const entry = {
      ...{ id: 2, at: '2026-11-25T08:00:00.000Z', by: 'you', token: null, reason: null },
      ...{ ip_address: '203.0.113.9', browser: 'Firefox', system: 'Linux' },
      what: { code: 'history.deployment_renamed', facts: {}, detail: 'You renamed it.' },
      deployment: { id: 1053, name: NAME },
    };
    const body = { activity: [entry], current_page: 1, total_pages: 1, has_next: false, has_previous: false };
    const { requested } = showPage({}, { tab: '/activity', more: { 'GET /users/self/activity': { body } } });
    const history = await card('What happened');
    expect(await history.findByRole('row', { name: /Firefox/ })).toBeInTheDocument();
    expect(history.getByRole('link', { name: 'All activity' })).toHaveAttribute('href', '/activity?kind=deployments');
    expect(requested('GET', '/users/self/activity').map(({ query }) => query['deployment_id'])).toEqual(['1053']);
  });
});

describe('page seen by an administrator', () => {
  it('has no activity, which belongs to the owner', async () => {
    const { calls } = showPage({ user_id: 99 }, { tab: '/activity', user: ADMIN });
    await card('Latest run');
    expect(screen.queryByRole('heading', { name: 'What happened' })).not.toBeInTheDocument();
    expect(calls.some(({ path }) => path === '/users/self/activity')).toBe(false);
  });

  it('has no button that cannot work while the account is viewed', async () => {
    showPage({ sign_in: [] }, { tab: '/settings', user: ADMIN, impersonation: VIEW });
    await card('Support level');
    expect(screen.queryByRole('button', { name: `Actions for ${NAME}` })).not.toBeInTheDocument();
    expect(within(screen.getByRole('main')).queryAllByRole('button')).toEqual([]);
    await userEvent.click(screen.getByRole('link', { name: 'Access' }));
    await card('Addresses');
    expect(screen.queryByRole('button', { name: 'Show secrets' })).not.toBeInTheDocument();
  });
});
