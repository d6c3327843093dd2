import { describe, expect, it } from '@jest/globals';
import type { DeploymentLogsAnswer, LogLineAnswer } from '@moorage/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { EMPTY, withAnswer } from '../../../data/logs';
import { ADMIN, type Replies, type SeenCall, USER } from '../../../testing/console-fixture';
import { incidentOf } from '../metrics/testing';
import { showPage } from '../page/testing';
import { fileName, fileOf, shownLines } from './shown-lines';

const PATH = '/deployments/1053/logs';
const line = (seq: number, over: Partial<LogLineAnswer> = {}): LogLineAnswer => ({
  seq,
  at: `2026-12-01T10:00:${String(seq).padStart(2, '0')}.000Z`,
  container: 'pangolin',
  level: 'info',
  text: `Line ${seq}`,
  ...over,
});
const LINES = [
  line(1),
  line(2, { container: 'traefik', level: 'warning', text: 'Slow answer' }),
  line(3, { level: 'error', text: 'SMTP login refused' }),
];
const logsOf = (over: Partial<DeploymentLogsAnswer> = {}): DeploymentLogsAnswer => ({
  state: 'following',
  reason: null,
  lines: LINES,
  containers: ['pangolin', 'traefik'].map((name) => ({
    name,
    state: 'running',
    health: 'healthy',
    restarts: name === 'traefik' ? 2 : 0,
    started_at: '2026-11-24T10:00:00.000Z',
    memory_bytes: 90_000_000,
    is_restartable: true,
    restart: null,
  })),
  has_more: false,
  left_out: 0,
  followed_since: '2026-12-01T09:59:00.000Z',
  ...over,
});
/** Replies with the lines that follow the last one of the request, like the server. */
const followed =
  (answer: DeploymentLogsAnswer) =>
  ({ query }: SeenCall): { body: DeploymentLogsAnswer } => ({
    body: { ...answer, lines: answer.lines.filter(({ seq }) => seq > Number(query.after)) },
  });
const show = (
  over: Partial<DeploymentLogsAnswer> = {},
  more: Replies = {},
  { status = 'READY', user = USER }: { status?: 'READY' | 'FAILED'; user?: typeof USER } = {},
) =>
  showPage(
    { status, actions: ['restart_container'] },
    {
      tab: '/logs',
      user,
      more: {
        [`GET ${PATH}`]: followed(logsOf(over)),
        [`GET ${PATH}/search`]: { body: { state: 'done', lines: [], left_out: 0 } },
        ...more,
      },
    },
  );
const texts = async () => {
  const log = await screen.findByRole('list', { name: /Log lines/ });
  return [...log.querySelectorAll('.m')].map((each) => each.textContent);
};

describe('the logs of a deployment', () => {
  it('are followed, with the state of the containers', async () => {
    show();
    expect(await texts()).toEqual(expect.arrayContaining(['Line 1', 'Slow answer', 'SMTP login refused']));
    expect(screen.getByText(/Following\. Known passwords and keys are hidden\./)).toBeTruthy();
    const card = within(screen.getByRole('region', { name: 'Containers' }));
    expect(card.getByText(/restarted 2 times, 90 MB/)).toBeTruthy();
  });

  it('are filtered by level, container and text', async () => {
    show();
    await texts();
    fireEvent.click(screen.getByRole('button', { name: /Errors/ }));
    expect(await texts()).toEqual(['SMTP login refused']);
    fireEvent.click(screen.getByRole('button', { name: 'All' }));
    fireEvent.click(screen.getByRole('button', { name: 'traefik' }));
    expect(await texts()).toEqual(['Slow answer']);
    fireEvent.click(screen.getByRole('button', { name: 'Show all containers' }));
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search logs' }), { target: { value: 'smtp' } });
    expect(await texts()).toEqual(['SMTP login refused']);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search logs' }), { target: { value: 'nowhere' } });
    expect(await screen.findByText('No line matches.')).toBeTruthy();
  });

  it('are paused and resumed', async () => {
    show();
    await texts();
    fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
    expect(await screen.findByText(/Paused\./)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Jump to newest' }));
    expect(await screen.findByText(/Following\./)).toBeTruthy();
  });

  it('keep their lines while they are paused, however many follow', async () => {
    const { reply } = show();
    const before = await texts();
    fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
    const lines = Array.from({ length: 2_600 }, (_, index) => line(index + 4, { at: '2026-12-01T10:01:00.000Z' }));
    reply({ [`GET ${PATH}`]: followed(logsOf({ lines })) });
    fireEvent(document, new Event('visibilitychange'));
    expect(await screen.findByText(/2600 new lines/)).toBeTruthy();
    expect(await texts()).toEqual(before);
    expect(screen.getByRole('button', { name: 'Download' })).toBeEnabled();
  });

  it('say how many older lines were left out, even if all that were found are loaded', async () => {
    show({}, { [`GET ${PATH}/search`]: { body: { state: 'done', lines: LINES, left_out: 7 } } });
    await texts();
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search logs' }), { target: { value: 'line' } });
    expect(await screen.findByText(/7 more older lines match/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /Errors/ }));
    expect(await screen.findByText(/7 more older lines contain the text/)).toBeTruthy();
    expect(screen.queryByText(/No older line/)).toBeNull();
  });

  it('say that no older line matches if none was left out', async () => {
    show();
    await texts();
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search logs' }), { target: { value: 'line' } });
    expect(await screen.findByText(/No older line of the last 7 days matches/)).toBeTruthy();
  });

  it('of a server that cannot be reached say why and what to do', async () => {
    const reason = { code: 'step.ssh_unreachable', facts: {}, detail: 'The server does not respond.' };
    show({ state: 'unreachable', reason, lines: [], containers: [] });
    expect(await screen.findByText("The server can't be reached.")).toBeTruthy();
    expect(screen.getByText(/We try again every 10 seconds/)).toBeTruthy();
  });

  it('restart a container after one question', async () => {
    const { calls } = show({}, { [`POST /deployments/1053/containers/traefik/restart`]: { status: 202, body: {} } });
    const button = await screen.findByRole('button', { name: 'Restart traefik' });
    await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
    fireEvent.click(button);
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/is interrupted for a few seconds/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Restart container' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/containers/traefik/restart'))).toBe(true));
  });

  it('restart a container of a customer for a reason', async () => {
    const answer = { status: 202, body: {} };
    const { requested } = show({}, { [`POST /deployments/1053/containers/traefik/restart`]: answer }, { user: ADMIN });
    fireEvent.click(await screen.findByRole('button', { name: 'Restart traefik' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByRole('button', { name: 'Restart container' })).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Asked for by phone.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Restart container' }));
    await waitFor(() =>
      expect(requested('POST', '/deployments/1053/containers/traefik/restart').map(({ body }) => body)).toEqual([
        { reason: 'Asked for by phone.' },
      ]),
    );
  });
});

