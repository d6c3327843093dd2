import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { LiveHints } from '../../data/live-hints';
import { type ConsoleFixture, type Replies, showInConsole } from '../../testing/console-fixture';
import Dashboard from './list';
import { deploymentOf, NOW, progressOf, repliesFor, stepOf } from './testing';

/** Real timer, even while the clock is faked. */
const later = setTimeout;

beforeEach(() => {
  jest.useFakeTimers({
    now: Date.parse(NOW),
    // Timers of fetch and React stay real.
    doNotFake: ['nextTick', 'queueMicrotask', 'performance'],
  });
});
const NAME = 'maralind-pangolin-915204';

/** Advances the clock and waits for pending responses. */
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
  const fixture = showInConsole(<Dashboard />, { replies: repliesFor([deploymentOf(over)], more), at });
  for (let turns = 0; turns < 10; turns += 1) await pass(20);
  expect(screen.getByRole('link', { name: NAME })).toBeInTheDocument();
  return fixture;
}

const requested = (fixture: ConsoleFixture, path: string): number => fixture.requested('GET', path).length;

describe('silent refresh of the list', () => {
  it('reloads every 8 seconds while an operation is in progress', async () => {
    const fixture = await show({ status: 'RESTARTING' });
    const before = requested(fixture, '/deployments');
    await pass(7_000);
    expect(requested(fixture, '/deployments')).toBe(before);
    await pass(1_000);
    expect(requested(fixture, '/deployments')).toBe(before + 1);
    await pass(8_000);
    expect(requested(fixture, '/deployments')).toBe(before + 2);
  });

  it('does not reload while nothing is in progress', async () => {
    const fixture = await show({ status: 'READY' });
    const before = requested(fixture, '/deployments');
    await pass(60_000);
    expect(requested(fixture, '/deployments')).toBe(before);
  });

  it('does not change a single node when a refresh returns the same data', async () => {
    const fixture = await show({ status: 'RESTARTING' });
    const before = requested(fixture, '/deployments');
    const seen: string[] = [];
    const reported = ({ type, target, attributeName }: MutationRecord): string =>
      `${type} of ${target instanceof Element ? target.outerHTML.slice(0, 200) : target.nodeName} ${attributeName ?? ''}`;
    const observer = new MutationObserver((records) => seen.push(...records.map(reported)));
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    fixture.reply({
      'GET /deployments': () => ({
        body: [deploymentOf({ status: 'RESTARTING', updated_at: '2026-11-21T14:19:00.000Z', version: 8 })],
        headers: { 'x-total-count': '1' },
      }),
    });
    await pass(24_000);
    expect(requested(fixture, '/deployments')).toBe(before + 3);
    expect([...seen, ...observer.takeRecords().map(reported)]).toEqual([]);
    observer.disconnect();
  });

  it('shows a changed status and then stops', async () => {
    const fixture = await show({ status: 'RESTARTING' });
    fixture.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'READY' })], headers: { 'x-total-count': '1' } },
    });
    await pass(8_000);
    expect(screen.getByText('Ready', { selector: '.st span' })).toBeInTheDocument();
    const before = requested(fixture, '/deployments');
    await pass(30_000);
    expect(requested(fixture, '/deployments')).toBe(before);
  });

  it('keeps its rows when a refresh fails, and shows their age', async () => {
    const fixture = await show({ status: 'RESTARTING' });
    fixture.reply({
      'GET /deployments': { status: 500, body: { detail: 'The service rests.', code: 'INTERNAL_ERROR' } },
    });
    await pass(8_000);
    expect(screen.getByRole('link', { name: NAME })).toBeInTheDocument();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('Failed to fetch deployments. The service rests.');
    expect(alert.textContent).toContain('As of just now.');
    fixture.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'READY' })], headers: { 'x-total-count': '1' } },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    await pass(50);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.getByText('Ready', { selector: '.st span' })).toBeInTheDocument();
  });
});

describe('silent refresh after an action', () => {
  it.each([
    ['a DNS retry', 'DNS_FAILED', 'Retry DNS Validation', 'retry-dns-validation', 2_000],
    ['a restart', 'READY', 'Restart Stack (Fix SSL)', 'restart', 3_000],
  ] as const)('after %s reloads the list a moment later', async (_what, status, label, path, ms) => {
    // The response keeps the status, so that only the action itself reloads the list.
    const fixture = await show(
      { status },
      { more: { [`POST /deployments/1053/${path}`]: { body: deploymentOf({ status }) } } },
    );
    fireEvent.click(screen.getByRole('button', { name: `Actions for ${NAME}` }));
    await pass(300);
    fireEvent.click(screen.getByRole('menuitem', { name: label }));
    await pass(20);
    if (path === 'restart') fireEvent.click(within(screen.getByRole('alertdialog')).getByText('Restart'));
    await pass(20);
    const before = requested(fixture, '/deployments');
    await pass(ms - 100);
    expect(requested(fixture, '/deployments')).toBe(before);
    await pass(200);
    expect(requested(fixture, '/deployments')).toBe(before + 1);
  });
});

