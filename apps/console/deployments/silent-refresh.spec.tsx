import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { type Bench, leaveConsole, type Replies, showInConsole } from '../testing/console-bench';
import Dashboard from './dashboard-page';
import { deploymentOf, NOW, progressOf, repliesFor, stepOf } from './testing';

/** Real, also while the clock is not. */
const later = setTimeout;

beforeEach(() => {
  jest.useFakeTimers({
    now: Date.parse(NOW),
    // what fetch and React wait with is not time
    doNotFake: ['nextTick', 'queueMicrotask', 'performance'],
  });
});
afterEach(() => {
  leaveConsole();
  jest.useRealTimers();
});

const NAME = 'maralind-pangolin-915204';

/** So much time passes, and whatever was asked for arrives. */
async function pass(ms: number): Promise<void> {
  await act(async () => {
    await jest.advanceTimersByTimeAsync(ms);
    for (let turns = 0; turns < 10; turns += 1) await new Promise((done) => later(done, 0));
  });
}

async function show(
  over: Parameters<typeof deploymentOf>[0],
  { at = '/dashboard', more = {} }: { at?: string; more?: Replies } = {},
) {
  const bench = showInConsole(<Dashboard />, { replies: repliesFor([deploymentOf(over)], more), at });
  for (let turns = 0; turns < 10; turns += 1) await pass(20);
  expect(screen.getByRole('link', { name: NAME })).toBeTruthy();
  return bench;
}

const asked = ({ calls }: Bench, path: string): number =>
  calls.filter((call) => call.method === 'GET' && call.path === path).length;

describe('the list', () => {
  it('is asked for again every 8 seconds while anything is in flight', async () => {
    const bench = await show({ status: 'RESTARTING' });
    const before = asked(bench, '/deployments');
    await pass(7_000);
    expect(asked(bench, '/deployments')).toBe(before);
    await pass(1_000);
    expect(asked(bench, '/deployments')).toBe(before + 1);
    await pass(8_000);
    expect(asked(bench, '/deployments')).toBe(before + 2);
  });

  it('is left alone while nothing is in flight', async () => {
    const bench = await show({ status: 'READY' });
    const before = asked(bench, '/deployments');
    await pass(60_000);
    expect(asked(bench, '/deployments')).toBe(before);
  });

  it('does not change the page by one node while a refresh brings nothing new', async () => {
    const bench = await show({ status: 'RESTARTING' });
    const before = asked(bench, '/deployments');
    const seen: string[] = [];
    const told = ({ type, target, attributeName }: MutationRecord): string =>
      `${type} of ${target instanceof Element ? target.outerHTML.slice(0, 200) : target.nodeName} ${attributeName ?? ''}`;
    const observer = new MutationObserver((records) => seen.push(...records.map(told)));
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    bench.reply({
      'GET /deployments': () => ({
        body: [deploymentOf({ status: 'RESTARTING', updated_at: '2026-11-21T14:19:00.000Z', version: 8 })],
        headers: { 'x-total-count': '1' },
      }),
    });
    await pass(24_000);
    expect(asked(bench, '/deployments')).toBe(before + 3);
    expect([...seen, ...observer.takeRecords().map(told)]).toEqual([]);
    observer.disconnect();
  });

  it('shows a status that changed, and then rests', async () => {
    const bench = await show({ status: 'RESTARTING' });
    bench.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'READY' })], headers: { 'x-total-count': '1' } },
    });
    await pass(8_000);
    expect(screen.getByText('Ready', { selector: '.st span' })).toBeTruthy();
    const before = asked(bench, '/deployments');
    await pass(30_000);
    expect(asked(bench, '/deployments')).toBe(before);
  });

  it('keeps its rows when a refresh fails, and says how old they are', async () => {
    const bench = await show({ status: 'RESTARTING' });
    bench.reply({
      'GET /deployments': { status: 500, body: { detail: 'The service rests.', code: 'INTERNAL_ERROR' } },
    });
    await pass(8_000);
    expect(screen.getByRole('link', { name: NAME })).toBeTruthy();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('Failed to fetch deployments. The service rests.');
    expect(alert.textContent).toContain('As of just now.');
    bench.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'READY' })], headers: { 'x-total-count': '1' } },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    await pass(50);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('Ready', { selector: '.st span' })).toBeTruthy();
  });
});