it('a container of a server that is switched off cannot be restarted', async () => {
  showPage(
    { actions: ['restart_container'], incidents: [incidentOf('server_off')] },
    { tab: '/logs', more: { [`GET ${PATH}`]: followed(logsOf()) } },
  );
  const button = await screen.findByRole('button', { name: 'Restart traefik' });
  await waitFor(() => expect(button).toHaveAccessibleDescription(/The server is switched off/));
});

describe('lines that have been read', () => {
  const before = withAnswer(EMPTY, logsOf()).next;

  it('grow with each answer, and begin again with a new follow', () => {
    expect(before).toMatchObject({ after: 3, lines: LINES });
    expect(withAnswer(before, logsOf({ lines: [line(4)] })).next.lines).toHaveLength(4);
    const again = withAnswer(before, logsOf({ lines: [line(9)], followed_since: '2026-12-01T10:05:00.000Z' }));
    expect(again).toMatchObject({ isAgain: true, next: { lines: [], after: 0, received: 3 } });
    const repeated = logsOf({ lines: [line(9, { at: LINES[2]?.at ?? '' }), line(10)] });
    expect(withAnswer(again.next, { ...repeated, followed_since: again.next.since }).next.received).toBe(4);
  });

  it('stay when the deployment has ended, and are at most 2,000', () => {
    expect(withAnswer(before, logsOf({ state: 'over', followed_since: null, lines: [] })).next).toMatchObject({
      state: 'over',
      lines: LINES,
    });
    const many = Array.from({ length: 2_500 }, (_, index) => line(index));
    expect(withAnswer(before, logsOf({ lines: many })).next.lines).toHaveLength(2_000);
  });

  it('follow older lines of the server, without those that are loaded', () => {
    const older = [line(1, { at: '2026-11-30T10:00:00.000Z', text: 'Line 0' }), line(2, { text: 'Line 2' })];
    const shown = shownLines({ older, loaded: LINES }, { text: 'line', level: 'all', container: null });
    expect(shown.older.map(({ text }) => text)).toEqual(['Line 0']);
    expect(shown.counts).toEqual({ all: 2, warning: 0, error: 0 });
  });

  it('are saved with their time in UTC', () => {
    expect(fileOf([line(1), line(2, { level: 'none' })])).toBe(
      '2026-12-01T10:00:01.000Z pangolin info Line 1\n2026-12-01T10:00:02.000Z pangolin - Line 2\n',
    );
    expect(fileName('Harbour lights!', Date.UTC(2026, 11, 1, 10, 5))).toBe('logs-harbour-lights-2026-12-01T1005Z.txt');
    expect(fileName('日本', 0)).toBe('logs-deployment-1970-01-01T0000Z.txt');
  });
});
