import { describe, expect, it } from '@jest/globals';
import { BACKUP_MESSAGES } from '@moorage/domain';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Backups } from '../../../data/backups';
import { leaveConsole } from '../../../testing/leave-console';
import { backupsOf, copyOf } from '../backups/testing';
import { showDetails } from './testing';

const withBackups = (over: Partial<Backups>) => ({ 'GET /deployments/1053/backups': { body: backupsOf(over) } });
const section = (part: Pick<typeof screen, 'getByRole'>) =>
  part.getByRole('heading', { name: 'Backups' }).closest('section') as HTMLElement;

describe('backups in the details', () => {
  it('show the last backup and a link to all of them', async () => {
    const { part } = await showDetails({}, withBackups({}));
    await part.findByText('Last backup: today, 03:12 UTC');
    expect(within(section(part)).getByRole('link', { name: 'All backups' })).toHaveAttribute(
      'href',
      '/deployments/1053/backups',
    );
  });

  it.each<[string, Partial<Backups>, string]>([
    ['a backup is running', { copies: [copyOf({ state: 'running' })] }, 'A backup is being taken.'],
    [
      'the last attempt failed',
      { copies: [copyOf({ state: 'failed', failure: BACKUP_MESSAGES.target_silent })] },
      'The last attempt failed. The backup storage is not responding.',
    ],
    ['no backup exists yet', { copies: [] }, 'No backup yet. The first one is scheduled: tomorrow, 03:12 UTC.'],
    ['they are simulated', { mode: 'simulated' }, 'These backups are simulated.'],
    ['they are turned off', { mode: 'off', copies: [], next_at: null }, 'Backups are turned off on this installation.'],
    ['the level includes none', { days: 0, copies: [], next_at: null }, 'Level 1 has no backups.'],
    [
      'they have ended',
      { days: 0, next_at: null, kept_until: '2026-11-28T14:00:00.000Z' },
      'Copies are kept until Sat 28 Nov, 14:00 UTC.',
    ],
  ])('show a status when %s', async (_, backups, words) => {
    const { part } = await showDetails({}, withBackups(backups));
    await part.findByText(words);
    expect(section(part).textContent).toContain(words);
  });

  it('are hidden before the deployment has run', async () => {
    const { part, sent } = await showDetails({ status: 'PROVISIONING' });
    await part.findAllByRole('status');
    expect(part.queryByRole('heading', { name: 'Backups' })).not.toBeInTheDocument();
    expect(sent('GET', '/backups')).toHaveLength(0);
  });

  it('of an ended deployment are shown while copies exist', async () => {
    const gone = { status: 'DESTROYED', deleted_at: '2026-11-21T13:00:00.000Z' } as const;
    const ended = { next_at: null, kept_until: '2026-11-28T14:00:00.000Z' };
    const { part } = await showDetails(gone, withBackups(ended));
    await part.findByText('Copies are kept until Sat 28 Nov, 14:00 UTC.');
    leaveConsole();
    const later = await showDetails(gone, withBackups({ ...ended, copies: [] }));
    await later.part.findAllByRole('status');
    expect(later.part.queryByRole('heading', { name: 'Backups' })).not.toBeInTheDocument();
  });

  it('show the undo button of a restore above everything else', async () => {
    const restore = {
      id: 5,
      backup_id: 70,
      taken_at: '2026-11-20T03:12:00.000Z',
      state: 'done',
      requested_at: '2026-11-21T14:00:00.000Z',
      finished_at: '2026-11-21T14:05:00.000Z',
      undo_until: '2026-11-22T14:05:00.000Z',
      failure: null,
      undoing: false,
    } as const;
    const { part } = await showDetails({}, withBackups({ restore }));
    expect(await part.findByText('Restored to yesterday, 03:12.')).toBeInTheDocument();
    expect(part.getByRole('button', { name: 'Undo restore' })).toBeInTheDocument();
  });
});

describe('deactivating a deployment with backups', () => {
  it.each<[string, Partial<Backups>, string]>([
    [
      'copies are stored',
      {},
      'A last backup is taken first and kept for 7 days. Until then you can create a new deployment from it.',
    ],
    [
      'no copy exists yet',
      { copies: [], kept_until_if_deleted: '2026-11-28T14:00:00.000Z' },
      'A last backup is taken first and kept until Sat 28 Nov, 14:00 UTC. Until then you can create a new deployment from it.',
    ],
    ['backups are off', { mode: 'off', copies: [] }, 'It has no backups, so nothing can be restored after that.'],
    [
      'backups have ended',
      { kept_until: '2026-11-28T14:00:00.000Z' },
      'Its backups are kept until Sat 28 Nov, 14:00 UTC. Until then you can create a new deployment from them.',
    ],
  ])('shows what can still be restored if %s', async (_, backups, words) => {
    const support_level = backups.kept_until == null ? 2 : 1;
    const { part } = await showDetails({ support_level }, withBackups(backups));
    await userEvent.click(await part.findByRole('button', { name: 'Deactivate' }));
    const dialog = await screen.findByRole('alertdialog');
    await within(dialog).findByText(words, { exact: false });
  });
});
