import { describe, expect, it } from '@jest/globals';
import { STEP_MESSAGES } from '@moorage/domain';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { openDraft } from '../../parts/order/draft-storage';
import { deploymentOf, NOW } from './testing';
import { showDetails, SLOW } from './drawer/testing';

const AGAIN = { name: 'Create again' };
const OFFERED: Replies = {
  'GET /deployments/packages/pangolin/config': { body: { name: 'pangolin' } },
  'GET /deployments/instance-types/hetzner/fsn1': { body: [{ name: 'cpx22', available: true }] },
};
const draft = () => openDraft(USER.id, Date.parse(NOW)).wizard;

describe('creating a deployment again', () => {
  it.each([
    ['failed', { status: 'FAILED' }],
    ['is destroyed', { status: 'DESTROYED' }],
    ['is disabled', { status: 'DESTROYED', deleted_at: NOW }],
  ] as const)('opens the order with the same choices for a deployment that %s', async (_what, over) => {
    const { part, address } = await showDetails(over, OFFERED);
    await userEvent.click(await part.findByRole('button', AGAIN, SLOW));
    await waitFor(() => expect(address()).toBe('/create-deployment'));
    expect(draft()).toMatchObject({
      step: 'config',
      draft: {
        package: 'pangolin',
        server_type: 'new',
        cloud_provider: 'hetzner',
        region: 'fsn1',
        instance_type: 'cpx22',
        domain: 'harbour-lights.example',
      },
    });
  });

  it("opens at the validation of the customer's own server", async () => {
    const own = { server_type: 'vps', cloud_provider: null, region: null, vps_ip_address: '198.51.100.72' } as const;
    const { part, address } = await showDetails({ status: 'DESTROYED', ...own }, OFFERED);
    await userEvent.click(await part.findByRole('button', AGAIN, SLOW));
    await waitFor(() => expect(address()).toBe('/create-deployment?step=server'));
    expect(draft().draft.vps_ip_address).toBe('198.51.100.72');
  });

  it('prompts for another size if the provider had none left', async () => {
    const soldOut = { ...OFFERED, 'GET /deployments/1053/alternatives': { body: [] } };
    const { part, address } = await showDetails({ status: 'FAILED', failure: STEP_MESSAGES.cloud_capacity }, soldOut);
    await userEvent.click(await part.findByRole('button', AGAIN, SLOW));
    await waitFor(() => expect(address()).toBe('/create-deployment?step=instance'));
    expect(draft().draft).toMatchObject({ region: 'fsn1', instance_type: null, domain: 'harbour-lights.example' });
  });

  it.each([
    ['size', { 'GET /deployments/instance-types/hetzner/fsn1': { body: [{ name: 'cx53' }] } }, '?step=instance'],
    [
      'sold-out size',
      { 'GET /deployments/instance-types/hetzner/fsn1': { body: [{ name: 'cpx22', available: false }] } },
      '?step=instance',
    ],
    ['region', { 'GET /deployments/instance-types/hetzner/fsn1': { status: 404 } }, '?step=cloud'],
    ['package', { 'GET /deployments/packages/pangolin/config': { status: 404 } }, '?step=package'],
  ])('prompts for another %s if it is no longer offered', async (_what, gone, query) => {
    const { part, address } = await showDetails({ status: 'DESTROYED' }, { ...OFFERED, ...gone });
    await userEvent.click(await part.findByRole('button', AGAIN, SLOW));
    await waitFor(() => expect(address()).toBe(`/create-deployment${query}`));
  });

  it('looks up a deployment that ended because the balance ran out by its number', async () => {
    const ending = { deployment_id: 1053, client_name: 'x', at: NOW, due: 0.85, available: 0.4, server_type: 'new' };
    const { address, sent } = await showDetails(
      { status: 'READY' },
      { ...OFFERED, 'GET /deployments/unpaid-endings': { body: [ending] } },
    );
    const before = sent('GET', '').length;
    await userEvent.click(await screen.findByRole('button', AGAIN, SLOW));
    await waitFor(() => expect(address()).toBe('/create-deployment'));
    expect(sent('GET', '').length).toBeGreaterThan(before);
    expect(draft().draft.domain).toBe(deploymentOf().domain);
  });

  it('stores nothing and shows an error if the deployment cannot be loaded', async () => {
    const { part, address } = await showDetails(
      { status: 'DESTROYED' },
      { ...OFFERED, 'GET /deployments/packages/pangolin/config': { status: 503 } },
    );
    await userEvent.click(await part.findByRole('button', AGAIN, SLOW));
    expect(await screen.findByText("The deployment couldn't be loaded.")).toBeInTheDocument();
    expect(address()).toBe('/dashboard');
    expect(draft().draft.package).toBeNull();
  });

  it('is not offered for a running deployment, nor to other users', async () => {
    const { part } = await showDetails({ status: 'READY' });
    await part.findAllByRole('status', undefined, SLOW);
    expect(part.queryByRole('button', AGAIN)).not.toBeInTheDocument();
    leaveConsole();
    const other = await showDetails({ status: 'DESTROYED', user_id: 99 }, {}, { ...USER, is_admin: true });
    await other.part.findAllByRole('status', undefined, SLOW);
    expect(other.part.queryByRole('button', AGAIN)).not.toBeInTheDocument();
  });
});