describe('after an action', () => {
  it.each([
    ['a DNS retry', 'DNS_FAILED', 'Retry DNS Validation', 'retry-dns-validation', 2_000],
    ['a restart', 'READY', 'Restart Stack (Fix SSL)', 'restart', 3_000],
  ] as const)('%s the list is asked for a moment later', async (_what, status, label, path, ms) => {
    // the answer keeps the status, so that nothing but the action makes the list be asked for
    const bench = await show(
      { status },
      { more: { [`POST /deployments/1053/${path}`]: { body: deploymentOf({ status }) } } },
    );
    fireEvent.click(screen.getByRole('button', { name: `Actions for ${NAME}` }));
    await pass(300);
    fireEvent.click(screen.getByRole('menuitem', { name: label }));
    await pass(20);
    const before = asked(bench, '/deployments');
    await pass(ms - 100);
    expect(asked(bench, '/deployments')).toBe(before);
    await pass(200);
    expect(asked(bench, '/deployments')).toBe(before + 1);
  });
});

describe('the status of the open deployment', () => {
  const open = { at: '/dashboard?deployment=1053' };
  const status = (now: string) => ({
    body: {
      id: 1053,
      status: now,
      failure_reason: null,
      deleted_at: null,
      instance_ip: '203.0.113.41',
      vps_ip_address: null,
      version: 4,
    },
  });

  it('is polled every 5 seconds while it is set up', async () => {
    const bench = await show({ status: 'PROVISIONING' }, open);
    const before = asked(bench, '/deployments/1053/status');
    await pass(5_000);
    expect(asked(bench, '/deployments/1053/status')).toBe(before + 1);
    await pass(5_000);
    expect(asked(bench, '/deployments/1053/status')).toBe(before + 2);
  });

  it.each(['READY', 'RESTARTING', 'DESTROYING', 'FAILED', 'DNS_FAILED'] as const)(
    'is not polled while it is %s',
    async (now) => {
      const bench = await show({ status: now }, open);
      await pass(20_000);
      expect(asked(bench, '/deployments/1053/status')).toBe(0);
    },
  );

  it('is not polled any more after a failed poll', async () => {
    const bench = await show({ status: 'PROVISIONING' }, open);
    bench.reply({ 'GET /deployments/1053/status': { status: 500, body: {} } });
    await pass(5_000);
    const before = asked(bench, '/deployments/1053/status');
    expect(before).toBeGreaterThan(0);
    await pass(30_000);
    expect(asked(bench, '/deployments/1053/status')).toBe(before);
  });

  it('makes the whole record be loaded when it becomes DNS_VALIDATION', async () => {
    const bench = await show({ status: 'PROVISIONING' }, open);
    const before = asked(bench, '/deployments/1053');
    bench.reply({
      'GET /deployments/1053/status': status('DNS_VALIDATION'),
      'GET /deployments/1053': { body: deploymentOf({ status: 'DNS_VALIDATION' }) },
      'GET /deployments': { body: [deploymentOf({ status: 'DNS_VALIDATION' })], headers: { 'x-total-count': '1' } },
    });
    await pass(5_100);
    expect(asked(bench, '/deployments/1053')).toBe(before + 1);
    expect(screen.getAllByText('Validating DNS...')).toHaveLength(2);
  });

  it('shows a failure in the drawer and the list without loading the record', async () => {
    const bench = await show({ status: 'PROVISIONING' }, open);
    const before = asked(bench, '/deployments/1053');
    bench.reply({ 'GET /deployments/1053/status': status('FAILED') });
    await pass(5_100);
    expect(asked(bench, '/deployments/1053')).toBe(before);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
  });
});

describe('the timeline', () => {
  it('counts from the server’s time, also after the tab has slept, and announces only the step', async () => {
    const progress = progressOf([
      stepOf('created', 'done', { started_at: NOW, ended_at: NOW, duration_ms: 0 }),
      stepOf('create-server', 'running', {
        started_at: '2026-11-21T14:17:52.000Z',
        usually_ms: { median: 40_000, p95: 95_000 },
      }),
      stepOf('wait-for-ssh', 'waiting'),
    ]);
    await show(
      { status: 'PROVISIONING' },
      { at: '/dashboard?deployment=1053', more: { 'GET /deployments/1053/progress': { body: progress } } },
    );
    const now = (): string => document.querySelector('.tl .now .d')?.textContent ?? '';
    const announced = (): string => document.querySelector('.drawer .body > [role=status]')?.textContent ?? '';
    expect(now()).toMatch(/^(8|9) s$/);
    expect(announced()).toBe('Step 2 of 3: Ordering a server at Hetzner');
    expect(document.querySelector('[role=status], [aria-live]')?.contains(document.querySelector('.tl .now .d'))).toBe(
      false,
    );
    await pass(3_000);
    expect(now()).toMatch(/^1[12] s$/);
    expect(announced()).toBe('Step 2 of 3: Ordering a server at Hetzner');
    expect(screen.getByText('Usually 40 to 95 s here.')).toBeTruthy();
  });
});
