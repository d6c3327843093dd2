import { describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, IncidentAnswer } from '@moorage/contracts';
import { STEP_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showDetails } from '../drawer/testing';
import { ADMIN, dialog, press, USER } from '../../../testing/console-fixture';
import { incidentOf } from '../metrics/testing';
import { card, showPage } from '../page/testing';
import { TABS } from '../tabs';
import { deploymentOf, progressOf, stepOf } from '../testing';

const NAME = 'maralind-pangolin-915204';
const START = 'POST /deployments/1053/start-server';
const OFF = incidentOf('server_off', { facts: { provider: 'hetzner', by: 'account' } });
const STARTABLE = ['restart', 'deactivate', 'start_server'];

async function show(
  incidents: readonly IncidentAnswer[],
  over: Partial<DeploymentAnswer> = {},
  options: Parameters<typeof showPage>[1] = {},
) {
  const fixture = showPage({ incidents: [...incidents], ...over }, options);
  const message = await screen.findByText(incidents[0]?.message.detail ?? '');
  const note = message.closest<HTMLElement>('.note') as HTMLElement;
  return { ...fixture, note, part: within(note) };
}

const buttons = (note: HTMLElement) =>
  [...note.querySelectorAll<HTMLElement>('.btn')].map(({ textContent }) => textContent);

describe('note about an incident', () => {
  it.each([
    [incidentOf('dns_elsewhere', { facts: { host: 'admin.harbour-lights.example' } }), 'Show records', 'access'],
    [incidentOf('disk_full', { facts: { percent: 93 } }), 'Change size', 'settings'],
    [
      incidentOf('server_gone', { facts: { provider: 'hetzner' }, action: 'create_from_backup' }),
      'Show backups',
      'backups',
    ],
  ])('leads to what helps against %j', async (incident, label, tab) => {
    const { part } = await show([incident]);
    expect(part.getByRole('link', { name: label })).toHaveAttribute('href', `/deployments/1053/${tab}`);
    expect(part.getByText(incident.remedy.detail)).toBeInTheDocument();
  });

  it('has no link to the tab that is open', async () => {
    const { note } = await show([incidentOf('disk_full', { facts: { percent: 93 } })], {}, { tab: '/settings' });
    expect(buttons(note)).toEqual([]);
  });

  it('offers no other size for an own server', async () => {
    const own = { server_type: 'vps', cloud_provider: null, vps_ip_address: '203.0.113.9' } as const;
    const { note } = await show([incidentOf('disk_full', { facts: { percent: 93 } })], own);
    expect(buttons(note)).toEqual([]);
  });

  it('restarts the stack', async () => {
    const { requested, part } = await show(
      [incidentOf('down')],
      {},
      {
        more: { 'POST /deployments/1053/restart': { body: deploymentOf({ status: 'RESTARTING' }) } },
      },
    );
    expect(part.getByText("It doesn't respond at its address.").closest('.note')).toHaveClass('port');
    await press('Restart', part);
    await press('Restart', within(await screen.findByRole('alertdialog')));
    await waitFor(() => expect(requested('POST', '/deployments/1053/restart')).toHaveLength(1));
  });

  it.each([
    ['that the server does not allow', { actions: ['deactivate'] }],
    ['that the status does not allow', { status: 'RESTARTING' as const }],
  ])('has no button for a restart %s', async (_, over) => {
    const { note } = await show([incidentOf('down')], over);
    expect(buttons(note)).toEqual([]);
  });

  it('has no button for a start that is not possible', async () => {
    const { note } = await show([OFF], { actions: ['restart'] });
    expect(buttons(note)).toEqual([]);
  });

  it('has no button that cannot work while the account is viewed', async () => {
    const impersonation = { token: 'a-view', user: USER, expiresAt: '2099-01-01T00:00:00.000Z' };
    const { note } = await show([OFF], { actions: STARTABLE }, { user: ADMIN, impersonation });
    expect(buttons(note)).toEqual([]);
  });

  it('shows a warning in another colour, with a link to the logs if they have a tab', async () => {
    const { note } = await show([incidentOf('container_restarting', { facts: { container: 'traefik' } })]);
    expect(note).toHaveClass('brass');
    expect(note).toHaveAttribute('role', 'status');
    expect(buttons(note)).toEqual(TABS.some(({ path }) => path === 'logs') ? ['Show logs'] : []);
  });

  it('skips what another incident explains, and counts the others', async () => {
    const explained = incidentOf('down', { id: 2, is_explained: true });
    const other = incidentOf('disk_filling', { id: 3, facts: { percent: 82 } });
    const { part } = await show([OFF, explained, other]);
    const more = part.getByRole('link', { name: 'and 1 more' });
    expect(more).toHaveAttribute('href', '/deployments/1053/metrics');
    await userEvent.click(more);
    await card('Incidents');
    expect(screen.queryByRole('link', { name: 'and 1 more' })).not.toBeInTheDocument();
  });
});

