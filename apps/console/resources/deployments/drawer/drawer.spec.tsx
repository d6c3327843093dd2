import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asStored, PROGRESS_STEPS } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeploymentAnswer } from '@moorage/contracts';
import { ConsoleBar } from '../../../app/layout/console-bar';
import { runwayOf } from '../../../pages/billing/testing';
import { type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { deploymentsTexts as german } from '@moorage/texts/de/console/deployments';
import { deploymentsTexts as english } from '@moorage/texts/en/console/deployments';
import Dashboard from '../list';
import { DASHBOARD_LOGIN, deploymentOf, dnsOf, NOW, progressOf, repliesFor, stepOf } from '../testing';

const SLOW = { timeout: 10_000 };
const copied: string[] = [];

beforeEach(() => {
  copied.length = 0;
});
async function show(over: Partial<DeploymentAnswer>, more: Replies = {}, user = USER) {
  const deployment = deploymentOf(over);
  const fixture = showInConsole(<Dashboard />, {
    replies: repliesFor([deployment], more),
    at: `/dashboard?deployment=${deployment.id}`,
    user,
  });
  await screen.findByRole('heading', { name: deployment.client_name, level: 2 }, SLOW);
  const drawer = document.querySelector('.drawer') as HTMLElement;
  return { ...fixture, deployment, drawer, part: within(drawer) };
}

/** Called after userEvent has installed its own clipboard. */
function keepCopies(): void {
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      writeText: async (text: string) => {
        copied.push(text);
      },
    },
  });
}

const OWN = { server_type: 'vps', cloud_provider: null, region: null, vps_ip_address: '198.51.100.72' } as const;

