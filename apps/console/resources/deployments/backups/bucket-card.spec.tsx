import { describe, expect, it } from '@jest/globals';
import type { BackupBucketAnswer, BackupsAnswer } from '@moorage/contracts';
import { BACKUP_MESSAGES } from '@moorage/domain';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { deploymentOf, repliesFor } from '../testing';
import { DeploymentRoutes } from '../page/testing';
import { backupsOf } from './testing';

const BUCKET = '/deployments/1053/backups/bucket';

const bucketOf = (over: Partial<BackupBucketAnswer> = {}): BackupBucketAnswer => ({
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  bucket: 'janes-backups',
  folder: 'moorage',
  repository: 's3:https://s3.example.com/janes-backups/moorage/abcdefgh12345678',
  state: 'ready',
  checked_at: '2026-11-21T05:00:00.000Z',
  copying: false,
  copied_at: '2026-11-21T05:00:00.000Z',
  copied_backup_id: 71,
  failure: null,
  retry_at: null,
  ...over,
});

function shown(
  backups: Partial<BackupsAnswer>,
  { more = {}, user = USER }: { more?: Replies; user?: typeof USER } = {},
) {
  const { calls } = showInConsole(<DeploymentRoutes />, {
    replies: repliesFor([deploymentOf({ support_level: 2 })], {
      'GET /deployments/1053/backups': () => ({ body: backupsOf(backups) }),
      ...more,
    }),
    at: '/deployments/1053/backups',
    user,
  });
  return {
    calls,
    sent: (method: string) => calls.filter((call) => call.method === method && call.path.startsWith(BUCKET)),
  };
}
const card = async () => within(await screen.findByRole('region', { name: 'Your own copy' }));
const fill = async (dialog: Pick<typeof screen, 'getByLabelText'>, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields))
    await userEvent.type(dialog.getByLabelText(new RegExp(`^${label}`)), value);
};
const FIELDS = {
  Address: 's3.example.com',
  Region: 'eu-central-1',
  Bucket: 'janes-backups',
  Folder: 'moorage',
  'Access key ID': 'AKIAEXAMPLE',
  'Secret access key': 'wJalr/XUtn+FEMI',
};

describe("backups in the customer's own bucket", () => {
  it('explain their purpose and show the password with the commands after setup', async () => {
    const bucket = bucketOf({ state: 'checking', checked_at: null, copied_at: null, copied_backup_id: null });
    const { sent } = shown({}, { more: { [`PUT ${BUCKET}`]: { body: { bucket, password: 'open-sesame' } } } });
    expect((await card()).getByText(/restore without us/)).toBeInTheDocument();
    await userEvent.click((await card()).getByRole('button', { name: 'Set up a bucket' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up a bucket' }));
    await fill(dialog, FIELDS);
    await userEvent.click(dialog.getByRole('button', { name: 'Save and check' }));
    const saved = within(await screen.findByRole('dialog', { name: 'The password for your copies' }));
    expect(saved.getByText('open-sesame')).toBeInTheDocument();
    expect(saved.getByText(`restic -r ${bucket.repository} restore latest --target restored`)).toBeInTheDocument();
    expect(saved.getByText(/forget --group-by host --keep-daily 30 --prune/)).toBeInTheDocument();
    expect(sent('PUT')[0]?.body).toEqual({
      endpoint: 'https://s3.example.com',
      region: 'eu-central-1',
      bucket: 'janes-backups',
      folder: 'moorage',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: 'wJalr/XUtn+FEMI',
    });
    await userEvent.click(saved.getByRole('button', { name: 'I have copied it' }));
    expect(screen.queryByText('open-sesame')).not.toBeInTheDocument();
  });

  it('show field errors and send nothing', async () => {
    const { sent } = shown({});
    await userEvent.click((await card()).getByRole('button', { name: 'Set up a bucket' }));
    const dialog = within(await screen.findByRole('dialog'));
    await fill(dialog, { ...FIELDS, Address: 'https://10.0.0.8', Bucket: 'Jane' });
    await userEvent.click(dialog.getByRole('button', { name: 'Save and check' }));
    expect(await dialog.findByText(/This address is not public/)).toBeInTheDocument();
    expect(dialog.getByText(/Use 3 to 63 lowercase letters/)).toBeInTheDocument();
    expect(sent('PUT')).toEqual([]);
  });

  it('show the repository and the last copy', async () => {
    shown({ bucket: bucketOf() });
    expect((await card()).getByText(/^Last copy/)).toBeInTheDocument();
    expect((await card()).getByText(/abcdefgh12345678/)).toBeInTheDocument();
  });

  it('show why a copy failed and when it is retried, and check again on request', async () => {
    const failed = bucketOf({
      state: 'failed',
      failure: BACKUP_MESSAGES.bucket_refused,
      retry_at: '2026-11-21T16:00:00.000Z',
    });
    const { sent } = shown(
      { bucket: failed },
      { more: { [`POST ${BUCKET}/check`]: { status: 202, body: bucketOf({ state: 'checking' }) } } },
    );
    const shownCard = await card();
    expect(shownCard.getByText(/The storage does not accept these keys\./)).toBeInTheDocument();
    expect(shownCard.getByText(/Next attempt:/)).toBeInTheDocument();
    await userEvent.click(shownCard.getByRole('button', { name: 'Check again' }));
    expect(sent('POST')).toHaveLength(1);
  });

  it('accept new keys and keep the password', async () => {
    const { sent } = shown(
      { bucket: bucketOf() },
      { more: { [`PUT ${BUCKET}`]: { body: { bucket: bucketOf({ state: 'checking' }), password: null } } } },
    );
    await userEvent.click((await card()).getByRole('button', { name: 'Change keys' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the bucket' }));
    await fill(dialog, { 'Access key ID': 'AKIAOTHER', 'Secret access key': 'other' });
    await userEvent.click(dialog.getByRole('button', { name: 'Save and check' }));
    expect(await screen.findByText("The repository password hasn't changed.")).toBeInTheDocument();
    expect(sent('PUT')[0]?.body).toMatchObject({
      bucket: 'janes-backups',
      folder: 'moorage',
      access_key_id: 'AKIAOTHER',
    });
  });

  it('are removed after a confirmation that lists what stays', async () => {
    const { sent } = shown(
      { bucket: bucketOf() },
      { more: { [`DELETE ${BUCKET}`]: { body: { message: '', code: '', facts: {} } } } },
    );
    await userEvent.click((await card()).getByRole('button', { name: 'Remove' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/The copies in your bucket stay/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Remove bucket' }));
    expect(await screen.findByText('The bucket was removed.')).toBeInTheDocument();
    expect(sent('DELETE')).toHaveLength(1);
  });

  it('are not offered to an administrator, who sees the state of an existing setup', async () => {
    shown({ bucket: bucketOf() }, { user: ADMIN });
    expect((await card()).queryByRole('button')).not.toBeInTheDocument();
    expect((await card()).getByText(/^Last copy/)).toBeInTheDocument();
  });

  it('show that a simulated deployment sends nothing', async () => {
    shown({ mode: 'simulated' });
    expect((await card()).getByText(/nothing is sent to the bucket/)).toBeInTheDocument();
  });
});
