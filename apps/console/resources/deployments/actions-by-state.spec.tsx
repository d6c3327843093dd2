import { describe, expect, it } from '@jest/globals';
import { DEPLOYMENT_STATUSES, lockedReason } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, press, type Replies, settingsOf, showInConsole, USER } from '../../testing/console-fixture';
import { deploymentsTexts } from '@moorage/texts/en/console/deployments';
import Dashboard from './list';
import { deploymentOf, repliesFor } from './testing';

const NAME = 'maralind-pangolin-915204';
const ENDED = '2026-11-20T10:00:00.000Z';

async function show(over: Parameters<typeof deploymentOf>[0], more: Replies = {}, user = USER) {
  const fixture = showInConsole(<Dashboard />, {
    replies: repliesFor([deploymentOf(over)], more),
    at: '/dashboard',
    user,
  });
  await screen.findByRole('link', { name: NAME }, { timeout: 10_000 });
  return fixture;
}

const opener = (): HTMLElement => screen.getByRole('button', { name: `Actions for ${NAME}` });

async function openMenu(): Promise<string[]> {
  await userEvent.click(opener());
  const menu = await screen.findByRole('menu');
  const items = within(menu)
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent);
  expect(items.pop()).toBe('Copy link');
  return items;
}

const row = (): HTMLElement => screen.getByRole('link', { name: NAME }).closest('tr') as HTMLElement;

describe('deployment in the list', () => {
  it.each([
    ['CREATING', 'Creating...'],
    ['PROVISIONING', 'Provisioning...'],
    ['ACTIVE', 'Ready'],
    ['DNS_VALIDATION', 'Validating DNS...'],
    ['READY', 'Ready'],
    ['DNS_FAILED', 'DNS Setup Required'],
    ['RESTARTING', 'Restarting...'],
    ['DESTROYING', 'Deactivating...'],
    ['FAILED', 'Failed'],
    ['DESTROYED', 'Destroyed'],
  ] as const)('in state %s is labelled %s', async (status, label) => {
    await show({ status });
    expect(within(row()).getByText(label)).toBeInTheDocument();
  });

  it('is labelled with an alarm in place of Ready', async () => {
    await show({ status: 'READY', worst_incident: { kind: 'down', severity: 'alarm' } });
    expect(within(row()).getByText('Not responding').closest('.st')).toHaveClass('fail');
    expect(within(row()).queryByText('Ready')).not.toBeInTheDocument();
  });

  it('is labelled with a warning beside Ready', async () => {
    await show({ status: 'READY', worst_incident: { kind: 'disk_filling', severity: 'warning' } });
    expect(within(row()).getByText('Ready')).toBeInTheDocument();
    expect(within(row()).getByText('Disk filling up')).toHaveClass('tag');
  });

  it('is labelled with its status, not with an incident, while it restarts', async () => {
    await show({ status: 'RESTARTING', worst_incident: { kind: 'down', severity: 'alarm' } });
    expect(within(row()).getByText('Restarting...')).toBeInTheDocument();
    expect(within(row()).queryByText('Not responding')).not.toBeInTheDocument();
  });

  it('is labelled Disabled when it has deleted_at, in any status', async () => {
    await show({ status: 'DESTROYED', deleted_at: ENDED });
    expect(within(row()).getByText('Disabled')).toBeInTheDocument();
    expect(within(row()).queryByText('Destroyed')).not.toBeInTheDocument();
  });

  it('shows the current step and that its owner has to act', async () => {
    await show({ status: 'CREATING', progress: { step: 'wait-for-ssh', number: 3, of: 9, action_required: true } });
    expect(within(row()).getByText('3 of 9')).toBeInTheDocument();
    expect(within(row()).getByText('your turn')).toBeInTheDocument();
  });

  it('shows an administrator that the owner has to act, not the administrator', async () => {
    await show({
      status: 'CREATING',
      user_id: 99,
      progress: { step: 'wait-for-ssh', number: 3, of: 9, action_required: true },
    });
    expect(within(row()).getByText("owner's turn")).toBeInTheDocument();
    expect(within(row()).queryByText('your turn')).not.toBeInTheDocument();
  });
});

