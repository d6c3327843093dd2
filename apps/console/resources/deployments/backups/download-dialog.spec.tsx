import { describe, expect, it } from '@jest/globals';
import type { BackupDownloadAnswer } from '@moorage/contracts';
import { BACKUP_MESSAGES } from '@moorage/domain';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { deploymentOf, repliesFor } from '../testing';
import { DeploymentRoutes } from '../page/testing';
import { backupsOf, copyOf } from './testing';

const LIST = 'GET /deployments/1053/backup-downloads';
const PREPARE = 'POST /deployments/1053/backups/71/download';
const COMMAND = 'openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000 -in harbour-7.tar.gz.enc | tar -xz';

const archive = (over: Partial<BackupDownloadAnswer> = {}): BackupDownloadAnswer => ({
  id: 7,
  backup_id: 71,
  state: 'preparing',
  requested_at: '2026-11-21T14:00:00.000Z',
  ready_at: null,
  expires_at: null,
  bytes: null,
  file_name: 'harbour-7.tar.gz.enc',
  command: COMMAND,
  failure: null,
  ...over,
});

async function opened(replies: Replies) {
  const user = userEvent.setup();
  showInConsole(<DeploymentRoutes />, {
    replies: repliesFor([deploymentOf({ support_level: 2 })], {
      'GET /deployments/1053/backups': { body: backupsOf({ copies: [copyOf()] }) },
      ...replies,
    }),
    at: '/deployments/1053/backups',
    user: USER,
  });
  await user.click(await screen.findByRole('button', { name: /^Download the backup of/ }));
  return { user, dialog: within(await screen.findByRole('dialog')) };
}

describe('archive of a copy', () => {
  it('is prepared on request and shows its password with the command that opens it', async () => {
    let list: BackupDownloadAnswer[] = [];
    const { user, dialog } = await opened({
      [LIST]: () => ({ body: list }),
      [PREPARE]: () => {
        list = [archive()];
        return { status: 202, body: { download: archive(), password: 'aB3-open-sesame' } };
      },
    });
    expect(dialog.queryByText(COMMAND)).not.toBeInTheDocument();
    await user.click(await dialog.findByRole('button', { name: 'Prepare archive' }));
    expect(await dialog.findByText('aB3-open-sesame')).toBeInTheDocument();
    expect(dialog.getByText(COMMAND)).toBeInTheDocument();
    expect(dialog.getByText(/^Copy it now/)).toBeInTheDocument();
  });

  it('shows until when it is available, and that its password was shown before', async () => {
    const ready = archive({ state: 'ready', bytes: 1_200_000_000, expires_at: '2026-11-22T14:00:00.000Z' });
    const { dialog } = await opened({ [LIST]: { body: [ready] } });
    expect(await dialog.findByText(/^The archive is ready: 1.2 GB, available until/)).toBeInTheDocument();
    expect(dialog.getByText(/^The password was shown when the archive was prepared/)).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Download' })).toBeInTheDocument();
  });

  it('shows why it could not be prepared', async () => {
    const failed = archive({ state: 'failed', failure: BACKUP_MESSAGES.target_silent });
    const { dialog } = await opened({ [LIST]: { body: [failed] } });
    expect(await dialog.findByText(/The backup storage is not responding/)).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Prepare archive' })).toBeInTheDocument();
  });
});
