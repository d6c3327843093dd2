import { describe, expect, it } from '@jest/globals';
import type { BackupsAnswer, DeploymentAnswer } from '@moorage/contracts';
import { BACKUP_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, press, type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { showLocale } from '../../../texts/locale';
import { deploymentOf, progressOf, repliesFor, stepOf } from '../testing';
import { DeploymentRoutes } from '../page/testing';
import { backupsOf, copyOf } from './testing';

const BACKUPS = 'GET /deployments/1053/backups';

function showBackups(
  backups: Partial<BackupsAnswer> = {},
  {
    deployment = {},
    more = {},
    user = USER,
    ...options
  }: {
    deployment?: Partial<DeploymentAnswer>;
    more?: Replies;
    user?: typeof USER;
    impersonation?: Parameters<typeof showInConsole>[1]['impersonation'];
  } = {},
) {
  const fixture = showInConsole(<DeploymentRoutes />, {
    replies: repliesFor([deploymentOf({ support_level: 2, ...deployment })], {
      [BACKUPS]: { body: backupsOf(backups) },
      ...more,
    }),
    at: '/deployments/1053/backups',
    user,
    ...options,
  });
  const sent = (method: string, path: string) => fixture.requested(method, `/deployments/1053${path}`);
  return { ...fixture, sent };
}

const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Copies' });
  return within(table).getAllByRole('row').slice(1);
};
const day = (name: string) => screen.getByRole('list', { name: 'Backups by day' }).textContent?.includes(name);

