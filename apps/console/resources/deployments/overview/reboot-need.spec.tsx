import { describe, expect, it } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, dialog, press } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { deploymentOf, updatesOf } from '../testing';

const UPDATES = 'GET /deployments/1053/updates';
const REBOOT = 'POST /deployments/1053/reboot';
const NEED = { since: '2026-11-19T02:10:00.000Z', packages: ['linux-image-amd64', 'libc6'], is_planned: false };
const OFFERED = { actions: ['restart', 'reboot'] };

const show = (
  reboot: DeploymentUpdatesAnswer['reboot'],
  { deployment = OFFERED, ...options }: { deployment?: Parameters<typeof showPage>[0]; user?: typeof ADMIN } = {},
) => showPage(deployment, { ...options, more: { [UPDATES]: { body: updatesOf({ reboot }) } } });
const sent = (requested: ReturnType<typeof showPage>['requested']): unknown[] =>
  requested('POST', '/deployments/1053/reboot').map(({ body }) => body);

describe('reboot of a server', () => {
  it('is not mentioned unless it is needed', async () => {
    show(null);
    const part = await card('Version');
    await part.findByText('Pangolin 1.23.0');
    expect(part.queryByText(/reboot/i)).not.toBeInTheDocument();
  });

  it('is needed since a day for packages, and happens at once after a confirmation', async () => {
    const { requested, reply } = show(NEED);
    const part = await card('Version');
    expect(await part.findByText('The server needs a reboot to finish security updates')).toBeInTheDocument();
    expect(part.getByText('Since 19 Nov 2026. Waiting: linux-image-amd64 and libc6.')).toBeInTheDocument();
    await press('Reboot now', part);
    const asked = await dialog('Reboot the server of maralind-pangolin-915204');
    expect(sent(requested)).toEqual([]);
    reply({ [REBOOT]: { body: deploymentOf({ status: 'RESTARTING', actions: [] }) } });
    await press('Reboot now', asked);
    expect(await screen.findByText('The server of maralind-pangolin-915204 is rebooting.')).toBeInTheDocument();
    expect(sent(requested)).toEqual([{ when: 'now', reason: null }]);
  });

  it('can be planned for the window, which is shown with its time zone', async () => {
    const { requested, reply } = show(NEED);
    await press('Reboot in the window', await card('Version'));
    const asked = await dialog('Reboot the server of maralind-pangolin-915204 in the window');
    expect(asked.getByText(/02:00 to 05:00 \(UTC\)/)).toBeInTheDocument();
    expect(asked.queryByText(/The window is open now/)).not.toBeInTheDocument();
    reply({ [REBOOT]: { body: deploymentOf(OFFERED) }, [UPDATES]: { body: updatesOf({ reboot: NEED }) } });
    await press('Plan the reboot', asked);
    await waitFor(() => expect(sent(requested)).toEqual([{ when: 'window', reason: null }]));
  });

  it('is planned with the hint that the window is open already', async () => {
    const window = { from: '2026-11-21T02:00:00.000Z', to: '2026-11-22T02:00:00.000Z' };
    showPage(OFFERED, { more: { [UPDATES]: { body: updatesOf({ reboot: NEED, window }) } } });
    await press('Reboot in the window', await card('Version'));
    const asked = await dialog('Reboot the server of maralind-pangolin-915204 in the window');
    expect(asked.getByText(/^The window is open now/)).toBeInTheDocument();
  });

  it('can be cancelled while it is planned', async () => {
    const { requested, reply } = show({ ...NEED, is_planned: true });
    const part = await card('Version');
    expect(await part.findByText(/^The reboot is planned for the window: .*\(UTC\)\.$/)).toBeInTheDocument();
    await press('Cancel the planned reboot', part);
    reply({ [REBOOT]: { body: deploymentOf(OFFERED) } });
    await press('Cancel the reboot', await dialog('Cancel the planned reboot of maralind-pangolin-915204'));
    await waitFor(() => expect(sent(requested)).toEqual([{ when: 'never', reason: null }]));
  });

  it('is left to the owners of their own servers', async () => {
    show(NEED, { deployment: { server_type: 'vps', actions: ['restart'] } });
    const part = await card('Version');
    expect(await part.findByText(/This is your own server, so we never reboot it\./)).toBeInTheDocument();
    expect(part.queryByRole('button', { name: /Reboot/ })).not.toBeInTheDocument();
  });

  it('needs a reason from staff', async () => {
    const { requested, reply } = show(NEED, { user: ADMIN });
    await press('Reboot now', await card('Version'));
    const asked = await dialog('Reboot the server of maralind-pangolin-915204');
    const submit = asked.getByRole('button', { name: 'Reboot now' });
    expect(submit).toBeDisabled();
    await userEvent.type(asked.getByRole('textbox', { name: 'Reason' }), 'Agreed by phone');
    reply({ [REBOOT]: { body: deploymentOf({ status: 'RESTARTING', actions: [] }) } });
    await userEvent.click(submit);
    await waitFor(() => expect(sent(requested)).toEqual([{ when: 'now', reason: 'Agreed by phone' }]));
  });
});