describe('details during setup', () => {
  const steps = [
    stepOf('created', 'done', { started_at: NOW, ended_at: NOW, duration_ms: 0 }),
    stepOf('create-server', 'done', {
      started_at: NOW,
      ended_at: NOW,
      duration_ms: 8_000,
      message: asStored('cpx22 at fsn1'),
    }),
    stepOf('wait-for-ssh', 'running', { started_at: NOW, usually_ms: { median: 40_000, p95: 95_000 }, attempts: 2 }),
    stepOf('bootstrap', 'waiting', { usually_ms: { median: 61_000, p95: 120_000 } }),
    stepOf('validate-dns', 'action_required', { attempts: 0 }),
    stepOf('issue-certificate', 'waiting'),
  ];
  const more: Replies = {
    'GET /deployments/1053/progress': { body: progressOf(steps) },
    'GET /deployments/1053/dns': { body: dnsOf({ checked_at: null, next_check_at: null }) },
  };

  it('show finished steps with their duration, the current step, the next steps, and those of the owner', async () => {
    const { drawer, part } = await show({ status: 'PROVISIONING' }, more);
    await part.findByText('Waiting for the server to respond', undefined, SLOW);
    const lines = [...drawer.querySelectorAll('.tl > li')].map((line) => [line.className, line.textContent]);
    expect(lines.map(([tone]) => tone)).toEqual(['ok', 'ok', 'now', 'wait', 'need', 'wait']);
    expect(lines[0]?.[1]).toBe('Deployment created< 1 s');
    expect(lines[1]?.[1]).toBe('Server ordered at Hetzner8 scpx22 at fsn1');
    expect(lines[2]?.[1]).toContain('Usually 40 to 95 s here.');
    expect(lines[2]?.[1]).toContain('Attempt 2.');
    expect(lines[3]?.[1]).toBe('Install Dockerusually 1 to 2 min');
    expect(lines[4]?.[1]).toBe('Point your domain hereyour turnAdd the records below now to avoid waiting later.');
    expect(lines[5]?.[1]).toBe('Issue the certificateup to 15 min');
    expect(part.getByText('Provisioning may take up to 5 minutes')).toBeInTheDocument();
  });

  it('show the DNS records before their step', async () => {
    const { part } = await show({ status: 'PROVISIONING' }, more);
    expect(await part.findByText('DNS and certificates', undefined, SLOW)).toBeInTheDocument();
    expect(part.getAllByText('203.0.113.41').length).toBeGreaterThan(2);
  });

  it('show that nothing is charged yet, the later price, and how long the balance then lasts', async () => {
    const { drawer, calls } = await show({ status: 'PROVISIONING' }, more);
    await waitFor(() =>
      expect(drawer.textContent).toContain(
        "You aren't charged yet. Once it's running: $0.85 a day. Your balance will then last until Tue 1 Dec, 00:00 UTC.",
      ),
    );
    expect(calls.some(({ query }) => 'order_hourly' in query)).toBe(false);
  });

  it('show the same date in the details, the header and the dashboard, before it runs and after', async () => {
    const status = { current: 'PROVISIONING' as DeploymentAnswer['status'] };
    const deployment = () => deploymentOf({ status: status.current });
    const fixture = showInConsole(
      <>
        <ConsoleBar />
        <Dashboard />
      </>,
      {
        replies: repliesFor([deployment()], {
          ...more,
          'GET /deployments': () => ({ body: [deployment()], headers: { 'x-total-count': '1' } }),
          'GET /deployments/1053': () => ({ body: deployment() }),
          // With another deployment the balance would run out earlier.
          'GET /billing/runway': ({ query }) => ({
            body: runwayOf(
              { now: NOW, running: 2, starting: status.current === 'READY' ? 0 : 1 },
              'order_hourly' in query ? 4 : 9,
            ),
          }),
        }),
        at: '/dashboard?deployment=1053',
      },
    );
    const date = 'Mon 30 Nov, 00:00 UTC';
    await waitFor(
      () => expect(document.querySelector('.drawer')?.textContent).toMatch(new RegExp(`lasts? until ${date}`)),
      SLOW,
    );
    expect(document.querySelector('.until')?.textContent).toContain(`Balance lasts until ${date}`);
    const card = document.querySelector('.runbox');
    expect(card?.querySelector('.when strong')?.textContent).toBe(date);
    expect(card?.querySelector('.when .then')?.textContent).toMatch(/a day, 1 starting$/);

    status.current = 'READY';
    await fixture.queryClient.invalidateQueries();
    await waitFor(() => expect(card?.querySelector('.when .then')?.textContent).toMatch(/a day$/), SLOW);
    expect(card?.querySelector('.when strong')?.textContent).toBe(date);
    expect(document.querySelector('.until')?.textContent).toContain(`Balance lasts until ${date}`);
    expect(document.querySelector('.drawer')?.textContent).not.toContain("You aren't charged yet");
  });

  it('show an administrator no date, which would be based on their own balance', async () => {
    const { part, drawer } = await show({ status: 'PROVISIONING', user_id: 8 }, more, { ...USER, is_admin: true });
    await part.findByText("You aren't charged yet.", undefined, SLOW);
    await waitFor(() => expect(document.querySelector('.runbox .when strong')?.textContent).toContain('UTC'));
    expect(drawer.textContent).not.toContain('Your balance will then last until');
  });

  it('offer no action and explain the disabled button', async () => {
    const { part } = await show({ status: 'PROVISIONING' }, more);
    const button = part.getByRole('button', { name: 'Deactivate' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe('Cannot modify during provisioning');
  });

  it('show that it takes longer than usual', async () => {
    const { part } = await show(
      { status: 'PROVISIONING' },
      { ...more, 'GET /deployments/1053/progress': { body: progressOf(steps, { overdue: true }) } },
    );
    expect(await part.findByText(/This is taking longer than usual/, undefined, SLOW)).toBeInTheDocument();
  });

  it('show the log on demand', async () => {
    const { part, reply } = await show({ status: 'PROVISIONING' }, more);
    reply({
      'GET /deployments/1053/steps': {
        body: [{ id: 1, run_id: 1, step: 'create-server', outcome: 'done', message: asStored('Ordered.'), at: NOW }],
      },
    });
    await userEvent.click(await part.findByRole('button', { name: 'Show log' }, SLOW));
    expect(await part.findByText(`${NOW} create-server done: Ordered.`)).toBeInTheDocument();
  });
});

describe('own server that waits for access', () => {
  const script = 'services:\n  authorize-platform:\n    image: alpine\n';
  const more: Replies = {
    'GET /deployments/1053/progress': {
      body: progressOf([stepOf('created', 'done'), stepOf('wait-for-ssh', 'action_required', { started_at: NOW })]),
    },
    'GET /servers/periphery-script': { body: script },
  };

  it('shows the script first, copies it, and confirms that for two seconds', async () => {
    const { part } = await show({ ...OWN, status: 'CREATING' }, more);
    expect(
      await part.findByText('Run this file on your server to give us access.', undefined, SLOW),
    ).toBeInTheDocument();
    expect(part.getByText('Waiting for access to your server')).toBeInTheDocument();
    const file = await part.findByRole('region', { name: 'docker-compose.yml' });
    await within(file).findByRole('button', { name: 'Copy' });
    keepCopies();
    jest.useFakeTimers({ advanceTimers: true, doNotFake: ['performance'] });
    try {
      within(file).getByRole('button', { name: 'Copy' }).click();
      expect(await within(file).findByRole('button', { name: 'Copied' })).toBeInTheDocument();
      jest.advanceTimersByTime(2_000);
      expect(await within(file).findByRole('button', { name: 'Copy' })).toBeInTheDocument();
    } finally {
      jest.useRealTimers();
    }
    expect(copied).toEqual([script]);
  });

  it("shows no script to an administrator of another user's deployment because its key would be wrong", async () => {
    const { part } = await show({ ...OWN, status: 'CREATING', user_id: 99 }, more, { ...USER, is_admin: true });
    await part.findByText('Waiting for access to your server', undefined, SLOW);
    expect(part.queryByRole('region', { name: 'docker-compose.yml' })).not.toBeInTheDocument();
  });
});

describe('DNS Setup Required', () => {
  const more: Replies = {
    'GET /deployments/1053/dns': { body: dnsOf() },
    'GET /deployments/1053/progress': {
      body: progressOf(
        [
          stepOf('validate-dns', 'action_required', { started_at: '2026-11-20T14:18:00.000Z' }),
          stepOf('issue-certificate', 'waiting'),
        ],
        { run: 'validate-dns', status: 'DNS_FAILED' },
      ),
    },
  };

  it('shows the problem first, then each record with its current value', async () => {
    const { drawer, part } = await show({ status: 'DNS_FAILED' }, more);
    expect(await part.findByText('2 names do not point to your server yet.', undefined, SLOW)).toBeInTheDocument();
    const rows = [...drawer.querySelectorAll('.dns tbody tr')].map((row) => row.textContent);
    expect(rows[0]).toContain('DNS correct, 2 of 2');
    expect(rows[1]).toContain('DNS points to 192.0.2.7');
    expect(rows[2]).toContain('No DNS record found');
    expect(part.getByText(/1 of 3 records are correct\. Checked 4 min ago\./)).toBeInTheDocument();
  });

  it('shows the exact answer of each resolver', async () => {
    const { drawer, part } = await show({ status: 'DNS_FAILED' }, more);
    await userEvent.click(await part.findByText('Results by resolver', undefined, SLOW));
    const seen = drawer.querySelector('.seen')?.textContent ?? '';
    expect(seen).toContain("www.harbour-lights.example1.1.1.1192.0.2.7the domain's name server192.0.2.7");
    expect(seen).toContain('no such name');
  });

  it('copies one value, all records, and a message to send to your DNS admin', async () => {
    const { part } = await show({ status: 'DNS_FAILED' }, more);
    await part.findByRole('button', { name: 'Copy all' }, SLOW);
    keepCopies();
    part.getByRole('button', { name: 'Copy www' }).click();
    part.getByRole('button', { name: 'Copy all' }).click();
    part.getByRole('button', { name: 'Copy instructions' }).click();
    await waitFor(() => expect(copied).toHaveLength(3));
    expect(copied[0]).toBe('www');
    expect(copied[1]?.split('\n')).toEqual([
      'admin.harbour-lights.example. A 203.0.113.41',
      'www.harbour-lights.example. A 203.0.113.41',
      'ai.harbour-lights.example. A 203.0.113.41',
    ]);
    expect(copied[2]).toContain('Please add these DNS records for harbour-lights.example:');
    expect(copied[2]).toContain('www.harbour-lights.example. A 203.0.113.41');
  });

  it('states that the deployment is charged', async () => {
    const { part } = await show({ status: 'DNS_FAILED' }, more);
    expect(part.getByText(/It runs and costs \$0\.85 a day while the domain isn't ready/)).toBeInTheDocument();
    expect(part.getByRole('button', { name: 'Retry DNS Validation' })).toBeInTheDocument();
    expect(part.getByRole('button', { name: 'Deactivate' })).toBeInTheDocument();
  });
});

describe('failed deployment', () => {
  const reason = 'This server size is sold out in this region. Please choose another size or region.';
  const cleanup = (state: 'done' | 'running') =>
    stepOf('delete-server', state, { part: 'cleanup', duration_ms: 2_000 });
  const more = (state: 'done' | 'running' = 'done'): Replies => ({
    'GET /deployments/1053/progress': {
      body: progressOf(
        [
          stepOf('created', 'done', { duration_ms: 0 }),
          stepOf('create-server', 'failed', {
            started_at: '2026-11-21T11:32:15.000Z',
            ended_at: '2026-11-21T11:36:21.000Z',
            duration_ms: 246_000,
            attempts: 2,
            message: asStored(reason),
          }),
          cleanup(state),
        ],
        { status: 'FAILED' },
      ),
    },
  });

  it('shows the reason, the cost, and what is left', async () => {
    const { drawer, part } = await show({ status: 'FAILED', failure: asStored(reason) }, more());
    expect(await part.findByText("Hetzner couldn't provide this server.", undefined, SLOW)).toBeInTheDocument();
    expect(drawer.querySelector('.note.port')?.textContent).toContain(
      "You weren't charged. Everything was cleaned up.",
    );
    expect(part.getByText('Billing has stopped.')).toBeInTheDocument();
  });

  it('shows that leftovers are still being removed', async () => {
    const { part } = await show({ status: 'FAILED', failure: asStored(reason) }, more('running'));
    expect(await part.findByText(/We're still cleaning up\./, undefined, SLOW)).toBeInTheDocument();
  });

  it('stops at the failed step and lists the clean-up after it', async () => {
    const { drawer, part } = await show({ status: 'FAILED', failure: asStored(reason) }, more());
    await part.findByText('Timeline', undefined, SLOW);
    const lines = [...drawer.querySelectorAll('.tl > li')];
    expect(lines.map(({ className }) => className)).toEqual(['ok', 'bad', 'ok']);
    expect(lines[1]?.textContent).toBe(
      'Order a server at Hetzner4 min 6 sFailed here, 21 Nov 2026, 11:36:21 UTC, after 2 attempts',
    );
    // The server never existed, so it is not reported as deleted.
    expect(lines[2]?.textContent).toContain('No server left at Hetzner');
  });

  it('offers the raw reason for copying', async () => {
    const { part } = await show({ status: 'FAILED', failure: asStored(reason) }, more());
    const block = part.getByRole('region', { name: 'Failure reason' });
    await waitFor(() => expect(block.textContent).toContain('step: create-server'), SLOW);
    keepCopies();
    within(block).getByRole('button', { name: 'Copy Failure reason' }).click();
    await waitFor(() => expect(copied[0]).toContain(`${reason}\nstep: create-server\nattempts: 2`));
  });

  it('shows that the server of a deployment that ran is gone', async () => {
    const { part } = await show(
      { status: 'FAILED', failure: asStored('The server was lost.') },
      { 'GET /deployments/1053/progress': { body: progressOf([], { run: 'restart', status: 'FAILED' }) } },
    );
    expect((await part.findAllByText('The server was lost.', undefined, SLOW)).length).toBeGreaterThan(0);
    await waitFor(() => expect(part.getByText(/Charges stopped when it was lost/)).toBeInTheDocument());
  });
});

describe('running deployment', () => {
  it('leaves records, secrets, details and settings to its page', async () => {
    const { part, calls } = await show({ status: 'READY' });
    await part.findByText('$0.85 a day', undefined, SLOW);
    await part.findByText('Response 182 ms', undefined, SLOW);
    expect(part.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'HealthChecked 40 s ago',
      'Backups',
      'Cost',
    ]);
    expect(part.getByRole('link', { name: 'Open page' })).toHaveAttribute('href', '/deployments/1053');
    expect(calls.some(({ path }) => path.endsWith('/reveal-secrets'))).toBe(false);
  });

  it('opens with one click and shows its price per day, hour and month', async () => {
    const { part } = await show({ status: 'READY' });
    expect(part.getByRole('link', { name: 'Open' })).toHaveAttribute('href', 'https://admin.harbour-lights.example');
    expect(part.getByText('$0.85 a day')).toBeInTheDocument();
    expect(part.getByText('$0.0356 an hour, $25.63 a month (30 days).')).toBeInTheDocument();
  });

  it('shows a charge in its grace period with the missing amount and the deadline', async () => {
    const grace_period_ends_at = '2026-11-21T15:18:00.000Z';
    const gracePeriod = { deployment_id: 1053, client_name: 'x', amount: 0.8544, needed: 0.4001, grace_period_ends_at };
    const { drawer } = await show(
      { status: 'READY', grace_period_ends_at },
      { 'GET /billing/runway': { body: runwayOf({ grace_periods: [gracePeriod] }) } },
    );
    await waitFor(() =>
      expect(drawer.querySelector('[role=alert]')?.textContent).toContain(
        '$0.86 is due. Add at least $0.41 by Sat 21 Nov, 15:18 UTC, or it will be deleted.',
      ),
    );
  });

  it('shows since when the provider has not listed the server, and that nothing is changed', async () => {
    const { drawer } = await show({ status: 'READY', server_unseen_since: '2026-11-21T12:05:00.000Z' });
    await waitFor(() =>
      expect(drawer.querySelector('[role=alert]')?.textContent).toMatch(
        /doesn't list this server.*Hetzner hasn't listed this server since Sat 21 Nov, 12:05 UTC/,
      ),
    );
  });

  describe('signing in to a package', () => {
    const rows: DeploymentAnswer['sign_in'] = [
      DASHBOARD_LOGIN,
      {
        title: 'Traefik dashboard',
        title_texts: { en: 'Traefik dashboard', de: 'Traefik-Dashboard' },
        address: 'https://edge.harbour-lights.example/dashboard/',
        open_link: 'http://edge.harbour-lights.example:3000/dashboard/',
        user: 'admin',
        password: 'DASHBOARD_PASSWORD',
        token: null,
      },
    ];
    const secrets = {
      'POST /deployments/1053/reveal-secrets': {
        body: {
          secrets: [
            { name: 'ADMIN_PASSWORD', label: 'Admin Password', value: 'hunter2-hunter2' },
            { name: 'DASHBOARD_PASSWORD', label: 'Dashboard Password', value: 'hunter3-hunter3' },
            { name: 'SETUP_TOKEN', label: 'Setup Token', value: 'used-up' },
          ],
        },
      },
    };
    const block = () => within(document.getElementById('sign-in') as HTMLElement);

    it('shows addresses and usernames, and reveals only a password with one audited call', async () => {
      const { calls, part } = await show({ status: 'READY', sign_in: rows }, secrets);
      await part.findByRole('heading', { name: 'Login', level: 3 }, SLOW);
      expect(
        block()
          .getAllByRole('link')
          .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
      ).toEqual([
        ['admin.harbour-lights.example', 'https://admin.harbour-lights.example/', 'noreferrer'],
        ['edge.harbour-lights.example/dashboard/', 'http://edge.harbour-lights.example:3000/dashboard/', 'noreferrer'],
      ]);
      expect(block().getByText('mara@northsea.example')).toBeInTheDocument();
      expect(calls.some(({ path }) => path.endsWith('/reveal-secrets'))).toBe(false);
      await userEvent.click(block().getByRole('button', { name: 'Show Dashboard: Password' }));
      keepCopies();
      expect(await block().findByText('hunter2-hunter2')).toBeInTheDocument();
      expect(document.body.textContent).not.toContain('hunter3-hunter3');
      await userEvent.click(block().getByRole('button', { name: 'Copy Dashboard: Password' }));
      await userEvent.click(block().getByRole('button', { name: 'Copy Traefik dashboard: Address' }));
      expect(copied).toEqual(['hunter2-hunter2', 'http://edge.harbour-lights.example:3000/dashboard/']);
      await userEvent.click(block().getByRole('button', { name: 'Hide Dashboard: Password' }));
      expect(document.body.textContent).not.toContain('hunter2-hunter2');
      await userEvent.click(block().getByRole('button', { name: 'Show Traefik dashboard: Password' }));
      expect(await block().findByText('hunter3-hunter3')).toBeInTheDocument();
      expect(calls.filter(({ path }) => path.endsWith('/reveal-secrets'))).toHaveLength(1);
    });

    it('is the target of the link in the email and scrolls into view', async () => {
      const seen: string[] = [];
      HTMLElement.prototype.scrollIntoView = function (this: HTMLElement) {
        seen.push(this.textContent ?? '');
      };
      const deployment = deploymentOf({ status: 'READY', sign_in: rows });
      const { address } = showInConsole(<Dashboard />, {
        replies: repliesFor([deployment]),
        at: '/dashboard?deployment=1053#sign-in',
      });
      const heading = await screen.findByRole('heading', { name: 'Login', level: 3 }, SLOW);
      await waitFor(() => expect(heading).toHaveFocus());
      expect(seen).toEqual([expect.stringMatching(/^LoginDashboard/)]);
      expect(address()).toBe('/dashboard#sign-in');
      Reflect.deleteProperty(HTMLElement.prototype, 'scrollIntoView');
    });

    it('opens the placeholder page of a simulated server and states that', async () => {
      const open_link = 'http://admin.ada.sandbox.localhost:3000/';
      const { part } = await show({ status: 'READY', access_link: 'https://admin.ada.sandbox.localhost', open_link });
      expect(await part.findByRole('link', { name: 'Open' }, SLOW)).toHaveAttribute('href', open_link);
      expect(part.getByText(/^Simulated: the link opens a placeholder page/)).toBeInTheDocument();
      const [row] = screen.getAllByTitle('https://admin.ada.sandbox.localhost');
      expect([row?.textContent, row?.getAttribute('href')]).toEqual(['admin.ada.sandbox.localhost', open_link]);
    });
  });
});

describe('ended deployment', () => {
  it('has no cost, and can be deleted', async () => {
    const { part, calls } = await show({ status: 'DESTROYED', deleted_at: NOW });
    expect(part.getByText('Billing has stopped.')).toBeInTheDocument();
    expect(part.getByRole('button', { name: 'Delete' })).toBeInTheDocument();
    expect(calls.some(({ path }) => path.endsWith('/dns'))).toBe(false);
  });
});

describe('step labels', () => {
  it.each([
    ['English', english],
    ['German', german],
  ])('are complete in %s', (_language, texts) => {
    for (const name of PROGRESS_STEPS) {
      const { todo, doing, done } = texts.steps[name];
      expect([todo, doing, done].every((words) => words.trim() !== '')).toBe(true);
      expect(texts.failure.step[name]).toMatch(/\S/);
    }
  });
});
