import { describe, expect, it } from '@jest/globals';
import type { ReleaseImageAnswer, ReleaseRolloutAnswer } from '@moorage/contracts';
import { UPDATE_MESSAGES } from '@moorage/domain';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConsoleBar } from '../../app/layout/console-bar';
import { keysOf } from '../../data/live-hints';
import { ADMIN, cells, dialog, press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { onPhone } from '../../testing/screen-size';
import ReleasesPage from './releases-page';

const RELEASES = 'GET /admin/releases';

const CHANGED_AT = '2026-11-20T10:00:00.000Z';

const rolloutOf = (version: string, over: Partial<ReleaseRolloutAnswer> = {}): ReleaseRolloutAnswer => ({
  version,
  kind: 'patch',
  released_on: '2026-11-16',
  changes: [],
  migrates: false,
  supported_until: null,
  package: 'pangolin',
  package_name: 'Pangolin',
  ring: 'own',
  state: 'rolling',
  is_first: false,
  changed_at: CHANGED_AT,
  changed_by: 'erik.kovac',
  deployments: 3,
  running: 1,
  done: 2,
  undone: 0,
  images: [],
  ...over,
});

const FRESH = { ring: 'none', changed_at: null, changed_by: null, deployments: 0, running: 0, done: 0 } as const;
const ROLLOUTS = [
  rolloutOf('1.24.0-2', { kind: 'security', ...FRESH }),
  rolloutOf('1.24.0-1'),
  rolloutOf('1.23.1', { state: 'stopped', ring: 'few', changed_by: null, undone: 2 }),
  rolloutOf('1.23.0', { state: 'withdrawn', ring: 'quarter' }),
  rolloutOf('1.22.0', { is_first: true, ring: 'all', changed_at: null, changed_by: null }),
  rolloutOf('4.0.1', { package: 'coolify', package_name: 'Coolify', is_first: true, ring: 'all' }),
];

const show = (reply: Replies[string] = { body: ROLLOUTS }, user = ADMIN) =>
  showInConsole(<ReleasesPage />, { replies: { [RELEASES]: reply }, user });

const decisions = (fixture: ReturnType<typeof show>, version: string) =>
  fixture.requested('PUT', `/admin/releases/pangolin/${version}`).map(({ body }) => body);

describe('versions of all packages', () => {
  it('are listed by package with their ring, their updates and who decided', async () => {
    show();
    expect(await cells('Pangolin')).toEqual([
      [
        '1.24.0-2 Security16 Nov 2026',
        'Nobody',
        '0',
        '0 running, 0 done, 0 undone',
        'Not yet',
        'Offer to administrators 1.24.0-2Withdraw 1.24.0-2',
      ],
      [
        '1.24.0-1 Bug fixes16 Nov 2026',
        'Deployments of administrators',
        '3',
        '1 running, 2 done, 0 undone',
        'Fri 20 Nov, 10:00 UTCby erik.kovac',
        'Offer to 5 % 1.24.0-1Stop 1.24.0-1Withdraw 1.24.0-1',
      ],
      [
        '1.23.1 Bug fixes16 Nov 2026',
        'Stopped5 % of deployments',
        '3',
        '1 running, 2 done, 2 undone',
        'Fri 20 Nov, 10:00 UTCafter failures',
        'Continue 1.23.1Withdraw 1.23.1',
      ],
      [
        '1.23.0 Bug fixes16 Nov 2026',
        'Withdrawn',
        '3',
        '1 running, 2 done, 0 undone',
        'Fri 20 Nov, 10:00 UTCby erik.kovac',
        '',
      ],
      ['1.22.0 Bug fixes16 Nov 2026', 'All deployments', '3', '1 running, 2 done, 0 undone', 'Always offered', ''],
    ]);
    expect(await cells('Coolify')).toHaveLength(1);
    expect(document.title).toBe('Releases · Moorage');
  });

  it('show what the comparison of their images has found', async () => {
    const imageOf = (image: string, over: Partial<ReleaseImageAnswer> = {}): ReleaseImageAnswer => ({
      image,
      newest: null,
      is_withdrawn: false,
      was_moved: false,
      is_unreachable: false,
      checked_at: '2026-11-21T04:40:00.000Z',
      ...over,
    });
    const pangolin = imageOf('docker.io/fosrl/pangolin:1.24.0');
    show({
      body: [
        rolloutOf('1.24.0-2', {
          images: [
            imageOf('docker.io/traefik:v3.7.14', { newest: 'v3.7.15' }),
            { ...pangolin, is_unreachable: true, checked_at: '2026-11-20T04:40:00.000Z' },
          ],
        }),
        rolloutOf('1.24.0', {
          images: [imageOf('docker.io/traefik:v3.7.12', { is_withdrawn: true }), pangolin],
        }),
      ],
    });
    await screen.findByRole('table', { name: 'Pangolin' });
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Newer image: traefik v3.7.15 (pinned: docker.io/traefik:v3.7.14)',
      'Registry not reachable at the last check: docker.io/fosrl/pangolin:1.24.0',
      'Image withdrawn: docker.io/traefik:v3.7.12',
    ]);
    expect(screen.getByText(/^Images last compared/).textContent).toBe(
      'Images last compared with their registries: Fri 20 Nov, 04:40 UTC',
    );
  });

  it.each([
    ['Offer to 5 % 1.24.0-1', 'Offer Pangolin 1.24.0-1 to more deployments', 'Offer to 5 %', 'few', 'rolling'],
    ['Stop 1.24.0-1', 'Stop Pangolin 1.24.0-1', 'Stop', 'own', 'stopped'],
    ['Withdraw 1.24.0-1', 'Withdraw Pangolin 1.24.0-1', 'Withdraw', 'own', 'withdrawn'],
  ] as const)('%s is sent after a confirmation', async (button, title, submit, ring, state) => {
    const fixture = show();
    await press(button);
    const asked = await dialog(title);
    expect(decisions(fixture, '1.24.0-1')).toEqual([]);
    const decided = ROLLOUTS.map((one) => (one.version === '1.24.0-1' ? { ...one, ring, state } : one));
    fixture.reply({
      'PUT /admin/releases/pangolin/1.24.0-1': { body: decided[1] },
      [RELEASES]: { body: decided },
    });
    await press(submit, asked);
    expect(await screen.findByText(/^Version 1\.24\.0-1 /)).toBeInTheDocument();
    expect(decisions(fixture, '1.24.0-1')).toEqual([{ ring, state, expected_changed_at: CHANGED_AT }]);
    expect(screen.queryByRole('button', { name: button })).not.toBeInTheDocument();
  });

  it('say before a withdrawal that deployments keep the version', async () => {
    show();
    await press('Withdraw 1.24.0-1');
    const asked = await dialog('Withdraw Pangolin 1.24.0-1');
    expect(asked.getByText(/no longer offered to anyone\..*keep it until they are updated\./)).toBeInTheDocument();
  });

  it('continue with the same ring after failures', async () => {
    const fixture = show();
    await press('Continue 1.23.1');
    fixture.reply({ 'PUT /admin/releases/pangolin/1.23.1': { body: { ...ROLLOUTS[2], state: 'rolling' } } });
    await press('Continue', await dialog('Continue Pangolin 1.23.1'));
    expect(await screen.findByText('Version 1.23.1 is offered again.')).toBeInTheDocument();
    expect(decisions(fixture, '1.23.1')).toEqual([{ ring: 'few', state: 'rolling', expected_changed_at: CHANGED_AT }]);
  });

  it('are not changed if another administrator has decided meanwhile', async () => {
    const fixture = show();
    await press('Offer to 5 % 1.24.0-1');
    const { detail } = UPDATE_MESSAGES.rollout_changed;
    const stopped = ROLLOUTS.map((one) => (one.version === '1.24.0-1' ? { ...one, state: 'stopped' } : one));
    fixture.reply({
      'PUT /admin/releases/pangolin/1.24.0-1': {
        status: 409,
        body: { code: 'RELEASE_CHANGED', detail },
      },
      [RELEASES]: { body: stopped },
    });
    await press('Offer to 5 %', await dialog('Offer Pangolin 1.24.0-1 to more deployments'));
    expect(await screen.findByText(detail)).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Continue 1.24.0-1' })).toBeInTheDocument();
  });

  it('are loaded again by hints of deployments', async () => {
    const { requested, queryClient } = show();
    await screen.findByRole('table', { name: 'Pangolin' });
    for (const queryKey of keysOf({ kind: 'deployment', id: 1053, version: 4 }))
      await act(async () => void (await queryClient.invalidateQueries({ queryKey })));
    expect(requested('GET', '/admin/releases')).toHaveLength(2);
  });

  it('are cards on a phone', async () => {
    onPhone();
    show();
    const [first] = within(await screen.findByRole('list', { name: 'Pangolin' })).getAllByRole('listitem');
    expect(first?.textContent).toContain('Offered toNobody');
  });

  it('can be loaded again', async () => {
    show({ status: 500, body: {} });
    expect((await screen.findByRole('alert')).textContent).toContain("The releases couldn't be loaded.");
  });
});

describe('place of the releases', () => {
  it('is in the menu of administrators only', async () => {
    for (const user of [ADMIN, USER]) {
      showInConsole(<ConsoleBar />, { replies: {}, user });
      await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
      const item = within(await screen.findByRole('menu')).queryByRole('menuitem', { name: 'Releases' });
      expect(item?.getAttribute('href')).toBe(user.is_admin ? '/releases' : undefined);
      leaveConsole();
    }
  });

  it('is closed to other users', async () => {
    const { requested } = show({ body: ROLLOUTS }, USER);
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(requested('GET', '/admin/releases')).toEqual([]);
  });
});
