import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, settingsOf } from '../../../testing/console-fixture';
import { showDetails, SLOW } from '../drawer/testing';
import { card, showPage } from '../page/testing';
import { deploymentOf } from '../testing';

const NAME = 'maralind-pangolin-915204';
const OWN = { server_type: 'vps', cloud_provider: null, region: null, vps_ip_address: '198.51.100.72' } as const;
const SETTINGS = { tab: '/settings' };
const HAND_OVER = { name: 'Hand over' };

describe('handing over a deployment', () => {
  it('says what stays and what ends, and asks for the name', async () => {
    const { reply, requested } = showPage(OWN, SETTINGS);
    await userEvent.click((await card('Hand over')).getByRole('button', HAND_OVER));
    const dialog = await screen.findByRole('alertdialog', { name: `Hand over ${NAME}` });
    expect(dialog.textContent).toContain('Everything keeps running on your server');
    expect(dialog.textContent).toContain("we can't back up, monitor, restart or repair this deployment");
    await waitFor(() => expect(dialog.textContent).toMatch(/left of today will be refunded/));
    const submit = within(dialog).getByRole('button', HAND_OVER);
    expect(submit).toBeDisabled();
    await userEvent.type(within(dialog).getByRole('textbox'), NAME);
    const ended = { reason: 'handed_over', at: '2026-11-21T14:18:00.000Z', due: null, available: null } as const;
    const handingOver = deploymentOf({ ...OWN, status: 'DESTROYING', version: 4, ended });
    reply({
      'POST /deployments/1053/hand-over': {
        body: { status: 'DESTROYING', deleted_at: null, refunded_amount: 0.32, backups_kept_until: null },
      },
      'GET /deployments/1053': { body: handingOver },
    });
    await userEvent.click(submit);
    expect(
      await screen.findByText(`Handing over ${NAME}. Charges have stopped and $0.32 was refunded.`),
    ).toBeInTheDocument();
    expect(requested('POST', '/deployments/1053/hand-over')[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]+$/);
    expect(await screen.findByText('Handing over...')).toBeInTheDocument();
    expect(screen.queryByRole('region', HAND_OVER)).not.toBeInTheDocument();
  });

  it('warns that a name of the platform ends with our service', async () => {
    const settings = { 'GET /console/settings': { body: settingsOf({ platform_domain: 'apps.example.com' }) } };
    showPage({ ...OWN, domain: 'shop.apps.example.com' }, { ...SETTINGS, more: settings });
    await userEvent.click((await card('Hand over')).getByRole('button', HAND_OVER));
    const dialog = await screen.findByRole('alertdialog', { name: `Hand over ${NAME}` });
    expect(dialog.textContent).toContain('We also remove shop.apps.example.com');
  });

  it('is disabled with the reason while the deletion lock is on', async () => {
    showPage({ ...OWN, deletion_locked: true }, SETTINGS);
    expect((await card('Hand over')).getByRole('button', HAND_OVER)).toHaveAttribute('aria-disabled', 'true');
  });

  it.each([
    ['on a server of ours', {}, {}],
    ['that is in progress', { ...OWN, status: 'RESTARTING' }, {}],
    ['of another account', { ...OWN, user_id: 99 }, { user: ADMIN }],
  ] as const)('is not offered for a deployment %s', async (_, over, options) => {
    showPage(over, { ...SETTINGS, ...options });
    await screen.findByRole('heading', { name: 'Support level' });
    expect(screen.queryByRole('region', HAND_OVER)).not.toBeInTheDocument();
  });

  it('leaves an entry whose deletion changes nothing on the server', async () => {
    const ended = { reason: 'handed_over', at: '2026-11-21T14:18:00.000Z', due: null, available: null } as const;
    const { part } = await showDetails({ ...OWN, status: 'DESTROYED', ended });
    await userEvent.click(await part.findByRole('button', { name: 'Delete' }, SLOW));
    expect(part.getByText('Handed over')).toBeInTheDocument();
    expect((await screen.findByRole('alertdialog')).textContent).toContain('It keeps running on your server');
  });
});
