import { describe, expect, it } from '@jest/globals';
import { WATCH_MESSAGES } from '@moorage/domain';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { press, type Replies } from '../../../testing/console-fixture';
import { chooseTheme } from '../../../ui/theme-choice';
import { card, showPage } from '../page/testing';
import {
  containerOf,
  hostOf,
  incidentOf,
  incidentsOf,
  latestOf,
  metricsOf,
  pointsOf,
  uncheckedMetrics,
} from './testing';
import { withCanvas } from './testing-canvas';

const METRICS = 'GET /deployments/1053/metrics';
const INCIDENTS = 'GET /deployments/1053/incidents';
const BACKUP = { at: '2026-11-21T03:12:00.000Z', what: 'backup', ended_at: null, succeeded: null } as const;
const RESTART = {
  at: '2026-11-21T09:02:00.000Z',
  what: 'restart',
  ended_at: '2026-11-21T09:03:00.000Z',
  succeeded: false,
} as const;

/** A day with an hour without any check and three checks without response. */
const DAY = metricsOf({
  points: pointsOf('24h', (index) =>
    index >= 100 && index < 112
      ? null
      : { response_ms: 150 + (index % 91), cpu_percent: 8 + (index % 24), failed: index === 50 ? 3 : 0 },
  ),
  latest: latestOf({
    host: hostOf({ containers: [containerOf('traefik', 86), containerOf('gone', null), containerOf('pangolin', 582)] }),
    disk_full_in_days: 41,
  }),
  marks: [BACKUP, RESTART],
});

const show = (more: Replies, at = '/metrics', over: Parameters<typeof showPage>[0] = {}) =>
  showPage(over, { tab: at, more });

