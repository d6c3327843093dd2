import { describe, expect, it } from '@jest/globals';
import type { BackupsAnswer, DeploymentAnswer, PriceQuestionBody } from '@moorage/contracts';
import { BACKUP_MESSAGES, ORDER_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { runwayOf } from '../../../pages/billing/testing';
import { ADMIN, type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { packageOf } from '../../../testing/packages';
import { configOf, size } from '../../../pages/wizard/testing';
import { deploymentOf, NOW, repliesFor } from '../testing';
import { DeploymentRoutes } from '../page/testing';
import { backupsOf, copyOf } from './testing';

const ORDER = 'POST /deployments/1053/backups/71/deployments';
const RESTORE = 'POST /deployments/1053/backups/71/restore';

const catalogue: Replies = {
  'GET /deployments/packages': { body: [packageOf('pangolin', 'Pangolin', { from_daily: 0.8544 })] },
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
      { name: 'vultr', display_name: 'Vultr', simulated: false, prices: 'live', priced_at: null, from_daily: 0.9 },
    ],
  },
  'GET /deployments/regions/hetzner': { body: [{ name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' }] },
  'GET /deployments/regions/vultr': { body: [{ name: 'ewr', display_name: 'New Jersey', country_code: 'us' }] },
  'GET /deployments/instance-types/hetzner/fsn1': {
    body: [
      { ...size('cpx22', 2, 4), hourly_cost: 0.0356 },
      { ...size('cpx12', 1, 1), hourly_cost: 0.01 },
      { ...size('cpx32', 4, 8), hourly_cost: 0.06, available: false },
    ],
  },
  'GET /deployments/instance-types/vultr/ewr': { body: [{ ...size('vc2', 2, 4), hourly_cost: 0.04 }] },
  'POST /deployments/pricing/calculate': ({ body }) => {
    const { instance_type: type, support_level: level, server_type: server } = body as PriceQuestionBody;
    const hourly = (server === 'vps' ? 0.0107 : type === 'vc2' ? 0.04 : 0.0356) + (level === 2 ? 0.0685 : 0);
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

async function open(
  name: RegExp,
  {
    deployment = {},
    backups = {},
    more = {},
    user = USER,
  }: {
    deployment?: Partial<DeploymentAnswer>;
    backups?: Partial<BackupsAnswer>;
    more?: Replies;
    user?: typeof USER;
  } = {},
) {
  const fixture = showInConsole(<DeploymentRoutes />, {
    replies: repliesFor([deploymentOf({ support_level: 2, ...deployment })], {
      'GET /deployments/1053/backups': { body: backupsOf(backups) },
      ...catalogue,
      ...more,
    }),
    at: '/deployments/1053/backups',
    user,
  });
  await userEvent.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  const sent = (route: string) => fixture.calls.filter(({ method, path }) => `${method} ${path}` === route);
  return { ...fixture, dialog, sent };
}

const restore = /^Restore the backup of today/;
const create = /^Create a new deployment/;
const isOff = (button: HTMLElement): boolean => button.getAttribute('aria-disabled') === 'true';

describe('replacing the data', () => {
  it('shows what is replaced, what happens first and that it is free, then restores', async () => {
    const { dialog, sent } = await open(restore, {
      more: { [RESTORE]: { body: deploymentOf({ status: 'RESTARTING', version: 4 }) } },
    });
    expect(dialog.getByText('You can undo this for 24 hours.')).toBeInTheDocument();
    expect(dialog.getByText('No extra cost')).toBeInTheDocument();
    expect(dialog.getByText('Changes made since today, 03:12 are overwritten: 11 h 6 min')).toBeInTheDocument();
    expect(dialog.getByText('The current data is backed up first, about 38 s')).toBeInTheDocument();
    expect(dialog.getByText('Everything keeps running until Tue 1 Dec, 00:00 UTC')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(sent(RESTORE).map(({ body }) => body)).toEqual([{ reason: null }]));
    expect(await screen.findByText('Restore started.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('says to which version the deployment returns, and that it was withdrawn', async () => {
    const { dialog } = await open(restore, {
      backups: { copies: [copyOf({ release: '1.24.0-2', is_withdrawn: true }), copyOf({ id: 70 })] },
    });
    expect(dialog.getByText('This returns the deployment to version 1.24.0-2.')).toBeInTheDocument();
    expect(dialog.getByRole('status').textContent).toContain('Version 1.24.0-2 was withdrawn.');
    await userEvent.click(dialog.getByText('Create a new deployment from it'));
    expect(dialog.getByText('The new deployment gets version 1.24.0-2.')).toBeInTheDocument();
  });

  it('does not mention the version if it stays the same', async () => {
    const { dialog } = await open(restore);
    expect(dialog.queryByText(/version/)).not.toBeInTheDocument();
  });

  it('shows why it was rejected and stays open', async () => {
    const { detail, code, facts } = BACKUP_MESSAGES.restoring;
    const { dialog } = await open(restore, {
      more: { [RESTORE]: { status: 409, body: { detail, code: 'BACKUP_STATE', message_code: code, facts } } },
    });
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    expect(await dialog.findByText(detail)).toBeInTheDocument();
  });

  it('is disabled with the reason while it is not possible', async () => {
    const { dialog, sent } = await open(restore, {
      backups: { restore_refused: BACKUP_MESSAGES.restore_needs_running },
    });
    expect(dialog.getByText(BACKUP_MESSAGES.restore_needs_running.detail)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    expect(sent(RESTORE)).toHaveLength(0);
  });

  it('is the only restore for administrators and requires a reason', async () => {
    const { dialog, sent } = await open(restore, {
      user: ADMIN,
      more: { [RESTORE]: { body: deploymentOf({ status: 'RESTARTING', version: 4 }) } },
    });
    expect(dialog.queryByText('Create a new deployment from it')).not.toBeInTheDocument();
    expect(isOff(dialog.getByRole('button', { name: 'Restore' }))).toBe(true);
    await userEvent.type(dialog.getByLabelText('Reason'), 'She asked for it by phone.');
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    await waitFor(() =>
      expect(sent(RESTORE).map(({ body }) => body)).toEqual([{ reason: 'She asked for it by phone.' }]),
    );
  });
});

describe('restoring to a new deployment', () => {
  const choose = async (dialog: Pick<typeof screen, 'findByText' | 'getByText'>) =>
    userEvent.click(dialog.getByText('Create a new deployment from it'));
  const priced = (dialog: Pick<typeof screen, 'findByText' | 'getByText'>) => dialog.findByText('$2.50');

  it('preselects the old location and orders at the displayed price', async () => {
    const { dialog, sent, address } = await open(restore, {
      more: { [ORDER]: { status: 201, body: deploymentOf({ id: 1060 }) } },
    });
    await choose(dialog);
    await priced(dialog);
    expect(dialog.getByLabelText('Cloud provider')).toHaveValue('hetzner');
    expect(dialog.getByLabelText<HTMLSelectElement>('Size').selectedOptions[0]?.textContent).toBe(
      'CPX22: 2 vCPU, 4 GB, $0.85 a day',
    );
    const options = [...dialog.getByLabelText<HTMLSelectElement>('Size').options];
    expect(options.filter(({ disabled }) => disabled).map(({ text }) => text)).toEqual([
      'Choose...',
      'CPX12: 1 vCPU, 1 GB, $0.24 a day (too small)',
      'CPX32: 4 vCPU, 8 GB, $1.44 a day (sold out)',
    ]);
    expect(await dialog.findByText('Fri 27 Nov, 00:00 UTC')).toBeInTheDocument();
    // The old deployment still uses its domain.
    expect(dialog.getByText('Enter a domain.')).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('Another domain', { selector: 'input[type=text]' }), 'copy.example');
    await userEvent.type(dialog.getByLabelText('Name'), 'harbour-copy');
    await userEvent.click(dialog.getByRole('button', { name: 'Create deployment' }));
    await waitFor(() =>
      expect(sent(ORDER).map(({ body }) => body)).toEqual([
        {
          server_type: 'new',
          cloud_provider: 'hetzner',
          region: 'fsn1',
          instance_type: 'cpx22',
          vps_ip_address: null,
          support_level: 2,
          client_name: 'harbour-copy',
          domain: 'copy.example',
          expected_hourly_cost: 0.1041,
        },
      ]),
    );
    expect(sent(ORDER)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    await waitFor(() => expect(address()).toBe('/dashboard?deployment=1060'));
  });

  it('offers another provider and then asks for region and size again', async () => {
    const { dialog } = await open(restore);
    await choose(dialog);
    await priced(dialog);
    await userEvent.selectOptions(dialog.getByLabelText('Cloud provider'), 'vultr');
    expect(dialog.getByText('Choose provider, region and size.')).toBeInTheDocument();
    await userEvent.selectOptions(
      await dialog.findByLabelText('Region'),
      await dialog.findByRole('option', { name: 'New Jersey' }),
    );
    await userEvent.selectOptions(dialog.getByLabelText('Size'), await dialog.findByRole('option', { name: /^VC2/ }));
    expect(await dialog.findByText('$2.60')).toBeInTheDocument();
  });

  it("checks the customer's own server first", async () => {
    const { dialog, sent } = await open(restore, {
      more: {
        'GET /servers/periphery-script': { body: 'services: {}' },
        'POST /servers/validate-vps': {
          body: {
            state: 'passed',
            message: 'Your server can be used.',
            code: 'vps.passed',
            facts: {},
            results: [],
            host_key_sha256: null,
            valid_until: null,
          },
        },
        [ORDER]: { status: 201, body: deploymentOf({ id: 1060 }) },
      },
    });
    await choose(dialog);
    await userEvent.click(dialog.getByLabelText('Your own server'));
    expect(dialog.getByText('Validate your server first.')).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('IP address'), '5.9.0.7');
    await userEvent.click(dialog.getByRole('button', { name: 'Validate' }));
    expect(await dialog.findByText('Your server can be used.')).toBeInTheDocument();
    await userEvent.click(dialog.getByLabelText(/^Same domain:/));
    await waitFor(() => expect(isOff(dialog.getByRole('button', { name: 'Create deployment' }))).toBe(false));
    await userEvent.click(dialog.getByRole('button', { name: 'Create deployment' }));
    await waitFor(() =>
      expect(sent(ORDER)[0]?.body).toMatchObject({
        server_type: 'vps',
        vps_ip_address: '5.9.0.7',
        cloud_provider: null,
        domain: null,
      }),
    );
  });

  it('shows the findings of the server check beside their fields', async () => {
    const { detail, code, facts } = BACKUP_MESSAGES.disk_too_small({ needed: 80 });
    const { dialog } = await open(create, {
      deployment: { status: 'DESTROYED' },
      backups: { kept_until: '2026-11-28T14:00:00.000Z', next_at: null },
      more: {
        [ORDER]: {
          status: 422,
          body: {
            detail: 'Please correct the fields.',
            code: 'FIELDS_INVALID',
            errors: [{ path: 'instance_type', message: detail, code, facts }],
          },
        },
      },
    });
    await priced(dialog);
    // The old deployment is gone, so its domain is free.
    expect(dialog.getByLabelText(/^Same domain:/)).toBeChecked();
    await userEvent.click(dialog.getByRole('button', { name: 'Create deployment' }));
    expect(await dialog.findByText(detail)).toBeInTheDocument();
    expect(dialog.getByLabelText('Size')).toHaveAttribute('aria-invalid', 'true');
    await userEvent.selectOptions(dialog.getByLabelText('Size'), dialog.getByRole('option', { name: /^CPX22/ }));
    expect(dialog.getByLabelText('Size')).toHaveAttribute('aria-invalid', 'false');
  });

  it('asks for confirmation again if the price has changed in the meantime', async () => {
    const { dialog } = await open(create, {
      deployment: { status: 'DESTROYED' },
      more: {
        [ORDER]: {
          status: 409,
          body: { detail: ORDER_MESSAGES.address_in_use.detail, code: 'PRICE_CHANGED' },
        },
      },
    });
    await priced(dialog);
    await userEvent.click(dialog.getByRole('button', { name: 'Create deployment' }));
    expect(
      await dialog.findByText('The price has changed. Check it, then create the deployment again.'),
    ).toBeInTheDocument();
  });

  it('shows the missing amount with a link to add funds', async () => {
    const { dialog } = await open(create, {
      deployment: { status: 'DESTROYED' },
      more: {
        'GET /billing/runway': ({ query }) => ({
          body: {
            ...runwayOf({
              order_refusal:
                query.order_hourly === undefined
                  ? null
                  : {
                      code: 'BALANCE_TOO_LOW',
                      message_code: 'order.balance',
                      facts: {},
                      detail: 'You need $5.00, and $2.00 is available.',
                      needed: 5,
                      available: 2,
                      owed: 0,
                    },
            }),
            now: NOW,
          },
        }),
      },
    });
    expect(await dialog.findByText('You need $5.00, and $2.00 is available.')).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing?amount=3#add');
    expect(isOff(dialog.getByRole('button', { name: 'Create deployment' }))).toBe(true);
  });
});