describe('status of the open deployment', () => {
  const open = { at: '/dashboard?deployment=1053' };
  const status = (now: string) => ({
    body: {
      id: 1053,
      status: now,
      failure_reason: null,
      failure: null,
      deleted_at: null,
      instance_ip: '203.0.113.41',
      vps_ip_address: null,
      version: 4,
    },
  });

  it('is polled every 5 seconds during setup', async () => {
    const fixture = await show({ status: 'PROVISIONING' }, open);
    const before = requested(fixture, '/deployments/1053/status');
    await pass(5_000);
    expect(requested(fixture, '/deployments/1053/status')).toBe(before + 1);
    await pass(5_000);
    expect(requested(fixture, '/deployments/1053/status')).toBe(before + 2);
  });

  it.each(['READY', 'RESTARTING', 'DESTROYING', 'FAILED', 'DNS_FAILED'] as const)(
    'is not polled while it is %s',
    async (now) => {
      const fixture = await show({ status: now }, open);
      await pass(20_000);
      expect(requested(fixture, '/deployments/1053/status')).toBe(0);
    },
  );

  it('is no longer polled after a failed poll', async () => {
    const fixture = await show({ status: 'PROVISIONING' }, open);
    fixture.reply({ 'GET /deployments/1053/status': { status: 500, body: {} } });
    await pass(5_000);
    const before = requested(fixture, '/deployments/1053/status');
    expect(before).toBeGreaterThan(0);
    await pass(30_000);
    expect(requested(fixture, '/deployments/1053/status')).toBe(before);
  });

  it('reloads the whole record when it becomes DNS_VALIDATION', async () => {
    const fixture = await show({ status: 'PROVISIONING' }, open);
    const before = requested(fixture, '/deployments/1053/setup');
    fixture.reply({
      'GET /deployments/1053/status': status('DNS_VALIDATION'),
      'GET /deployments/1053': { body: deploymentOf({ status: 'DNS_VALIDATION' }) },
      'GET /deployments': { body: [deploymentOf({ status: 'DNS_VALIDATION' })], headers: { 'x-total-count': '1' } },
    });
    await pass(5_100);
    expect(requested(fixture, '/deployments/1053/setup')).toBe(before + 1);
    expect(screen.getAllByText('Validating DNS...')).toHaveLength(2);
  });

  it('shows a failure in drawer and list without loading the record', async () => {
    const fixture = await show({ status: 'PROVISIONING' }, open);
    const before = requested(fixture, '/deployments/1053');
    fixture.reply({
      'GET /deployments/1053/status': status('FAILED'),
      'GET /deployments/1053/setup': { status: 500, body: {} },
    });
    await pass(5_100);
    expect(requested(fixture, '/deployments/1053')).toBe(before);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
  });
});

/** F41: responses arrive out of order, and each row has a version. */
describe('response older than the displayed data', () => {
  /** Response that arrives when `land` is called. */
  function late(body: unknown): {
    reply: () => Promise<{ body: unknown; headers: Record<string, string> }>;
    land(): void;
  } {
    let land: () => void = () => undefined;
    const landed = new Promise<void>((resolve) => (land = resolve));
    return { reply: () => landed.then(() => ({ body, headers: { 'x-total-count': '1' } })), land };
  }

  const reported = (version: number, status: 'PROVISIONING' | 'FAILED') => deploymentOf({ status, version });

  it('leaves the list unchanged until a newer response arrives', async () => {
    const fixture = await show({ status: 'PROVISIONING', version: 3 }, { at: '/dashboard?deployment=1053' });
    const older = late([reported(3, 'PROVISIONING')]);
    fixture.reply({
      'GET /deployments': older.reply,
      'GET /deployments/1053/status': {
        body: {
          ...reported(4, 'FAILED'),
          failure_reason: null,
          failure: null,
          instance_ip: null,
          vps_ip_address: null,
        },
      },
    });
    // The list is requested, but the poll of the open deployment reports a newer status first.
    void fixture.queryClient.invalidateQueries({ queryKey: ['deployments'] });
    await pass(5_100);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
    older.land();
    await pass(50);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
    fixture.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'READY', version: 5 })], headers: { 'x-total-count': '1' } },
    });
    void fixture.queryClient.invalidateQueries({ queryKey: ['deployments'] });
    await pass(50);
    expect(screen.getByText('Ready', { selector: '.st span' })).toBeInTheDocument();
  });

  it('leaves the drawer unchanged', async () => {
    const fixture = await show({ status: 'PROVISIONING', version: 3 }, { at: '/dashboard?deployment=1053' });
    const older = late(reported(3, 'PROVISIONING'));
    fixture.reply({
      'GET /deployments/1053': older.reply,
      'GET /deployments/1053/status': {
        body: {
          ...reported(4, 'FAILED'),
          failure_reason: null,
          failure: null,
          instance_ip: null,
          vps_ip_address: null,
        },
      },
    });
    void fixture.queryClient.invalidateQueries({ queryKey: ['deployments', 1053] });
    await pass(5_100);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
    older.land();
    await pass(50);
    expect(screen.getAllByText('Failed')).toHaveLength(2);
  });

  it('does not restore a deployment that was removed in the meantime', async () => {
    const fixture = await show({ status: 'READY', version: 3 }, { at: '/dashboard?deployment=1053' });
    const [list, record] = [late([deploymentOf({ version: 3 })]), late(deploymentOf({ version: 3 }))];
    fixture.reply({
      'GET /deployments': list.reply,
      'GET /deployments/1053': record.reply,
      'DELETE /deployments/1053': { body: { status: 'DESTROYING', deleted_at: null, refunded_amount: 0 } },
    });
    void fixture.queryClient.invalidateQueries({ queryKey: ['deployments'] });
    void fixture.queryClient.invalidateQueries({ queryKey: ['deployments', 1053] });
    await pass(20);
    // Requests from here on never complete.
    fixture.reply({
      'GET /deployments': () => new Promise(() => undefined),
      'GET /deployments/1053': () => new Promise(() => undefined),
    });
    fireEvent.click(screen.getByRole('button', { name: `Actions for ${NAME}` }));
    await pass(300);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Deactivate' }));
    await pass(300);
    fireEvent.change(within(screen.getByRole('alertdialog')).getByRole('textbox'), { target: { value: NAME } });
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Deactivate' }));
    await pass(300);
    expect(screen.getAllByText('Deactivating...')).toHaveLength(2);
    list.land();
    record.land();
    await pass(300);
    expect(screen.getAllByText('Deactivating...')).toHaveLength(2);
  });
});