describe('server that is switched off', () => {
  const started = { [START]: { body: deploymentOf({ status: 'RESTARTING', incidents: [] }) } };

  it('says what it costs, and is started by its owner', async () => {
    const { part, requested, reply } = await show([OFF], { actions: STARTABLE }, { more: started });
    reply({ 'GET /deployments/1053': started[START] });
    expect(
      part.getByText('The server was switched off at Hetzner by a user of the provider account.'),
    ).toBeInTheDocument();
    expect(
      part.getByText(/It costs the same while it is switched off, because Hetzner keeps it reserved/),
    ).toBeInTheDocument();
    await press('Start server', part);
    const confirm = await dialog(`Start the server of ${NAME}`);
    expect(confirm.getByText(/^We switch the server on at Hetzner/)).toBeInTheDocument();
    expect(confirm.getByText('The price does not change.')).toBeInTheDocument();
    await press('Start server', confirm);
    expect(await screen.findByText(`Starting the server of ${NAME}.`)).toBeInTheDocument();
    const [call, ...others] = requested('POST', '/deployments/1053/start-server');
    expect([call?.body, others]).toEqual([{ reason: null }, []]);
    await waitFor(() => expect(screen.queryByText(OFF.message.detail)).not.toBeInTheDocument());
  });

  it('needs a reason from staff', async () => {
    const { part, requested } = await show([OFF], { actions: STARTABLE }, { more: started, user: ADMIN });
    await press('Start server', part);
    const confirm = await dialog(`Start the server of ${NAME}`);
    expect(confirm.getByRole('button', { name: 'Start server' })).toBeDisabled();
    await userEvent.type(confirm.getByRole('textbox', { name: 'Reason' }), 'Asked for by phone.');
    await press('Start server', confirm);
    await waitFor(() =>
      expect(requested('POST', '/deployments/1053/start-server').map(({ body }) => body)).toEqual([
        { reason: 'Asked for by phone.' },
      ]),
    );
  });

  it('says why it could not be started', async () => {
    const more = { [START]: { status: 503, body: {} } };
    const { part } = await show([OFF], { actions: STARTABLE }, { more });
    await press('Start server', part);
    const confirm = await dialog(`Start the server of ${NAME}`);
    await press('Start server', confirm);
    expect(await confirm.findByText('The server could not be started.')).toBeInTheDocument();
  });

  it('says why the last start failed', async () => {
    const failed = { message: STEP_MESSAGES.cloud_capacity_now };
    const body = progressOf([stepOf('start-server', 'failed', failed)], { run: 'restart', status: 'READY' });
    const more = { 'GET /deployments/1053/progress': { body } };
    const { part } = await show([OFF], { actions: STARTABLE }, { more });
    expect(
      await part.findByText(`The last start failed. ${STEP_MESSAGES.cloud_capacity_now.detail}`),
    ).toBeInTheDocument();
  });

  it('does not call a start failed because a restart before it failed', async () => {
    const failed = { message: STEP_MESSAGES.check_health };
    const body = progressOf([stepOf('check-health', 'failed', failed)], { run: 'restart', status: 'READY' });
    const { part } = await show([OFF], {}, { more: { 'GET /deployments/1053/progress': { body } } });
    expect(part.queryByText(/^The last start failed\./)).not.toBeInTheDocument();
  });

  it('is not started by an account without a verified email', async () => {
    const { part } = await show([OFF], { actions: STARTABLE }, { user: { ...USER, is_verified: false } });
    expect(part.getByRole('button', { name: 'Start server' })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('panel of a deployment with an incident', () => {
  it('shows the note in place of the one that it runs', async () => {
    const { part } = await showDetails({ status: 'READY', incidents: [incidentOf('down')] });
    expect(await part.findByText("It doesn't respond at its address.")).toBeInTheDocument();
    expect(part.queryByText("It's running.")).not.toBeInTheDocument();
  });

  it('still says that it runs beside a warning', async () => {
    const warning = incidentOf('disk_filling', { facts: { percent: 82 } });
    const { part } = await showDetails({ status: 'READY', incidents: [warning] });
    expect(await part.findByText('The disk is 82 % full.')).toBeInTheDocument();
    expect(part.getByText("It's running.")).toBeInTheDocument();
  });
});