describe('deployment actions', () => {
  it.each([
    ['CREATING', 'Cannot modify during provisioning'],
    ['PROVISIONING', 'Cannot modify during provisioning'],
    ['DNS_VALIDATION', 'Cannot modify during provisioning'],
    ['RESTARTING', 'Cannot modify during provisioning'],
    ['DESTROYING', 'Cannot modify during deactivation'],
  ] as const)('are disabled but focusable in state %s with the reason: %s', async (status, reason) => {
    await show({ status });
    expect(opener()).toHaveAttribute('aria-disabled', 'true');
    for (let tabs = 0; tabs < 30 && document.activeElement !== opener(); tabs += 1) await userEvent.tab();
    expect(opener()).toHaveFocus();
    expect((await screen.findByRole('tooltip')).textContent).toBe(reason);
    await userEvent.click(opener());
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
  });

  it.each([
    ['ACTIVE', ['Restart Stack (Fix SSL)', 'Deactivate']],
    ['READY', ['Restart Stack (Fix SSL)', 'Deactivate']],
    ['DNS_FAILED', ['Retry DNS Validation', 'Deactivate']],
    ['FAILED', ['Delete (permanent)']],
    ['DESTROYED', ['Delete']],
  ] as const)('in state %s are %j', async (status, labels) => {
    await show({ status });
    expect(await openMenu()).toEqual(labels);
  });

  it('are only Delete when it has deleted_at', async () => {
    await show({ status: 'DESTROYED', deleted_at: ENDED });
    expect(await openMenu()).toEqual(['Delete']);
  });

  it('explain where a verified email is required, while deactivating stays possible', async () => {
    await show({ status: 'READY' }, {}, { ...USER, is_verified: false });
    await openMenu();
    const restart = screen.getByRole('menuitem', { name: 'Restart Stack (Fix SSL)' });
    expect(restart).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('menuitem', { name: 'Deactivate' })).not.toHaveAttribute('aria-disabled');
  });

  it('are disabled with the exact messages of the rules', () => {
    const reasons = DEPLOYMENT_STATUSES.map(lockedReason).filter((reason) => reason !== null);
    expect(new Set(reasons.map(({ detail }) => detail))).toEqual(
      new Set([deploymentsTexts.locked.provisioning, deploymentsTexts.locked.deactivation]),
    );
  });
});

describe('retry and restart', () => {
  it('start the retry, report it, and show the new status at once', async () => {
    const { calls } = await show(
      { status: 'DNS_FAILED' },
      { 'POST /deployments/1053/retry-dns-validation': { body: deploymentOf({ status: 'DNS_VALIDATION' }) } },
    );
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Retry DNS Validation' }));
    expect(
      await screen.findByText('DNS validation retry initiated. The deployment status will update shortly.'),
    ).toBeInTheDocument();
    expect(within(row()).getByText('Validating DNS...')).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('report that the retry failed', async () => {
    await show({ status: 'DNS_FAILED' }, { 'POST /deployments/1053/retry-dns-validation': { status: 500, body: {} } });
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Retry DNS Validation' }));
    expect(await screen.findByText('Failed to retry DNS validation. Please try again.')).toBeInTheDocument();
  });

  const detail = 'Wait 12 minutes before you restart again.';
  it.each([
    [429, { detail, code: 'RATE_LIMITED' }, detail],
    [500, {}, 'Failed to restart deployment. Please try again.'],
  ])('report in the dialog why the restart failed (%d)', async (status, body, words) => {
    await show({ status: 'READY' }, { 'POST /deployments/1053/restart': { status, body } });
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Restart Stack (Fix SSL)' }));
    await press('Restart', within(await screen.findByRole('alertdialog')));
    expect(await within(screen.getByRole('alertdialog')).findByText(words)).toBeInTheDocument();
  });

  it('restart the stack and state the purpose', async () => {
    await show(
      { status: 'READY' },
      { 'POST /deployments/1053/restart': { body: deploymentOf({ status: 'RESTARTING' }) } },
    );
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Restart Stack (Fix SSL)' }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(confirm.getByText(/can't be reached until they run, usually for less than a minute/)).toBeInTheDocument();
    expect(confirm.queryByRole('textbox')).not.toBeInTheDocument();
    await press('Restart', confirm);
    expect(await screen.findByText(/Restarting the stack to fix SSL/)).toBeInTheDocument();
    expect(within(row()).getByText('Restarting...')).toBeInTheDocument();
  });

  it('restart the stack of a customer for a reason', async () => {
    const { requested } = await show(
      { status: 'READY', user_id: USER.id },
      { 'POST /deployments/1053/restart': { body: deploymentOf({ status: 'RESTARTING' }) } },
      ADMIN,
    );
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Restart Stack (Fix SSL)' }));
    const confirm = within(await screen.findByRole('alertdialog'));
    expect(confirm.getByRole('button', { name: 'Restart' })).toBeDisabled();
    await userEvent.type(confirm.getByRole('textbox', { name: 'Reason' }), 'Asked for by phone.');
    await userEvent.click(confirm.getByRole('button', { name: 'Restart' }));
    expect(await screen.findByText(/Restarting the stack to fix SSL/)).toBeInTheDocument();
    expect(requested('POST', '/deployments/1053/restart').map(({ body }) => body)).toEqual([
      { reason: 'Asked for by phone.' },
    ]);
  });
});

