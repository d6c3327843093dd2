import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { ADMIN, press, settingsOf } from '../../testing/console-fixture';
import { showPage } from './page/testing';
import { deploymentOf } from './testing';

const KEPT = {
  status: 'DESTROYING',
  undo_until: '2026-11-22T14:00:00.000Z',
  ended: { reason: 'deleted', at: '2026-11-21T14:00:00.000Z', due: null, available: null },
} as const;
const NOTE = 'Deleted. The server is kept until Sun 22 Nov, 14:00 UTC.';

describe('deployment whose server is kept after a delete', () => {
  it('states beside the button until when it can be restored', async () => {
    const more = { 'GET /console/settings': { body: settingsOf({ delete_undo_hours: 24 }) } };
    showPage({}, { tab: '/settings', more });
    expect(await screen.findByText(/Charges stop at once\. .*You can restore it for 24 hours\./)).toBeInTheDocument();
  });
});

describe('deleted deployment whose server is kept', () => {
  it('is restored by its owner', async () => {
    const { calls } = showPage(KEPT, {
      more: { 'POST /deployments/1053/restore': { body: deploymentOf({ status: 'RESTARTING', version: 9 }) } },
    });
    expect(await screen.findByText(NOTE)).toBeInTheDocument();
    await press('Restore');
    expect(await screen.findByText(/is being restored\. It is charged again from now on\.$/)).toBeInTheDocument();
    expect(calls.filter(({ path }) => path === '/deployments/1053/restore')).toHaveLength(1);
    await waitFor(() => expect(screen.queryByText(NOTE)).not.toBeInTheDocument());
  });

  it('is removed at once after a confirmation', async () => {
    const { calls } = showPage(KEPT, {
      more: {
        'DELETE /deployments/1053': {
          body: {
            status: 'DESTROYING',
            deleted_at: null,
            refunded_amount: 0,
            backups_kept_until: null,
            undo_until: null,
          },
        },
      },
    });
    await screen.findByText(NOTE);
    await press('Remove now');
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/This deletes the server, its disk and everything on it\./)).toBeInTheDocument();
    dialog.getByRole('button', { name: 'Remove now' }).click();
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'DELETE').map(({ query }) => query)).toEqual([
        { expected_status: 'DESTROYING' },
      ]),
    );
    expect(await screen.findByText(/is being removed\.$/)).toBeInTheDocument();
  });

  it('is only shown to others', async () => {
    showPage(KEPT, { user: ADMIN });
    expect(await screen.findByText(NOTE)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Restore' })).not.toBeInTheDocument();
  });
});