describe('charts of a deployment', () => {
  it('say what their lines say, with the latest figures', async () => {
    show({ [METRICS]: { body: DAY } });
    expect((await card('Response time')).getByRole('img', { name: /^Response time/ })).toHaveAccessibleName(
      'Response time. Between 150 ms and 240 ms in the last 24 hours, median 195 ms.',
    );
    expect((await card('Response time')).getByText('182 ms')).toBeInTheDocument();
    expect((await card('Response time')).getByText(/3 of 1380 checks got no response\./)).toBeInTheDocument();
    expect(
      (await card('CPU')).getByText(/^Between 8 % and 31 % in the last 24 hours, median .*2 vCPUs\.$/),
    ).toBeVisible();
    expect((await card('Memory')).getByText('1.5 GB of 4 GB')).toBeInTheDocument();
    expect(
      (await card('Memory')).getByText(
        'Always 1.5 GB in the last 24 hours. Used by containers: pangolin 610 MB, traefik 90 MB.',
      ),
    ).toBeInTheDocument();
    expect(
      (await card('Disk')).getByText(/At this rate, it is full in about 41 days\. Container logs take up 1\.2 GB\./),
    ).toBeInTheDocument();
  });

  it('say since when a deployment has figures', async () => {
    const points = pointsOf('24h', (index) => (index < 275 ? null : { cpu_percent: 12 }));
    show({ [METRICS]: { body: metricsOf({ points }) } });
    expect((await card('CPU')).getByText(/^Always 12 % since today, 13:15 UTC\./)).toBeVisible();
  });

  it('are drawn in UTC and in the colours of the theme', async () => {
    const { texts, colours } = withCanvas();
    document.documentElement.style.setProperty('--fill', 'teal');
    show({ [METRICS]: { body: DAY } });
    await card('Disk');
    await waitFor(() => expect(texts()).toEqual(expect.arrayContaining(['16:00', '00:00', '12:00', '100 %', '4 GB'])));
    expect(colours()).toContain('teal');
    document.documentElement.style.setProperty('--fill', 'aqua');
    act(() => chooseTheme('dark'));
    await waitFor(() => expect(colours()).toContain('aqua'));
    act(() => chooseTheme('light'));
    document.documentElement.style.removeProperty('--fill');
  });

  it('name the events of the period on hover and by keyboard', async () => {
    show({ [METRICS]: { body: DAY } });
    const marks = within((await card('CPU')).getByRole('list', { name: 'Events' })).getAllByRole('img');
    expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual([
      'Backup (running), Sat 21 Nov, 03:12 UTC',
      'Restart (failed), Sat 21 Nov, 09:02 UTC',
    ]);
    expect(marks.map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
    await userEvent.hover(marks[1] as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Restart (failed), Sat 21 Nov, 09:02 UTC');
    await userEvent.unhover(marks[1] as HTMLElement);
    act(() => marks[0]?.focus());
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(marks[1]).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(marks[0]).toHaveFocus();
  });

  it('have their numbers one click away, newest first', async () => {
    show({ [METRICS]: { body: DAY } });
    await press('Show numbers Response time');
    const [header, first, ...others] = within(
      await screen.findByRole('table', { name: 'Response time: numbers' }),
    ).getAllByRole('row');
    expect(header?.textContent).toBe('Time (UTC)MedianChecksWithout response');
    expect(first?.textContent).toBe('Sat 21 Nov, 14:15164 ms50');
    expect(others).toHaveLength(275);
    await press('Hide numbers Response time');
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });

  it('have one period, which is kept in the address', async () => {
    const reply = ({ query }: { query: Readonly<Record<string, string>> }) => ({
      body: metricsOf({ period: query.period as '24h' }),
    });
    const { address } = show({ [METRICS]: reply }, '/metrics?period=7d');
    await screen.findByText(/^Always 180 ms in the last 7 days\./);
    const periods = within(screen.getByRole('navigation', { name: 'Period' }));
    expect(periods.getByRole('link', { current: true }).textContent?.trim()).toBe('7 days');
    await userEvent.click(periods.getByRole('link', { name: '30 days' }));
    await screen.findByText(/^Always 180 ms in the last 30 days\./);
    expect(address()).toBe('/deployments/1053/metrics?period=30d');
  });

  it('wait for the first figures', async () => {
    show({ [METRICS]: { body: uncheckedMetrics() } });
    await card('Response time');
    expect(screen.getAllByText('The first figures arrive within five minutes.')).toHaveLength(4);
  });

  it('say once why the figures of the server are missing', async () => {
    const { detail, code, facts } = WATCH_MESSAGES.host_refuses;
    const failure = { code, facts, detail };
    const points = pointsOf('24h', () => ({ cpu_percent: null, memory_used_mb: null, disk_used_mb: null }));
    show({ [METRICS]: { body: metricsOf({ points, latest: latestOf({ host: null, host_failure: failure }) }) } });
    await card('Disk');
    expect(screen.getAllByText(detail)).toHaveLength(1);
    expect(screen.getAllByText('There are no figures for this period.')).toHaveLength(3);
  });

  it('can be loaded again', async () => {
    const { reply } = show({ [METRICS]: { status: 500, body: {} } });
    expect((await screen.findByRole('alert')).textContent).toContain('The metrics could not be loaded.');
    reply({ [METRICS]: { body: DAY } });
    await press('Try again now');
    await card('Response time');
  });

  it('are opened by g and m', async () => {
    const { address } = showPage();
    await card('Cost');
    await userEvent.keyboard('gm');
    await card('Response time');
    expect(address()).toBe('/deployments/1053/metrics');
  });
});

describe('incidents of a deployment', () => {
  const rows = async () =>
    within((await card('Incidents')).getByRole('list', { name: 'Incidents' })).getAllByRole('listitem');

  it('are none in 30 days', async () => {
    show({});
    const part = await card('Incidents');
    expect(await part.findByText('No incidents in the last 30 days.')).toBeInTheDocument();
    expect(part.getByText('99.98 % reachable in 30 days')).toBeInTheDocument();
    expect(part.getByRole('img')).toHaveAccessibleName('Last 30 days: 30 of 30 checked days without incidents.');
  });

  it('are marked on their days', async () => {
    const body = incidentsOf({}, (date) =>
      date === '2026-11-17'
        ? { state: 'down', reachable_percent: 97.4 }
        : date === '2026-11-19'
          ? { state: 'trouble' }
          : date < '2026-10-25'
            ? { state: 'none', reachable_percent: null }
            : {},
    );
    show({ [INCIDENTS]: { body } });
    const bar = await (await card('Incidents')).findByRole('img');
    expect(bar).toHaveAccessibleName(
      "Last 30 days: 26 of 28 checked days without incidents. It didn't respond for a while on Tue 17 Nov. Other incidents on Thu 19 Nov.",
    );
    expect((await card('Incidents')).getByText('99.98 % reachable since Sun 25 Oct')).toBeInTheDocument();
    expect(bar.children).toHaveLength(30);
    await userEvent.hover(bar.querySelector('.day-down') as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      "Tue 17 Nov: didn't respond for a while, 97.4 % reachable",
    );
  });

  it('show what helps while open, and their end and duration afterwards', async () => {
    const incidents = [
      incidentOf('container_stopped', { id: 3, facts: { container: 'traefik' } }),
      incidentOf('down', { id: 2, is_explained: true, began_at: '2026-11-21T12:05:00.000Z' }),
      incidentOf('disk_filling', {
        id: 1,
        facts: { percent: 82 },
        began_at: '2026-11-17T02:10:00.000Z',
        ended_at: '2026-11-17T09:31:00.000Z',
        returned: 2,
      }),
    ];
    show({ [INCIDENTS]: { body: incidentsOf({ incidents }) } });
    await screen.findByText('The container traefik is not running.');
    const [open, explained, ended] = await rows();
    expect(open?.textContent).toContain('Start it with a restart. The logs show why it stopped.');
    expect(open?.textContent).toContain('Since today, 12:04 UTC, for 2 h 14 min.');
    expect(within(open as HTMLElement).getByRole('button', { name: 'Restart' })).toBeInTheDocument();
    expect(explained?.textContent).toContain('Another open incident is the cause.');
    expect(within(explained as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
    expect(ended?.textContent).toBe(
      'The disk was 82 % full.17 Nov, 02:10 to 09:31 UTC, 7 h 21 min. It returned 2 times.Ended',
    );
  });

  it('keep the charts when they cannot be loaded', async () => {
    show({ [INCIDENTS]: { status: 500, body: {} } });
    expect(await (await card('Incidents')).findByText('The incidents could not be loaded.')).toBeInTheDocument();
    await card('Response time');
  });
});
