import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER } from '../../testing/console-fixture';
import { deploymentOf } from './testing';
import { NAME, showDetails, SLOW } from './drawer/testing';

const LOCKED = 'The deletion lock is on. Turn it off under Protection first.';
const SWITCH = { name: 'Deletion lock' };

describe('deletion lock', () => {
  it('is switched on, explains what it does not prevent, and marks the deployment in the list', async () => {
    const { part, sent, reply, drawer } = await showDetails({ status: 'READY' });
    const lock = await part.findByRole<HTMLInputElement>('switch', SWITCH, SLOW);
    expect(lock).not.toBeChecked();
    expect(drawer.textContent).toContain(
      "While the lock is on, this deployment can't be deactivated, deleted or cancelled. " +
        "It doesn't protect against an unpaid balance or closing your account.",
    );
    const locked = deploymentOf({ deletion_locked: true, version: 4 });
    reply({
      'PUT /deployments/1053/deletion-lock': { body: locked },
      'GET /deployments/1053': { body: locked },
      'GET /deployments': { body: [locked], headers: { 'x-total-count': '1' } },
    });
    await userEvent.click(lock);
    await waitFor(() => expect(screen.getAllByRole('img', { name: 'Deletion lock on' })).toHaveLength(2));
    expect(part.getByRole('switch', SWITCH)).toBeChecked();
    expect(sent('PUT', '/deletion-lock').map(({ body }) => body)).toEqual([{ locked: true }]);
  });

  it('is switched off again and permits deactivation', async () => {
    const { part, reply } = await showDetails({ status: 'READY', deletion_locked: true });
    const deactivate = () => part.getByRole('button', { name: 'Deactivate' });
    const lock = await part.findByRole('switch', SWITCH, SLOW);
    expect(deactivate()).toHaveAttribute('aria-disabled', 'true');
    const open = deploymentOf({ version: 4 });
    reply({
      'PUT /deployments/1053/deletion-lock': { body: open },
      'GET /deployments/1053': { body: open },
      'GET /deployments': { body: [open], headers: { 'x-total-count': '1' } },
    });
    await userEvent.click(lock);
    await waitFor(() => expect(deactivate()).not.toHaveAttribute('aria-disabled'));
  });

  it('shows why it could not be changed and stays the same', async () => {
    const { part } = await showDetails(
      { status: 'READY' },
      { 'PUT /deployments/1053/deletion-lock': { status: 404, body: { detail: 'Gone.', code: 'NOT_FOUND' } } },
    );
    await userEvent.click(await part.findByRole('switch', SWITCH, SLOW));
    expect(await screen.findByText('The deletion lock could not be changed. Gone.')).toBeInTheDocument();
    expect(part.getByRole('switch', SWITCH)).not.toBeChecked();
  });

  it.each([
    ['READY', 'Deactivate'],
    ['DNS_FAILED', 'Deactivate'],
    ['FAILED', 'Delete (permanent)'],
    ['DESTROYED', 'Delete'],
    ['PROVISIONING', 'Cancel deployment'],
  ] as const)('in state %s disables %s and explains why', async (status, name) => {
    const { part } = await showDetails({ status, deletion_locked: true });
    const button = await part.findByRole('button', { name }, SLOW);
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe(LOCKED);
    await userEvent.click(button);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('disables Deactivate in the menu but not the restart', async () => {
    await showDetails({ status: 'READY', deletion_locked: true });
    await userEvent.click(screen.getByRole('button', { name: `Actions for ${NAME}`, hidden: true }));
    const item = await screen.findByRole('menuitem', { name: 'Deactivate' });
    expect(item).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('menuitem', { name: /^Restart/ })).not.toHaveAttribute('aria-disabled');
  });

  it('cannot be switched while the email is not verified, and explains why', async () => {
    const { part, sent, drawer } = await showDetails({ status: 'READY' }, {}, { ...USER, is_verified: false });
    const lock = await part.findByRole('switch', SWITCH, SLOW);
    await userEvent.click(lock);
    expect(lock).toHaveAttribute('aria-disabled', 'true');
    expect(drawer.textContent).toContain('Verify your email to create deployments and change your account.');
    expect(sent('PUT', '/deletion-lock')).toHaveLength(0);
  });

  it('belongs to the owner, and an administrator only sees that it is locked', async () => {
    const { part } = await showDetails(
      { status: 'READY', deletion_locked: true },
      {},
      { ...USER, id: 8, is_admin: true },
    );
    await part.findByRole('heading', { name: 'Overview' }, SLOW);
    expect(part.queryByRole('switch', SWITCH)).not.toBeInTheDocument();
    expect(part.getByRole('img', { name: 'Deletion lock on' })).toBeInTheDocument();
  });
});