describe('deactivating and deleting', () => {
  const request = async (action: string): Promise<HTMLElement> => {
    await openMenu();
    await userEvent.click(screen.getByRole('menuitem', { name: action }));
    return screen.findByRole('alertdialog');
  };

  it('ask for confirmation with the focus on Keep it, the loss and the refund for today', async () => {
    await show({ status: 'READY' });
    const dialog = await request('Deactivate');
    expect(within(dialog).getByText(`Deactivate ${NAME}`)).toBeInTheDocument();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep it'));
    expect(dialog.textContent).toContain('This deletes the server, its disk and everything on it.');
    expect(dialog.textContent).toContain('$0.32 for the 9 hours left of today will be refunded.');
  });

  it("state what stays on the customer's own server", async () => {
    await show({ status: 'READY', server_type: 'vps', cloud_provider: null, vps_ip_address: '198.51.100.72' });
    expect((await request('Deactivate')).textContent).toContain('You keep the server itself.');
  });

  it('state until when the deployment can be restored where the server is kept', async () => {
    await show({ status: 'READY' }, { 'GET /console/settings': { body: settingsOf({ delete_undo_hours: 24 }) } });
    expect((await request('Deactivate')).textContent).toContain(
      'You can restore it for 24 hours. After that, the server, its disk',
    );
  });

  it('do nothing until the name has been typed', async () => {
    const { calls, reply } = await show({ status: 'READY' });
    reply({
      'DELETE /deployments/1053': { body: { status: 'DESTROYING', deleted_at: null, refunded_amount: 0.3204 } },
      'GET /deployments': () => new Promise(() => undefined),
    });
    const dialog = await request('Deactivate');
    const button = within(dialog).getByRole('button', { name: 'Deactivate' });
    const field = within(dialog).getByRole('textbox');
    await userEvent.type(field, `${NAME.slice(0, -1)}{Enter}`);
    expect(button).toBeDisabled();
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    await userEvent.type(field, NAME.slice(-1));
    await userEvent.click(button);
    expect(
      await screen.findByText(`Deactivating ${NAME}. Charges have stopped and $0.32 was refunded.`),
    ).toBeInTheDocument();
    // A response without a message updates the entry.
    expect(within(row()).getByText('Deactivating...')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });

  it('change nothing on Keep it', async () => {
    const { calls } = await show({ status: 'READY' });
    await userEvent.click(within(await request('Deactivate')).getByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('remove the row when the response is a message', async () => {
    const fixture = await show({ status: 'DESTROYED', deleted_at: ENDED });
    fixture.reply({
      'DELETE /deployments/1053': { body: { message: 'Deployment deleted permanently.' } },
      'GET /deployments': { body: [], headers: { 'x-total-count': '0' } },
    });
    const dialog = await request('Delete');
    expect(dialog.textContent).toContain('Its server is already gone.');
    await userEvent.type(within(dialog).getByRole('textbox'), `${NAME}{Enter}`);
    expect(await screen.findByText(`${NAME} deleted permanently`)).toBeInTheDocument();
    // In another status, the same call would do something else.
    expect(fixture.calls.find(({ method }) => method === 'DELETE')?.query).toEqual({ expected_status: 'DESTROYED' });
    expect(screen.queryByRole('link', { name: NAME })).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Manage Resources' })).toHaveFocus());
  });

  it('report a failure with its reason', async () => {
    const detail = 'Cannot modify during deactivation';
    const { calls } = await show(
      { status: 'FAILED' },
      { 'DELETE /deployments/1053': { status: 409, body: { detail, code: 'DEPLOYMENT_STATE' } } },
    );
    const dialog = await request('Delete (permanent)');
    await userEvent.type(within(dialog).getByRole('textbox'), `${NAME}{Enter}`);
    expect(await screen.findByText(`Failed to delete deployment ${detail}`)).toBeInTheDocument();
    expect(screen.getByRole('alertdialog')).toBeInTheDocument();
    await userEvent.type(within(dialog).getByRole('textbox'), '{Enter}');
    const sent = () => calls.filter(({ method }) => method === 'DELETE');
    await waitFor(() => expect(sent()).toHaveLength(2));
    const [first, second] = sent().map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });
});