describe('hint about a deployment that this tab deletes', () => {
  it('requests nothing that is gone, before the response and after it', async () => {
    let hint: (line: string) => void = () => undefined;
    const hints = new ReadableStream<Uint8Array>({
      start: (stream) => (hint = (line) => stream.enqueue(new TextEncoder().encode(line))),
    });
    let answer: () => void = () => undefined;
    const deleted = new Promise<void>((resolve) => (answer = resolve));
    const row = deploymentOf({ status: 'FAILED', version: 3 });
    const fixture = showInConsole(
      <>
        <LiveHints />
        <Dashboard />
      </>,
      {
        replies: repliesFor([row], {
          'GET /live': { body: hints },
          'DELETE /deployments/1053': () => deleted.then(() => ({ body: { message: 'Deleted.' } })),
        }),
        at: '/dashboard?deployment=1053',
      },
    );
    for (let turns = 0; turns < 10; turns += 1) await pass(20);
    const changed = `data: ${JSON.stringify({ kind: 'deployment', id: 1053, version: 4 })}\n\n`;
    const before = requested(fixture, '/deployments/1053');
    hint(changed);
    await pass(50);
    expect(requested(fixture, '/deployments/1053')).toBe(before + 1);

    fireEvent.click(screen.getByRole('button', { name: `Actions for ${NAME}` }));
    await pass(300);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete (permanent)' }));
    await pass(300);
    fireEvent.change(within(screen.getByRole('alertdialog')).getByRole('textbox'), { target: { value: NAME } });
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await pass(50);
    // Hints within a second are collected.
    await pass(1_000);
    const lists = requested(fixture, '/deployments');
    hint(changed);
    await pass(50);
    expect(requested(fixture, '/deployments')).toBe(lists + 1);
    expect(requested(fixture, '/deployments/1053')).toBe(before + 1);
    fixture.reply({ 'GET /deployments': { body: [], headers: { 'x-total-count': '0' } } });
    answer();
    hint(changed);
    await pass(1_300);
    hint(changed);
    await pass(1_300);
    expect(screen.queryByRole('link', { name: NAME })).not.toBeInTheDocument();
    expect(requested(fixture, '/deployments/1053')).toBe(before + 1);
  });
});

describe('tab that was suspended for an hour', () => {
  it('reloads everything when it becomes visible again', async () => {
    const fixture = await show({ status: 'READY' });
    jest.setSystemTime(Date.parse(NOW) + 3_600_000);
    const before = requested(fixture, '/deployments');
    fixture.reply({
      'GET /deployments': { body: [deploymentOf({ status: 'FAILED', version: 9 })], headers: { 'x-total-count': '1' } },
    });
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
    await pass(50);
    expect(requested(fixture, '/deployments')).toBe(before + 1);
    expect(screen.getByText('Failed', { selector: '.st span' })).toBeInTheDocument();
  });
});

describe('timeline', () => {
  it('counts from the server time, also after a suspension, and announces only the step', async () => {
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
    expect(screen.getByText('Usually 40 to 95 s here.')).toBeInTheDocument();
  });
});
