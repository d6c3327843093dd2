import { describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, MetricsAnswer } from '@moorage/contracts';
import { DISK_FILLING_FROM, DISK_FULL_FROM, MEMORY_FULL_FROM, SLOW_FROM_MS, WATCH_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import { press, type Replies } from '../../../testing/console-fixture';
import { showDetails, SLOW } from '../drawer/testing';
import { hostOf, incidentsOf, latestOf, metricsOf, pointsOf, uncheckedMetrics } from '../metrics/testing';
import { card, showPage } from '../page/testing';
import { pathOf } from './sparkline';

const METRICS = 'GET /deployments/1053/metrics';
type Latest = MetricsAnswer['latest'];

/** Renders the Overview and returns the links of the figures. */
async function show(metrics: MetricsAnswer = metricsOf(), more: Replies = {}, over: Partial<DeploymentAnswer> = {}) {
  showPage(over, { more: { [METRICS]: { body: metrics }, ...more } });
  const links = await (await card('Health')).findAllByRole('link');
  return links.map((link) => ({
    text: [...link.querySelectorAll('.k, b, .words')].map(({ textContent }) => textContent).join(' | '),
    tone: link.className.replace('figure ', ''),
    href: link.getAttribute('href'),
  }));
}

describe('health of a deployment', () => {
  it('is five figures, each a link to its chart', async () => {
    const page = '/deployments/1053';
    const figures = await show();
    await waitFor(() => expect(screen.getByText('99.98 % in 30 days')).toBeInTheDocument());
    expect(figures).toEqual([
      { text: expect.stringMatching(/^Response \| 182 ms/), tone: 'good', href: `${page}/metrics#response` },
      { text: 'CPU | 12 % | of 2 vCPUs', tone: 'good', href: `${page}/metrics#cpu` },
      { text: 'Memory | 1.5 GB | of 4 GB', tone: 'good', href: `${page}/metrics#memory` },
      { text: 'Disk | 19 GB | of 80 GB', tone: 'good', href: `${page}/metrics#disk` },
      { text: 'Certificate | 61 days | Renews automatically', tone: 'good', href: `${page}/access` },
    ]);
    expect((await card('Health')).getByText('Checked 40 s ago')).toBeInTheDocument();
  });

  it('has the last 24 hours beside the figures', async () => {
    const points = pointsOf('24h', (index) => (index === 8 ? null : { response_ms: 150 + index }));
    await show(metricsOf({ points }));
    const lines = (await card('Health')).getAllByRole('img');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toHaveAccessibleName('In the last 24 hours from 150 ms to 437 ms');
    expect(lines[0]?.querySelector('path')?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
  });

  const disk = (percent: number): Partial<Latest> => ({
    host: hostOf({ disk_mb: 100_000, disk_used_mb: percent * 1_000 }),
  });
  const memory = (percent: number): Partial<Latest> => ({
    host: hostOf({ memory_mb: 4_000, memory_used_mb: percent * 40 }),
  });
  const certificate = (over: Partial<NonNullable<Latest['certificate']>>): Partial<Latest> => ({
    certificate: { ...(latestOf().certificate as NonNullable<Latest['certificate']>), ...over },
  });
  const FIGURES = ['Response', 'CPU', 'Memory', 'Disk', 'Certificate'] as const;

  it.each<[(typeof FIGURES)[number], string, Partial<Latest>, string, string]>([
    ['Response', 'just below slow', { response_ms: SLOW_FROM_MS - 1 }, 'good', ''],
    ['Response', 'slow', { response_ms: SLOW_FROM_MS }, 'warning', 'Slow'],
    ['Response', 'that failed once', { response_ms: null }, 'warning', 'No response | The last check failed'],
    ['CPU', 'fully used', { host: hostOf({ cpu_percent: 100 }) }, 'good', '100 %'],
    ['Memory', 'just below full', memory(MEMORY_FULL_FROM - 1), 'good', 'of 4.2 GB'],
    ['Memory', 'full', memory(MEMORY_FULL_FROM), 'warning', 'Almost full, of 4.2 GB'],
    ['Disk', 'just below filling', disk(DISK_FILLING_FROM - 0.1), 'good', 'of 105 GB'],
    ['Disk', 'filling', disk(DISK_FILLING_FROM), 'warning', 'Filling up, of 105 GB'],
    ['Disk', 'just below full', disk(DISK_FULL_FROM - 0.1), 'warning', 'Filling up'],
    ['Disk', 'full', disk(DISK_FULL_FROM), 'alarm', 'Almost full, of 105 GB'],
    ['Certificate', 'with 20 days left', certificate({ days_left: 20 }), 'good', '20 days | Renews automatically'],
    ['Certificate', 'with 19 days left', certificate({ days_left: 19 }), 'warning', '19 days | Was not renewed'],
    [
      'Certificate',
      'expired',
      certificate({ verdict: 'expired', days_left: 0 }),
      'alarm',
      'Expired | Browsers show a warning',
    ],
    ['Certificate', 'missing', certificate({ verdict: 'not_issued', days_left: null }), 'alarm', 'Missing'],
    ['Certificate', 'of another name', certificate({ verdict: 'wrong_name' }), 'alarm', 'Wrong'],
    ['Certificate', 'that cannot be read', certificate({ verdict: 'unreachable' }), 'good', 'Could not be read'],
  ])('colours %s %s', async (figure, _, latest, tone, words) => {
    const figures = await show(metricsOf({ latest: latestOf(latest) }));
    const found = figures[FIGURES.indexOf(figure)];
    expect([found?.text.split(' | ')[0], found?.tone]).toEqual([figure, tone]);
    expect(found?.text).toContain(words);
  });

  it('says since when the deployment does not respond', async () => {
    const reachability = { state: 'unreachable', since: '2026-11-21T14:10:00.000Z', checked_at: null } as const;
    const [response] = await show(metricsOf({ latest: latestOf({ response_ms: null }) }), {}, { reachability });
    expect(response).toMatchObject({
      text: 'Response | No response | Not reachable since Sat 21 Nov, 14:10 UTC',
      tone: 'alarm',
    });
  });

  it('says why the figures of the server are missing', async () => {
    const { code, facts, detail } = WATCH_MESSAGES.host_silent;
    const figures = await show(metricsOf({ latest: latestOf({ host: null, host_failure: { code, facts, detail } }) }));
    expect(figures[2]?.text).toBe('Memory | – | Not known yet');
    expect(screen.getByText(detail)).toBeInTheDocument();
  });

  it('waits for the first figures', async () => {
    showPage({}, { more: { [METRICS]: { body: uncheckedMetrics() } } });
    const part = await card('Health');
    expect(await part.findByText('The first figures arrive within five minutes.')).toBeInTheDocument();
    expect(part.queryByText(/^Checked/)).not.toBeInTheDocument();
  });

  it('says in its place that it cannot be loaded, and keeps the other cards', async () => {
    const { reply } = showPage({}, { more: { [METRICS]: { status: 500, body: {} } } });
    const part = await card('Health');
    expect(await part.findByText('The health could not be loaded.')).toBeInTheDocument();
    await card('Cost');
    reply({ [METRICS]: { body: metricsOf() } });
    await press('Try again now', part);
    expect(await part.findByText('182 ms')).toBeInTheDocument();
  });

  it('shows no reachability before the first day', async () => {
    const body = incidentsOf({ reachable_percent: null });
    const [response] = await show(metricsOf(), { 'GET /deployments/1053/incidents': { body } });
    expect(response?.text).toBe('Response | 182 ms');
  });

  it('has no place while the deployment is being built', async () => {
    const { requested } = showPage({ status: 'PROVISIONING' });
    await card('Cost');
    expect(screen.queryByRole('region', { name: 'Health' })).not.toBeInTheDocument();
    expect(requested('GET', '/deployments/1053/metrics')).toEqual([]);
  });
});

describe('health in the panel', () => {
  it('is one line, with words for what is not good', async () => {
    const metrics = metricsOf({ latest: latestOf({ host: hostOf({ disk_mb: 100_000, disk_used_mb: 93_000 }) }) });
    const { part, drawer } = await showDetails({ status: 'READY' }, { [METRICS]: { body: metrics } });
    await part.findByText('Response 182 ms', undefined, SLOW);
    const line = within(drawer.querySelector('.health-line') as HTMLElement).getAllByRole('link');
    expect(line.map(({ textContent }) => textContent)).toEqual([
      'Response 182 ms',
      'CPU 12 %',
      'Memory 1.5 GB',
      'Disk 98 GB (Almost full, of 105 GB)',
      'Certificate 61 days',
    ]);
    expect(line[3]).toHaveClass('alarm');
    expect(part.getByText("It's running.")).toBeInTheDocument();
  });
});

describe('small line', () => {
  it('begins again after a gap and ends at its highest value', () => {
    expect(pathOf({ at: [0, 10, 20, 30], values: [0, 5, null, 10] }, 10)).toBe('M0 27L40 14M120 1');
  });

  it('lies at the bottom if everything is 0', () => {
    expect(pathOf({ at: [0, 10], values: [0, 0] }, 0)).toBe('M0 27L120 27');
  });
});
