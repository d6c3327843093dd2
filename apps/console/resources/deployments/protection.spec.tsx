import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, USER } from '../../testing/console-fixture';
import { deploymentOf } from './testing';
import { NAME, showDetails, SLOW } from './drawer/testing';
import { card, showPage } from './page/testing';

const LOCKED = "The deletion lock is on. Turn it off in the deployment's settings first.";
const SETTINGS = { tab: '/settings' };
const SWITCH = { name: 'Deletion lock' };

describe('deletion lock', () => {
  it('is switched on, explains what it does not prevent, and marks the deployment', async () => {
    const { reply, requested } = showPage({}, SETTINGS);
    const lock = (await card('Protection')).getByRole('switch', SWITCH);
    expect(lock).not.toBeChecked();
    expect(lock).toHaveAccessibleDescription(
      "While the lock is on, this deployment can't be deactivated, deleted, cancelled or handed over. " +
        "It doesn't protect against an unpaid balance or closing your account.",
    );
    const locked = deploymentOf({ deletion_locked: true, version: 4 });
    reply({ 'PUT /deployments/1053/deletion-lock': { body: locked }, 'GET /deployments/1053': { body: locked } });
    await userEvent.click(lock);
    expect(await screen.findByRole('img', { name: 'Deletion lock on' })).toBeInTheDocument();
    expect(lock).toBeChecked();
    expect(requested('PUT', '/deployments/1053/deletion-lock').map(({ body }) => body)).toEqual([{ locked: true }]);
  });

  it('is switched off again and permits deactivation', async () => {
    const { reply } = showPage({ deletion_locked: true }, SETTINGS);
    const deletion = await card('Deletion');
    const deactivate = () => deletion.getByRole('button', { name: 'Deactivate' });
    expect(deactivate()).toHaveAttribute('aria-disabled', 'true');
    const open = deploymentOf({ version: 4 });
    reply({ 'PUT /deployments/1053/deletion-lock': { body: open }, 'GET /deployments/1053': { body: open } });
    await userEvent.click(screen.getByRole('switch', SWITCH));
    await waitFor(() => expect(deactivate()).not.toHaveAttribute('aria-disabled'));
  });

  it('shows why it could not be changed and stays the same', async () => {
    const refused = { status: 404, body: { detail: 'Gone.', code: 'NOT_FOUND' } };
    showPage({}, { ...SETTINGS, more: { 'PUT /deployments/1053/deletion-lock': refused } });
    await userEvent.click((await card('Protection')).getByRole('switch', SWITCH));
    expect(await screen.findByText('The deletion lock could not be changed. Gone.')).toBeInTheDocument();
    expect(screen.getByRole('switch', SWITCH)).not.toBeChecked();
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
    const { requested } = showPage({}, { ...SETTINGS, user: { ...USER, is_verified: false } });
    const lock = (await card('Protection')).getByRole('switch', SWITCH);
    await userEvent.click(lock);
    expect(lock).toHaveAttribute('aria-disabled', 'true');
    expect(lock).toHaveAccessibleDescription(/Verify your email to create deployments and change your account\.$/);
    expect(requested('PUT', '/deployments/1053/deletion-lock')).toHaveLength(0);
  });

  it('belongs to the owner, and an administrator only sees that it is locked', async () => {
    showPage({ deletion_locked: true, user_id: 99 }, { ...SETTINGS, user: ADMIN });
    await card('Deletion');
    expect(screen.queryByRole('switch', SWITCH)).not.toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Deletion lock on' })).toBeInTheDocument();
  });
});
