import { describe, expect, it, jest } from '@jest/globals';
import type { OpenIncidentAnswer, OpenIncidentsAnswer } from '@moorage/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConsoleBar } from '../../app/layout/console-bar';
import { keysOf } from '../../data/live-hints';
import { incidentOf } from '../../resources/deployments/metrics/testing';
import { ADMIN, cells, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { onPhone } from '../../testing/screen-size';
import IncidentsPage from './incidents-page';

const INCIDENTS = 'GET /admin/incidents';

const openOf = (
  incident: ReturnType<typeof incidentOf>,
  over: Partial<OpenIncidentAnswer['deployment']> = {},
): OpenIncidentAnswer => ({
  ...incident,
  deployment: {
    id: 1053,
    client_name: 'harbour-lights',
    package: 'pangolin',
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    support_level: 2,
    user_id: 7,
    username: 'mara.lindqvist',
    ...over,
  },
});

const pageOf = (over: Partial<OpenIncidentsAnswer> = {}): OpenIncidentsAnswer => ({
  groups: [],
  incidents: [],
  total_pages: 1,
  current_page: 1,
  has_next: false,
  has_previous: false,
  ...over,
});

const OUTAGE = pageOf({
  groups: [
    { provider: 'hetzner', kind: 'down', count: 12, since: '2026-11-21T12:04:00.000Z', deployments: 40 },
    { provider: null, kind: 'disk_full', count: 1, since: '2026-11-20T09:10:00.000Z', deployments: 3 },
  ],
  incidents: [
    openOf(incidentOf('down', { id: 1 })),
    openOf(incidentOf('slow', { id: 2, facts: { seconds: 4 } })),
    openOf(incidentOf('disk_full', { id: 3, facts: { percent: 93 }, began_at: '2026-11-20T09:10:00.000Z' }), {
      id: 1047,
      client_name: '',
      server_type: 'vps',
      cloud_provider: null,
      region: null,
    }),
  ],
});

const NAMES: Replies = {
  'GET /deployments/packages': { body: [{ name: 'pangolin', display_name: 'Pangolin' }] },
  'GET /deployments/cloud-providers': { body: [{ name: 'hetzner', display_name: 'Hetzner' }] },
  'GET /deployments/regions/hetzner': { body: [] },
};

const show = (reply: Replies[string] = { body: OUTAGE }, { at = '/admin-incidents', user = ADMIN } = {}) =>
  showInConsole(<IncidentsPage />, { replies: { ...NAMES, [INCIDENTS]: reply }, at, user });

describe('incidents of all deployments', () => {
  it('show first what several deployments at a provider have in common', async () => {
    show();
    const groups = within(await screen.findByRole('region', { name: 'By provider' }));
    await groups.findByText("12 of 40 deployments at Hetzner don't respond");
    expect(groups.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      "12 of 40 deployments at Hetzner don't respondsince today, 12:04 UTC",
      '1 of 3 deployments on own servers has an almost full disksince yesterday, 09:10 UTC',
    ]);
  });

  it('are listed with deployment, owner, kind, beginning and what helps', async () => {
    show();
    await screen.findAllByText('Pangolin, Hetzner');
    expect(await cells('Open incidents')).toEqual([
      [
        'harbour-lightsPangolin, Hetzner',
        'mara.lindqvist',
        "Not respondingIt doesn't respond at its address.",
        'Sat 21 Nov, 12:04 UTC',
        'A restart often helps. The logs show why it stopped.',
      ],
      [
        'harbour-lightsPangolin, Hetzner',
        'mara.lindqvist',
        'SlowIt takes 4 seconds to respond.',
        'Sat 21 Nov, 12:04 UTC',
        'Look at CPU and memory in the metrics. If they are high, use a larger server.',
      ],
      [
        'deployment-1047Pangolin, Own servers',
        'mara.lindqvist',
        'Disk almost fullThe disk is 93 % full.',
        'Fri 20 Nov, 09:10 UTC',
        'Free space soon, or use a larger disk. At 100 % databases stop and backups fail.',
      ],
    ]);
    expect(screen.getByRole('link', { name: 'deployment-1047' })).toHaveAttribute('href', '/deployments/1047/metrics');
    expect(screen.getAllByRole('link', { name: 'mara.lindqvist' })[0]).toHaveAttribute('href', '/users/7/show');
    expect(document.title).toBe('Incidents · Moorage');
  });

  it('are filtered by a click on a group, and shown again by a second one', async () => {
    const { address, requested } = show();
    const group = /12 of 40 deployments/;
    await userEvent.click(await screen.findByRole('link', { name: group }));
    expect(address()).toBe('/admin-incidents?provider=hetzner&kind=down');
    await waitFor(() =>
      expect(requested('GET', '/admin/incidents').at(-1)?.query).toEqual({
        page: '1',
        per_page: '25',
        provider: 'hetzner',
        kind: 'down',
      }),
    );
    expect(screen.getByRole('link', { name: group })).toHaveAttribute('aria-current', 'true');
    await userEvent.click(screen.getByRole('link', { name: group }));
    expect(address()).toBe('/admin-incidents');
  });

  it('are filtered by provider and kind, which are in the address', async () => {
    const { address, requested } = show({ body: OUTAGE }, { at: '/admin-incidents?page=2&kind=slow' });
    const provider = await screen.findByRole('combobox', { name: 'Provider' });
    expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveValue('slow');
    await userEvent.selectOptions(provider, 'Own servers');
    expect(address()).toBe('/admin-incidents?kind=slow&provider=byovps');
    await waitFor(() =>
      expect(requested('GET', '/admin/incidents').at(-1)?.query).toMatchObject({ page: '1', provider: 'byovps' }),
    );
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'All kinds');
    expect(address()).toBe('/admin-incidents?provider=byovps');
  });

  it('say that no incident matches the filters', async () => {
    const { address } = show({ body: pageOf() }, { at: '/admin-incidents?kind=slow' });
    await screen.findByText('No open incident matches these filters.');
    await userEvent.click(screen.getByRole('link', { name: 'Clear filters' }));
    expect(await screen.findByText('Nothing is wrong right now.')).toBeInTheDocument();
    expect(address()).toBe('/admin-incidents');
  });

  it('have pages, which keep the filters', async () => {
    show({ body: { ...OUTAGE, total_pages: 3, current_page: 2 } }, { at: '/admin-incidents?page=2&kind=down' });
    expect(await screen.findByRole('link', { name: 'Page 3' })).toHaveAttribute(
      'href',
      '/admin-incidents?kind=down&page=3',
    );
  });

  it('say that nothing is wrong', async () => {
    show({ body: pageOf() });
    expect(await screen.findByText('Nothing is wrong right now.')).toBeInTheDocument();
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });

  it('are loaded again every minute and by hints of deployments', async () => {
    jest.useFakeTimers();
    const { requested, queryClient } = show();
    const count = () => requested('GET', '/admin/incidents').length;
    await screen.findByRole('region', { name: 'By provider' });
    expect(count()).toBe(1);
    await act(async () => void (await jest.advanceTimersByTimeAsync(60_000)));
    expect(count()).toBe(2);
    for (const queryKey of keysOf({ kind: 'deployment', id: 1053, version: 4 }))
      await act(async () => void (await queryClient.invalidateQueries({ queryKey })));
    expect(count()).toBe(3);
  });

  it('are cards on a phone', async () => {
    onPhone();
    show();
    const list = await screen.findByRole('list', { name: 'Open incidents' });
    expect(within(list).getAllByRole('listitem')[0]?.textContent).toContain('What helpsA restart often helps.');
  });

  it('can be loaded again', async () => {
    show({ status: 500, body: {} });
    expect((await screen.findByRole('alert')).textContent).toContain('The incidents could not be loaded.');
  });
});

describe('place of the incidents', () => {
  it('is in the menu of administrators only', async () => {
    for (const user of [ADMIN, USER]) {
      showInConsole(<ConsoleBar />, { replies: {}, user });
      await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
      const item = within(await screen.findByRole('menu')).queryByRole('menuitem', { name: 'Incidents' });
      expect(item?.getAttribute('href')).toBe(user.is_admin ? '/admin-incidents' : undefined);
      leaveConsole();
    }
  });

  it('is closed to other users', async () => {
    const { requested } = show({ body: OUTAGE }, { user: USER });
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(requested('GET', '/admin/incidents')).toEqual([]);
  });
});
