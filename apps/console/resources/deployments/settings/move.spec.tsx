import { describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, DeploymentMoveAnswer, PriceQuestionBody } from '@moorage/contracts';
import { MOVE_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { runwayOf } from '../../../pages/billing/testing';
import { configOf, size } from '../../../pages/wizard/testing';
import { ADMIN, type Replies } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { deploymentOf, NOW } from '../testing';

const MOVE = 'POST /deployments/1053/move';
const CLONE = 'POST /deployments/1053/clone';

const catalogue: Replies = {
  'GET /deployments/packages/pangolin/config': { body: configOf('pangolin', {}) },
  'GET /deployments/cloud-providers': {
    body: [
      {
        name: 'hetzner',
        display_name: 'Hetzner',
        simulated: false,
        prices: 'live',
        priced_at: null,
        from_daily: 0.8544,
      },
    ],
  },
  'GET /deployments/regions/hetzner': { body: [{ name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' }] },
  'GET /deployments/instance-types/hetzner/fsn1': {
    body: [
      { ...size('cpx22', 2, 4), hourly_cost: 0.0356 },
      { ...size('cpx32', 4, 8), hourly_cost: 0.06 },
    ],
  },
  'POST /deployments/pricing/calculate': ({ body }) => {
    const hourly = (body as PriceQuestionBody).instance_type === 'cpx32' ? 0.06 : 0.0356;
    return {
      body: {
        hourly_cost: hourly,
        daily_cost: hourly * 24,
        monthly_cost: hourly * 720,
        breakdown: { instance_cost: 0, support_cost: 0, byovps_management_fee: 0 },
        server: null,
      },
    };
  },
  'GET /billing/runway': ({ query }) => ({
    body: { ...runwayOf({ order_refusal: null }, query.order_hourly === undefined ? 10 : 6), now: NOW },
  }),
};

async function open(name: string, { over = {}, more = {} }: { over?: Partial<DeploymentAnswer>; more?: Replies } = {}) {
  const fixture = showPage(over, { tab: '/settings', more: { ...catalogue, ...more } });
  await userEvent.click((await card('Move and clone')).getByRole('button', { name }));
  const dialog = within(await screen.findByRole('dialog'));
  const sent = (route: string) => fixture.calls.filter(({ method, path }) => `${method} ${path}` === route);
  return { ...fixture, dialog, sent };
}

describe('moving a deployment', () => {
  it('states what happens and what it costs, then orders the new server', async () => {
    const { dialog, sent, address } = await open('Move to another place', {
      more: { [MOVE]: { status: 201, body: deploymentOf({ id: 1060, status: 'CREATING' }) } },
    });
    expect(dialog.getByText(/is not transferred\. Until the move has ended/)).toBeInTheDocument();
    expect(dialog.getByText(/DNS records of harbour-lights\.example point to the new server/)).toBeInTheDocument();
    expect(dialog.getByText(/The old one costs \$0\.85 a day until it is removed/)).toBeInTheDocument();
    await dialog.findByText('$0.85');
    await userEvent.selectOptions(dialog.getByLabelText('Size'), 'cpx32');
    expect(await dialog.findByText('$1.44')).toBeInTheDocument();
    expect(await dialog.findByText('Fri 27 Nov, 00:00 UTC')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Move' }));
    await waitFor(() =>
      expect(sent(MOVE).map(({ body }) => body)).toEqual([
        {
          server_type: 'new',
          cloud_provider: 'hetzner',
          region: 'fsn1',
          instance_type: 'cpx32',
          vps_ip_address: null,
          expected_hourly_cost: 0.06,
        },
      ]),
    );
    await waitFor(() => expect(address()).toBe('/dashboard?deployment=1060'));
  });

  it('shows an error at its field', async () => {
    const { detail, code, facts } = MOVE_MESSAGES.disk({ needed: 90 });
    const { dialog } = await open('Move to another place', {
      more: {
        [MOVE]: {
          status: 422,
          body: {
            detail: '',
            code: 'FIELDS_INVALID',
            errors: [{ path: 'instance_type', message: detail, code, facts }],
          },
        },
      },
    });
    await dialog.findByText('$0.85');
    await userEvent.click(dialog.getByRole('button', { name: 'Move' }));
    expect(await dialog.findByText(detail)).toBeInTheDocument();
  });

  it('is disabled with the reason while the deletion lock is on', async () => {
    showPage({ deletion_locked: true }, { tab: '/settings', more: catalogue });
    const section = await card('Move and clone');
    expect(section.getByRole('button', { name: 'Move to another place' })).toHaveAttribute('aria-disabled', 'true');
    expect(section.getByRole('button', { name: 'Clone' })).not.toHaveAttribute('aria-disabled');
  });

  it('is not offered to administrators', async () => {
    showPage({}, { tab: '/settings', more: catalogue, user: ADMIN });
    await card('Support level');
    expect(screen.queryByRole('region', { name: 'Move and clone' })).not.toBeInTheDocument();
  });
});

describe('cloning a deployment', () => {
  it('needs another domain', async () => {
    const { dialog, sent } = await open('Clone', {
      more: { [CLONE]: { status: 201, body: deploymentOf({ id: 1061, status: 'CREATING' }) } },
    });
    await dialog.findByText('$0.85');
    expect(dialog.getByText('Enter a domain.')).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('Domain of the clone'), 'staging.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Create clone' }));
    await waitFor(() =>
      expect(sent(CLONE).map(({ body }) => body)).toEqual([
        expect.objectContaining({ domain: 'staging.example', support_level: 1, client_name: null }),
      ]),
    );
  });
});

describe('note about a move', () => {
  const move = (over: Partial<DeploymentMoveAnswer>): DeploymentMoveAnswer => ({
    kind: 'move',
    state: 'running',
    source_id: 1053,
    target_id: 1060,
    remove_at: null,
    ...over,
  });
  const WAITING = { state: 'waiting', remove_at: '2026-11-22T14:18:00.000Z' } as const;

  it('on the old deployment links to the new one, and offers to remove the old server or to cancel', async () => {
    const { calls } = showPage(
      { move: move(WAITING) },
      {
        more: {
          'POST /deployments/1053/move/finish': {
            body: { status: 'DESTROYING', deleted_at: null, refunded_amount: 0.1, backups_kept_until: null },
          },
        },
      },
    );
    expect(await screen.findByText('This deployment has moved.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open the new deployment' })).toHaveAttribute('href', '/deployments/1060');
    expect(screen.getByRole('button', { name: 'Cancel the move' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Remove the old server now' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/Data that was written to it after the last backup is lost/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Remove the old server now' }));
    expect(await screen.findByText('The old server is being removed.')).toBeInTheDocument();
    expect(calls.map(({ path }) => path)).toContain('/deployments/1053/move/finish');
  });

  it('on the new deployment links to the old one, and cannot remove it before the data has arrived', async () => {
    showPage({ move: move({ source_id: 1040, target_id: 1053 }) });
    expect(await screen.findByText('This is the new server of a move.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open the old deployment' })).toHaveAttribute('href', '/deployments/1040');
    expect(screen.queryByRole('button', { name: 'Remove the old server now' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel the move' })).toBeInTheDocument();
  });

  it('stays on the old deployment when it has ended, without buttons', async () => {
    const ended = { reason: 'deleted', at: NOW, due: null, available: null } as const;
    showPage({ status: 'DESTROYING', move: move({ state: 'done' }), ended });
    expect(await screen.findByText('This deployment has moved to another server.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel the move' })).not.toBeInTheDocument();
  });
});
