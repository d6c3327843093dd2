import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER } from '../../testing/console-fixture';
import { deploymentOf } from './testing';
import { NAME, showDetails, SLOW } from './drawer/testing';

const CANCEL = { name: 'Cancel deployment' };
const stopped = (over = {}) => ({ body: { status: 'PROVISIONING', deleted_at: null, refunded_amount: 0, ...over } });

describe('cancelling a deployment that is being built', () => {
  it('asks for confirmation with the consequence and the cost', async () => {
    const { part, sent, drawer, reply } = await showDetails({ status: 'PROVISIONING' });
    await userEvent.click(await part.findByRole('button', CANCEL, SLOW));
    const dialog = await screen.findByRole('alertdialog', { name: `Cancel ${NAME}` });
    expect(dialog.textContent).toContain('The server, its disk and everything else created so far are deleted.');
    expect(dialog.textContent).toContain("You haven't been charged for it, and you won't be.");
    expect(within(dialog).queryByRole('textbox')).not.toBeInTheDocument();
    expect(sent('POST', '/cancel')).toHaveLength(0);

    const cancelled = deploymentOf({ status: 'PROVISIONING', cancelling: true, actions: [] });
    reply({
      'POST /deployments/1053/cancel': stopped(),
      'GET /deployments/1053': { body: cancelled },
      'GET /deployments': { body: [cancelled], headers: { 'x-total-count': '1' } },
    });
    await userEvent.click(within(dialog).getByRole('button', CANCEL));
    expect(await screen.findByText(`Cancelling ${NAME}. You won't be charged from now on.`)).toBeInTheDocument();
    expect(sent('POST', '/cancel')[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(await part.findByText('Cancelling after the current step...')).toBeInTheDocument();
    expect(part.queryByRole('button', CANCEL)).not.toBeInTheDocument();
    expect(drawer.textContent).toContain('Billing has stopped.');
    expect(drawer.textContent).not.toContain("Once it's running");
    expect(screen.getByText('cancelling')).toBeInTheDocument();
  });

  it('changes nothing when the answer is No', async () => {
    const { part, sent } = await showDetails({ status: 'CREATING' });
    await userEvent.click(await part.findByRole('button', CANCEL, SLOW));
    await userEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(sent('POST', '/cancel')).toHaveLength(0);
  });

  it('shows why it failed and retries with the same key', async () => {
    const detail = 'The deployment has just changed. Check it and try again.';
    const { part, sent } = await showDetails(
      { status: 'PROVISIONING' },
      { 'POST /deployments/1053/cancel': { status: 409, body: { detail, code: 'DEPLOYMENT_STATE' } } },
    );
    await userEvent.click(await part.findByRole('button', CANCEL, SLOW));
    const dialog = within(await screen.findByRole('alertdialog'));
    await userEvent.click(dialog.getByRole('button', CANCEL));
    expect(await screen.findByText(`Failed to cancel deployment ${detail}`)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', CANCEL));
    await waitFor(() => expect(sent('POST', '/cancel')).toHaveLength(2));
    const [first, second] = sent('POST', '/cancel').map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  it('shows the current state after it failed because that has changed', async () => {
    const detail = 'This deployment already runs.';
    const { part, reply } = await showDetails(
      { status: 'PROVISIONING' },
      { 'POST /deployments/1053/cancel': { status: 409, body: { detail, code: 'DEPLOYMENT_STATE' } } },
    );
    await userEvent.click(await part.findByRole('button', CANCEL, SLOW));
    reply({ 'GET /deployments/1053': { body: deploymentOf({ status: 'READY', version: 9 }) } });
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', CANCEL));
    expect(await part.findByText("It's running.", undefined, SLOW)).toBeInTheDocument();
  });

  it('keeps the locked action of the specification beside it', async () => {
    const { part } = await showDetails({ status: 'PROVISIONING' });
    const deactivate = await part.findByRole('button', { name: 'Deactivate' }, SLOW);
    expect(deactivate).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('cancelling a deployment that waits for DNS', () => {
  it('states that the own server stays, and the refund for today', async () => {
    const { part, reply } = await showDetails({
      status: 'DNS_VALIDATION',
      ...{ server_type: 'vps', cloud_provider: null, region: null, vps_ip_address: '198.51.100.72' },
    });
    await userEvent.click(await part.findByRole('button', CANCEL, SLOW));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain(
      'Everything we installed on your server is removed. You keep the server itself.',
    );
    expect(dialog.textContent).toContain("You won't be charged from now on.");
    await waitFor(() => expect(dialog.textContent).toMatch(/for the 9 hours left of today will be refunded\./));
    reply({ 'POST /deployments/1053/cancel': stopped({ status: 'DNS_VALIDATION', refunded_amount: 0.3204 }) });
    await userEvent.click(within(dialog).getByRole('button', CANCEL));
    expect(
      await screen.findByText(`Cancelling ${NAME}. You won't be charged from now on, and $0.32 was refunded.`),
    ).toBeInTheDocument();
  });
});

describe('Cancel button', () => {
  it.each(['READY', 'DNS_FAILED', 'RESTARTING', 'DESTROYING', 'FAILED', 'DESTROYED'] as const)(
    'is hidden in state %s, even if an older record allowed it',
    async (status) => {
      const { part } = await showDetails({ status, actions: ['cancel'] });
      await part.findAllByRole('status', undefined, SLOW);
      expect(part.queryByRole('button', CANCEL)).not.toBeInTheDocument();
    },
  );

  it('is for the owner only', async () => {
    const { part } = await showDetails({ status: 'PROVISIONING', user_id: 99 }, {}, { ...USER, is_admin: true });
    await part.findAllByRole('status', undefined, SLOW);
    expect(part.queryByRole('button', CANCEL)).not.toBeInTheDocument();
  });
});
