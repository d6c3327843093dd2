import { describe, expect, it } from '@jest/globals';
import type { ConfigurationAnswer } from '@moorage/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { deploymentOf } from '../testing';

const value = (
  field: ConfigurationAnswer['values'][number]['field'],
  over: Partial<ConfigurationAnswer['values'][number]> = {},
) => ({ field, secret: false, changeable: true, is_set: over.value !== undefined, value: null, ...over });

const CONFIGURATION: ConfigurationAnswer = {
  values: [
    value('domain', { value: 'harbour-lights.example' }),
    value('admin_email', { value: 'mara@northsea.example' }),
    value('admin_subdomain', { value: 'admin' }),
    value('traefik_subdomain'),
    value('admin_password', { secret: true, changeable: false, is_set: true }),
    value('komodo_host_ip', { value: '203.0.113.9' }),
    value('komodo_passkey', { secret: true, is_set: true }),
  ],
  change: null,
};
const REPLY = 'GET /deployments/1053/configuration';
const PACKAGE = {
  'GET /deployments/packages/pangolin/config': {
    body: {
      name: 'pangolin',
      details: [
        {
          name: 'pangolin',
          required_env: ['DOMAIN', 'EMAIL'],
          optional_env: ['ADMIN_SUBDOMAIN', 'TRAEFIK_SUBDOMAIN', 'KOMODO_HOST_IP', 'KOMODO_PASSKEY'],
        },
      ],
      defaults: { ADMIN_SUBDOMAIN: 'admin' },
      dns: [
        { host: '{ADMIN_SUBDOMAIN}', required: true },
        { host: '{TRAEFIK_SUBDOMAIN}', required: true, when: 'TRAEFIK_SUBDOMAIN' },
      ],
    },
  },
};

async function opened(configuration = CONFIGURATION) {
  const shown = showPage({}, { tab: '/settings', more: { [REPLY]: { body: configuration }, ...PACKAGE } });
  const part = await card('Configuration');
  return { ...shown, part };
}

describe('the configuration of a deployment', () => {
  it('is listed without secrets', async () => {
    const { part } = await opened();
    expect(await part.findByText('mara@northsea.example')).toBeInTheDocument();
    expect(part.getAllByText('Stored')).toHaveLength(2);
    expect(part.getByText('Not set')).toBeInTheDocument();
    expect(part.queryByText('harbour-lights.example')).not.toBeInTheDocument();
  });

  it('shows the difference and the records it needs, and applies only what changed', async () => {
    const { part, requested, reply } = await opened();
    reply({ 'PATCH /deployments/1053/configuration': { body: deploymentOf({ status: 'RESTARTING', version: 4 }) } });
    await userEvent.click(part.getByRole('button', { name: 'Change configuration' }));
    const apply = part.getByRole('button', { name: 'Apply change' });
    expect(apply).toBeDisabled();
    expect(part.queryByLabelText(/Admin Password/)).not.toBeInTheDocument();
    await userEvent.type(part.getByRole('textbox', { name: /Traefik Subdomain/ }), 'router');
    await userEvent.type(part.getByLabelText(/Komodo Passkey/), 'a-new-passkey-of-mine');
    const difference = within(part.getByRole('region', { name: 'Changes' }));
    expect(difference.getByText('2 changes, not applied')).toBeInTheDocument();
    expect(difference.queryByText('a-new-passkey-of-mine')).not.toBeInTheDocument();
    expect(await difference.findByText('router.harbour-lights.example')).toBeInTheDocument();
    expect(requested('PATCH', '/deployments/1053/configuration')).toHaveLength(0);
    await userEvent.click(part.getByRole('button', { name: 'Apply 2 changes' }));
    expect(await screen.findByText("We're applying the new configuration.")).toBeInTheDocument();
    expect(requested('PATCH', '/deployments/1053/configuration').map(({ body }) => body)).toEqual([
      { values: { traefik_subdomain: 'router', komodo_passkey: 'a-new-passkey-of-mine' } },
    ]);
  });

  it('removes values, and shows the error of the server at its field', async () => {
    const { part, requested, reply } = await opened();
    const message = 'Enter a Komodo Passkey, or leave Komodo Host IP empty.';
    reply({
      'PATCH /deployments/1053/configuration': {
        status: 422,
        body: { detail: message, code: 'FIELDS_INVALID', errors: [{ path: 'komodo_passkey', message }] },
      },
    });
    await userEvent.click(part.getByRole('button', { name: 'Change configuration' }));
    await userEvent.click(part.getByRole('checkbox', { name: 'Remove this value' }));
    await userEvent.click(part.getByRole('button', { name: 'Apply change' }));
    expect(await part.findByText(message)).toBeInTheDocument();
    expect(requested('PATCH', '/deployments/1053/configuration').map(({ body }) => body)).toEqual([
      { values: { komodo_passkey: null } },
    ]);
  });

  it('is discarded without a request', async () => {
    const { part, requested } = await opened();
    await userEvent.click(part.getByRole('button', { name: 'Change configuration' }));
    await userEvent.type(part.getByRole('textbox', { name: /Traefik Subdomain/ }), 'router');
    await userEvent.click(part.getByRole('button', { name: 'Discard' }));
    expect(part.getByText('Not set')).toBeInTheDocument();
    expect(requested('PATCH', '/deployments/1053/configuration')).toHaveLength(0);
  });

  it('says why the last change was not applied', async () => {
    const { part } = await opened({
      ...CONFIGURATION,
      change: {
        state: 'failed',
        fields: ['admin_email'],
        requested_at: '2026-11-21T14:18:00.000Z',
        finished_at: '2026-11-21T14:19:00.000Z',
        failure: { code: 'change.taken_back', facts: {}, detail: 'The previous values are in use again.' },
      },
    });
    expect(part.getByText(/The previous values are in use again\./)).toBeInTheDocument();
  });

  it('cannot be changed by an administrator who views the list, nor while the deployment restarts', async () => {
    showPage(
      { user_id: 99 },
      { tab: '/settings', more: { [REPLY]: { body: CONFIGURATION } }, user: { ...USER, is_admin: true } },
    );
    const part = await card('Configuration');
    expect(part.queryByRole('button', { name: 'Change configuration' })).not.toBeInTheDocument();
  });

  it('explains why it cannot be changed now', async () => {
    showPage({ status: 'RESTARTING' }, { tab: '/settings', more: { [REPLY]: { body: CONFIGURATION } } });
    const part = await card('Configuration');
    const button = await waitFor(() => part.getByRole('button', { name: 'Change configuration' }));
    await userEvent.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      'You can change the configuration while the deployment is ready.',
    );
  });
});