describe('backups of a deployment', () => {
  it('name the version of their data where the deployment runs another one', async () => {
    showBackups({ release: '1.24.0-2', copies: [copyOf({ release: '1.24.0-2' }), copyOf({ id: 70 })] });
    const [newest, earlier] = await rows();
    expect(newest?.textContent).not.toContain('Version');
    expect(earlier?.textContent).toContain('DailyVersion 1.24.0');
  });

  it('are listed with kind, state, size and duration below a header with their scope', async () => {
    showBackups();
    const [newest, second] = await rows();
    expect(newest?.textContent).toContain('Today, 03:12Daily');
    expect(newest?.textContent).not.toContain('Version');
    expect(newest?.textContent).toContain('CompleteChecked today, 05:00');
    expect(newest?.textContent).toContain('1.2 GB38 s');
    expect(second?.textContent).toContain('Yesterday, 03:12');
    expect(second?.textContent).toContain('Restore test passed');
    expect(
      screen.getByText('7 daily copies, and one before every restore. Next: tomorrow, 03:12.'),
    ).toBeInTheDocument();
    const heading = screen.getByRole('heading', { level: 1 });
    expect(heading.textContent).toBe('maralind-pangolin-915204');
    await waitFor(() => expect(heading.closest('.title')?.textContent).toContain('CPX22 at Hetzner, Falkenstein'));
    const crumbs = within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(crumbs.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(crumbs.getByRole('link', { name: 'maralind-pangolin-915204' })).toHaveAttribute('href', '/deployments/1053');
    await waitFor(() => expect(document.title).toBe('Backups of maralind-pangolin-915204 · Moorage'));
  });

  it('show a mark for each day, the contents, the storage and the restore tests', async () => {
    showBackups({
      copies: [
        copyOf(),
        copyOf({
          id: 70,
          state: 'failed',
          started_at: '2026-11-20T03:12:00.000Z',
          failure: BACKUP_MESSAGES.target_silent,
        }),
      ],
    });
    await rows();
    expect(day('Sat 21 Nov, today: backup taken')).toBe(true);
    expect(day('Fri 20 Nov: backup failed. The backup storage is not responding.')).toBe(true);
    expect(day('Thu 19 Nov: no copy')).toBe(true);
    expect(screen.getByText("Pangolin's database and settings")).toBeInTheDocument();
    expect(screen.getByText('Log files')).toBeInTheDocument();
    expect(screen.getByText('In the newest copy: 412 files. Databases: pangolin (12 MB)')).toBeInTheDocument();
    expect(screen.getByRole('meter', { name: 'Storage' })).toHaveAttribute('aria-valuetext', '1.9 GB of 20 GB used');
    expect(screen.getByText('Restore test passed yesterday')).toBeInTheDocument();
    expect(screen.getByText('We restored 1.2 GB in 48 s.')).toBeInTheDocument();
    expect(screen.getByText('Check passed today, 05:00')).toBeInTheDocument();
  });

  it('show why a backup failed and offer a retry', async () => {
    const failure = BACKUP_MESSAGES.disk_full({ free: 80, needed: 300 });
    const { sent } = showBackups(
      { copies: [copyOf({ state: 'failed', failure }), copyOf({ id: 70, started_at: '2026-11-20T03:12:00.000Z' })] },
      {
        more: {
          'POST /deployments/1053/backups': {
            status: 201,
            body: copyOf({
              id: 72,
              state: 'waiting',
              kind: 'on_request',
              started_at: null,
              requested_at: '2026-11-21T14:18:48.000Z',
            }),
          },
        },
      },
    );
    const [failed] = await rows();
    expect(failed?.textContent).toContain('Failed');
    expect(failed?.textContent).toContain(failure.detail);
    expect(failed?.textContent).not.toContain('GB');
    await press('Try again: Daily, today, 03:12');
    await waitFor(() => expect(sent('POST', '/backups')).toHaveLength(1));
    expect(await screen.findByText('Backup started.')).toBeInTheDocument();
  });

  it('show when the next attempt is due', async () => {
    showBackups({
      copies: [
        copyOf({
          state: 'waiting',
          failure: BACKUP_MESSAGES.target_silent,
          retry_at: '2026-11-21T14:30:00.000Z',
        }),
      ],
    });
    const [waiting] = await rows();
    expect(waiting?.textContent).toContain('The backup storage is not responding.Next attempt: today, 14:30.');
  });

  it('show a running backup first with its progress, and poll until it has ended', async () => {
    const { sent, reply } = showBackups({
      copies: [
        copyOf(),
        copyOf({
          id: 60,
          kind: 'on_request',
          state: 'running',
          started_at: '2026-11-21T14:17:00.000Z',
          percent: 42,
          bytes_done: 520_000_000,
        }),
      ],
      backup_refused: BACKUP_MESSAGES.already,
    });
    const [running] = await rows();
    expect(running?.textContent).toContain('On requestRunning42 %, 520 MB so far');
    expect(screen.getByRole('progressbar', { name: 'Backup in progress' })).toHaveAttribute('aria-valuenow', '42');
    const button = screen.getByRole('button', { name: 'Backing up...' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    reply({ [BACKUPS]: { body: backupsOf({ copies: [copyOf({ id: 60, kind: 'on_request' }), copyOf()] }) } });
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument());
    expect(sent('GET', '/backups')).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Back up now' })).not.toHaveAttribute('aria-disabled');
  });

  it('show when the first backup is due', async () => {
    showBackups({ copies: [], checked: null, tested: null, used_bytes: 0 });
    expect(await screen.findByText('No backup yet.')).toBeInTheDocument();
    expect(screen.getByText(/The first one is scheduled: tomorrow, 03:12 UTC/)).toBeInTheDocument();
    expect(screen.getByText('No copies yet.')).toBeInTheDocument();
    expect(screen.getByText('No restore test yet')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Back up now' })).toBeInTheDocument();
  });

  it('are marked as simulated', async () => {
    showBackups({ mode: 'simulated' });
    expect(await screen.findByText('These backups are simulated.')).toBeInTheDocument();
    expect(screen.queryByText(/Encrypted before it leaves/)).not.toBeInTheDocument();
  });

  it('promise and offer nothing when turned off', async () => {
    showBackups({
      mode: 'off',
      copies: [],
      next_at: null,
      quota_bytes: 0,
      checked: null,
      tested: null,
      backup_refused: BACKUP_MESSAGES.off,
    });
    expect(await screen.findByText('Backups are turned off on this installation.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Back up now' })).not.toBeInTheDocument();
    expect(screen.queryByRole('list', { name: 'Backups by day' })).not.toBeInTheDocument();
  });

  it('at level 1 show retention and price of levels 2 and 3 with links to them', async () => {
    const quote = (daily: number, then: string) => ({
      body: {
        level: 2,
        hourly_cost: daily / 24,
        daily_cost: daily,
        today: 1,
        needed: 1,
        available: 30,
        runs_until: { now: '2026-12-01T00:00:00.000Z', then },
      },
    });
    showBackups(
      { days: 0, copies: [], next_at: null, backup_refused: BACKUP_MESSAGES.level, checked: null, tested: null },
      {
        deployment: { support_level: 1, actions: ['change_level'] },
        more: {
          'GET /deployments/1053/support-level': ({ query }) =>
            query.level === '2' ? quote(2.5, '2026-11-29T00:00:00.000Z') : quote(6.2, '2026-11-25T00:00:00.000Z'),
        },
      },
    );
    expect(await screen.findByText('Level 1 has no backups.')).toBeInTheDocument();
    expect(
      await screen.findByText(
        'Level 2 keeps daily copies for 7 days; $2.50 a day in total; everything then runs until Sun 29 Nov, 00:00 UTC.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByText(/^Level 3 keeps daily copies for 28 days; \$6\.20 a day in total/)).toBeInTheDocument();
    await press('Change level');
    expect(screen.getByRole('radiogroup', { name: 'Choose a support level' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Back up now' })).not.toBeInTheDocument();
  });

  it('show until when they are stored after their deployment ended', async () => {
    showBackups(
      { days: 0, next_at: null, kept_until: '2026-11-28T14:00:00.000Z', backup_refused: BACKUP_MESSAGES.level },
      { deployment: { support_level: 1 } },
    );
    expect(await screen.findByText('No more backups are taken.')).toBeInTheDocument();
    expect(screen.getByText(/kept until Sat 28 Nov, 14:00 UTC. You can restore them until then\./)).toBeInTheDocument();
    expect(screen.queryByText('Level 1 has no backups.')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Restore the backup of today, 03:12' })).toBeInTheDocument();
  });

  it('show that they are outdated, and why', async () => {
    showBackups({
      stale: true,
      copies: [
        copyOf({ state: 'failed', failure: BACKUP_MESSAGES.server_silent }),
        copyOf({ id: 60, started_at: '2026-11-18T03:12:00.000Z' }),
      ],
    });
    expect(await screen.findByText('The newest backup is older than 36 hours.')).toBeInTheDocument();
    expect(screen.getByText(/The last attempt failed:/).textContent).toContain('The server could not be reached.');
  });

  it('are translated to German', async () => {
    await showLocale('de', { persist: false });
    showBackups({ mode: 'simulated' });
    const table = await screen.findByRole('table', { name: 'Kopien' });
    expect(table.textContent).toContain('Heute, 03:12Täglich');
    expect(table.textContent).toContain('1,2 GB');
    expect(screen.getByText('Diese Sicherungen sind simuliert.')).toBeInTheDocument();
    expect(screen.getByText('Datenbank und Einstellungen von Pangolin')).toBeInTheDocument();
  });

  it('link back if the deployment does not exist', async () => {
    const missing = { status: 404, body: { detail: 'Not found.', code: 'NOT_FOUND' } };
    showBackups({}, { more: { [BACKUPS]: missing, 'GET /deployments/1053': missing } });
    expect(
      await screen.findByText("This deployment doesn't exist, or its backups are no longer stored."),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
  });

  it('can be reloaded after a load error', async () => {
    const { reply } = showBackups(
      {},
      { more: { [BACKUPS]: { status: 503, body: { detail: 'Later.', code: 'UNAVAILABLE' } } } },
    );
    expect(await screen.findByText(/The backups could not be loaded\./)).toBeInTheDocument();
    reply({ [BACKUPS]: { body: backupsOf() } });
    await press('Try again now');
    expect(await rows()).toHaveLength(3);
  });
});

describe('rejected backup', () => {
  it('shows why the button is disabled', async () => {
    showBackups({ backup_refused: BACKUP_MESSAGES.not_running });
    const button = await screen.findByRole('button', { name: 'Back up now' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe(BACKUP_MESSAGES.not_running.detail);
  });

  it('shows the message of the server', async () => {
    const { detail, code, facts } = BACKUP_MESSAGES.already;
    showBackups(
      {},
      {
        more: {
          'POST /deployments/1053/backups': {
            status: 409,
            body: { detail, code: 'BACKUP_STATE', message_code: code, facts },
          },
        },
      },
    );
    await press('Back up now');
    expect(await screen.findByText(`The backup couldn't be started. ${detail}`)).toBeInTheDocument();
  });
});

describe('after a restore', () => {
  const restore = (over: Partial<NonNullable<BackupsAnswer['restore']>> = {}) => ({
    id: 5,
    backup_id: 70,
    taken_at: '2026-11-20T03:12:00.000Z',
    state: 'done' as const,
    requested_at: '2026-11-21T14:00:00.000Z',
    finished_at: '2026-11-21T14:05:00.000Z',
    undo_until: '2026-11-22T14:05:00.000Z',
    failure: null,
    undoing: false,
    ...over,
  });

  it('shows the undo button above the page and asks for confirmation once', async () => {
    const { sent } = showBackups(
      { restore: restore() },
      { more: { 'POST /deployments/1053/undo-restore': { body: deploymentOf({ status: 'RESTARTING', version: 4 }) } } },
    );
    const bar = (await screen.findByText('Restored to yesterday, 03:12.')).closest('.note') as HTMLElement;
    expect(bar.textContent).toContain('You can go back to the data from before the restore until tomorrow, 14:05 UTC.');
    await press('Undo restore', within(bar));
    expect(sent('POST', '/undo-restore')).toHaveLength(0);
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Undo the restore?' }));
    await press('Undo restore', dialog);
    await waitFor(() => expect(sent('POST', '/undo-restore').map(({ body }) => body)).toEqual([{ reason: null }]));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });

  it('hides the undo button when its time is over', async () => {
    showBackups({ restore: restore({ undo_until: '2026-11-21T14:00:00.000Z' }) });
    await rows();
    expect(screen.queryByText('Undo restore')).not.toBeInTheDocument();
  });

  it('shows why the restore failed', async () => {
    showBackups({
      failed_restore: restore({ state: 'failed', undo_until: null, failure: BACKUP_MESSAGES.copy_damaged }),
    });
    expect(await screen.findByText('Restoring the backup of yesterday, 03:12 failed.')).toBeInTheDocument();
    expect(screen.getByText("The backup is damaged and can't be used.")).toBeInTheDocument();
  });

  it('shows the steps while it runs', async () => {
    showBackups(
      { restore: restore({ state: 'running', undo_until: null, finished_at: null }) },
      {
        deployment: { status: 'RESTARTING' },
        more: {
          'GET /deployments/1053/progress': {
            body: progressOf(
              [
                stepOf('back-up', 'done', { duration_ms: 38_000 }),
                stepOf('restore-data', 'running'),
                stepOf('swap-data', 'waiting'),
              ],
              { run: 'restore', status: 'RESTARTING' },
            ),
          },
        },
      },
    );
    expect(await screen.findByText('The backup of yesterday, 03:12 is being restored')).toBeInTheDocument();
    expect(screen.getByText('Current data backed up')).toBeInTheDocument();
    expect(screen.getByText('Restoring the backup alongside the running data')).toBeInTheDocument();
  });

  it('lets an administrator undo it with a reason', async () => {
    const { sent } = showBackups(
      { restore: restore() },
      {
        user: ADMIN,
        more: { 'POST /deployments/1053/undo-restore': { body: deploymentOf({ status: 'RESTARTING', version: 4 }) } },
      },
    );
    await press('Undo restore');
    const dialog = within(await screen.findByRole('alertdialog'));
    const confirm = dialog.getByRole('button', { name: 'Undo restore' });
    expect(confirm).toBeDisabled();
    await userEvent.type(dialog.getByLabelText('Reason'), 'She asked for it by phone.');
    await userEvent.click(confirm);
    await waitFor(() =>
      expect(sent('POST', '/undo-restore').map(({ body }) => body)).toEqual([{ reason: 'She asked for it by phone.' }]),
    );
  });
});

describe("administrator on another user's backups", () => {
  it('sees everything and may only restore', async () => {
    showBackups({}, { user: ADMIN });
    await rows();
    expect(screen.queryByRole('button', { name: 'Back up now' })).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: /^Restore the backup/ })).toHaveLength(3);
  });

  it('changes nothing during an impersonation of the owner', async () => {
    showBackups(
      {},
      {
        user: ADMIN,
        impersonation: { token: 'a-view', user: USER, expiresAt: '2099-01-01T00:00:00.000Z' },
      },
    );
    await rows();
    expect(screen.queryByRole('button', { name: 'Back up now' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Restore/ })).not.toBeInTheDocument();
  });
});

describe('deployment that has ended', () => {
  it('keeps its page for a new deployment while copies are stored', async () => {
    showBackups(
      { days: 7, next_at: null, kept_until: '2026-11-28T14:00:00.000Z', backup_refused: BACKUP_MESSAGES.not_running },
      {
        deployment: {
          status: 'DESTROYED',
          deleted_at: '2026-11-21T13:00:00.000Z',
          ended: { reason: 'deleted', at: '2026-11-21T12:58:00.000Z', due: null, available: null },
        },
      },
    );
    expect(await screen.findByText('Deleted on Sat 21 Nov, 12:58 UTC.')).toBeInTheDocument();
    expect(
      screen.getByText('Its last backup is kept until Sat 28 Nov, 14:00 UTC. Restore it as a new deployment.'),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('button', { name: 'Create a new deployment from it: the backup of today, 03:12' }),
    ).toBeInTheDocument();
    await press('Restore');
    const dialog = within(
      await screen.findByRole('dialog', { name: 'New deployment from the backup of today, 03:12' }),
    );
    expect(dialog.getByLabelText('Name')).toHaveValue('maralind-pangolin-915204');
    expect(screen.queryByText(/Replace the data/)).not.toBeInTheDocument();
  });

  it('keeps its page after its entry was deleted', async () => {
    showBackups(
      { next_at: null, kept_until: '2026-11-28T14:00:00.000Z' },
      { more: { 'GET /deployments/1053': { status: 404, body: { detail: 'Not found.', code: 'NOT_FOUND' } } } },
    );
    expect(await screen.findByRole('heading', { level: 1, name: 'Deployment #1053' })).toBeInTheDocument();
    expect(await screen.findAllByRole('button', { name: /^Create a new deployment from it/ })).toHaveLength(3);
  });
});
