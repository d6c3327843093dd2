import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { ActivityAnswer, BackupAnswer, BackupsAnswer, DeploymentAnswer } from '@moorage/contracts';
import { chapters } from './chapters';
import { createPayingCustomer } from './paying-customer';
import { type Person, person, until } from './customer';
import { type Product, startProduct } from './product';

const ORDER = {
  package: 'pangolin',
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  support_level: 2,
  domain: 'ada.sandbox.localhost',
  admin_subdomain: 'admin',
  admin_email: 'ada@example.com',
} as const;

/** Database file that the package writes. */
const DATABASE = 'config/db/db.sqlite';
const REASON = 'You asked us to in your message of today.';

/**
 * Tests backups with simulated restic, from the first backup to a new deployment with the data of a deleted deployment.
 */
describe('backups of a deployment in the sandbox', () => {
  let product: Product;
  let ada: Person;
  let stranger: Person;
  let id: number;
  let copy: number;
  let createdId: number;
  const chapter = chapters(300_000, () => Promise.resolve(product.log().slice(-4_000)));
  beforeAll(async () => {
    product = await startProduct(['all-in-one']);
    ada = await createPayingCustomer(product, 'ada', 100);
    stranger = await createPayingCustomer(product, 'eve', 0);
  }, 300_000);
  afterAll(() => product.stop());

  const becomes = (deployment: number, ...wanted: string[]): Promise<DeploymentAnswer> =>
    until(
      wanted.join(' or '),
      async () => (await ada.call<DeploymentAnswer>('GET', `/deployments/${deployment}`)).body,
      ({ status }) => wanted.includes(status) || status.endsWith('FAILED'),
    );
  const backups = async (deployment = id): Promise<BackupsAnswer> =>
    (await ada.call<BackupsAnswer>('GET', `/deployments/${deployment}/backups`)).body;

  /** SQL of the file on the existing simulated server of a deployment. */
  const FILE = `array['files', '/opt/moorage/' || d.ref || '/${DATABASE}']`;
  const LIVING = `s.labels ->> 'deployment' = d.ref and s.state <> 'gone' and d.id = $1`;
  const write = async (deployment: number, text: string): Promise<void> => {
    const file = { mode: 0o600, data: Buffer.from(text).toString('base64') };
    const written = await product.sql(
      `update sandbox_servers s set host = jsonb_set(s.host, ${FILE}, $2) from deployments d where ${LIVING} returning s.id`,
      [deployment, JSON.stringify(file)],
    );
    expect(written).toHaveLength(1);
  };
  const read = async (deployment: number): Promise<string | null> => {
    const [row] = await product.sql<{ data: string | null }>(
      `select s.host #>> (${FILE} || 'data'::text) as data from sandbox_servers s, deployments d where ${LIVING}`,
      [deployment],
    );
    return row?.data == null ? null : Buffer.from(row.data, 'base64').toString();
  };

  chapter('are created at level 2 when the owner requests them', async () => {
    const created = await ada.call<DeploymentAnswer>('POST', '/deployments/', ORDER);
    expect(created.status).toBe(201);
    id = created.body.id;
    expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY' });
    expect(await backups()).toMatchObject({ mode: 'simulated', days: 7, copies: [], backup_refused: null });
    await write(id, 'three sites');
    const requested = await ada.call<BackupAnswer>('POST', `/deployments/${id}/backups`);
    expect([requested.status, requested.body]).toMatchObject([201, { kind: 'on_request', state: 'waiting' }]);
    const done = await until(
      'a complete backup',
      async () => (await backups()).copies[0],
      (found) => found?.state === 'complete' || found?.state === 'failed',
    );
    expect(done).toMatchObject({
      state: 'complete',
      restorable: true,
      percent: 100,
      failure: null,
      dumps: [{ name: 'database', bytes: 'three sites'.length }],
    });
    copy = requested.body.id;
    const used = await until(
      'what the backups take',
      () => backups(),
      ({ used_bytes }) => used_bytes > 0,
    );
    expect(used).toMatchObject({ quota_bytes: 20_000_000_000, stale: false });
    expect(used.included.length).toBeGreaterThan(0);
  });

  chapter('replace the data in a restore, which is then undone', async () => {
    await write(id, 'four sites');
    const restored = await ada.call('POST', `/deployments/${id}/backups/${copy}/restore`, {});
    expect([restored.status, restored.body]).toMatchObject([200, { status: 'RESTARTING' }]);
    const restart = await ada.call<{ code: string }>('POST', `/deployments/${id}/restart`);
    expect([restart.status, restart.body.code]).toEqual([409, 'DEPLOYMENT_STATE']);
    expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY', failure: null });
    expect(await read(id)).toBe('three sites');
    expect(await backups()).toMatchObject({
      restore: { state: 'done', backup_id: copy, undo_until: expect.any(String) },
      undo_refused: null,
      // The current data is backed up before anything is replaced.
      copies: [{ kind: 'before_restore', state: 'complete' }, { id: copy }],
    });
    const [mail] = await until(
      'the mail of the restore',
      async () => (await product.mails(ada.email)).filter(({ subject }) => subject.endsWith('backup restored')),
      (mails) => mails.length > 0,
    );
    expect(mail?.text).toContain(`/deployments/${id}/backups`);

    const undone = await ada.call('POST', `/deployments/${id}/undo-restore`, {});
    expect([undone.status, undone.body]).toMatchObject([200, { status: 'RESTARTING' }]);
    expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY', failure: null });
    expect(await read(id)).toBe('four sites');
    const again = await ada.call<{ message_code: string }>('POST', `/deployments/${id}/undo-restore`, {});
    expect([again.status, again.body.message_code]).toEqual([409, 'backup.nothing_to_undo']);
  });

  chapter('are inaccessible to others, and actions of staff are audited with a reason', async () => {
    for (const [method, path] of [
      ['GET', 'backups'],
      ['POST', 'backups'],
      ['POST', `backups/${copy}/restore`],
      ['POST', 'undo-restore'],
    ] as const) {
      const body = method === 'GET' || path === 'backups' ? undefined : {};
      const answer = await stranger.call<{ code: string }>(method, `/deployments/${id}/${path}`, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const order = { ...ORDER, package: undefined, domain: undefined };
    const copied = await stranger.call('POST', `/deployments/${id}/backups/${copy}/deployments`, order);
    expect(copied.status).toBe(404);

    const admin = person(product, 'admin@moorage.localhost', 'journey-admin');
    await admin.login();
    expect((await admin.call<BackupsAnswer>('GET', `/deployments/${id}/backups`)).body.copies).toHaveLength(2);
    const silent = await admin.call('POST', `/deployments/${id}/backups/${copy}/restore`, {});
    expect(silent.status).toBe(422);
    const answer = await admin.call('POST', `/deployments/${id}/backups/${copy}/restore`, { reason: REASON });
    expect(answer.status).toBe(200);
    const { activity } = (await ada.call<{ activity: ActivityAnswer[] }>('GET', '/users/self/activity')).body;
    expect(activity[0]).toMatchObject({ what: { code: 'history.deployment_restored' }, by: 'support', reason: REASON });
    expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY', failure: null });
    expect(await read(id)).toBe('three sites');
    expect((await admin.call('GET', '/admin/stale-backups')).body).toEqual([]);
  });

  chapter('become a new deployment after the old one was destroyed', async () => {
    const deleted = await ada.call<{ backups_kept_until: string | null }>('DELETE', `/deployments/${id}`);
    expect([deleted.status, deleted.body.backups_kept_until]).toEqual([200, expect.any(String)]);
    await becomes(id, 'DESTROYED');
    expect(await read(id)).toBeNull();
    expect(await backups()).toMatchObject({ kept_until: expect.any(String), next_at: null });
    // Its entry is removed from the list, and its backups are kept.
    expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
    expect((await ada.call('GET', `/deployments/${id}`)).status).toBe(404);
    const { copies } = await backups();
    expect(copies.map(({ restorable }) => restorable)).toEqual([true, true, true, true]);
    expect(copies[0]).toMatchObject({ kind: 'last' });

    const place = {
      server_type: 'new',
      cloud_provider: 'linode',
      region: 'eu-central',
      instance_type: 'g6-standard-2',
    };
    const order = { ...place, domain: 'again.sandbox.localhost' };
    const ordered = await ada.call<DeploymentAnswer>('POST', `/deployments/${id}/backups/${copy}/deployments`, order);
    expect([ordered.status, ordered.body]).toMatchObject([201, { status: 'CREATING', domain: order.domain }]);
    createdId = ordered.body.id;
    expect(await becomes(createdId, 'READY')).toMatchObject({
      status: 'READY',
      failure: null,
      cloud_provider: 'linode',
    });
    expect(await read(createdId)).toBe('three sites');
    const [restore] = await product.sql('select kind, state from restores where deployment_id = $1', [createdId]);
    expect(restore).toEqual({ kind: 'new', state: 'done' });
  });

  chapter('do not exist at level 1', async () => {
    const level = await ada.call<{ backups_kept_until: string | null }>(
      'GET',
      `/deployments/${createdId}/support-level?level=1`,
    );
    expect(level.body.backups_kept_until).toBeNull();
    const changed = await ada.call('PATCH', `/deployments/${createdId}`, { support_level: 1 });
    expect(changed.status).toBe(200);
    const refused = await ada.call<{ code: string; message_code: string }>('POST', `/deployments/${createdId}/backups`);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'BACKUP_STATE', message_code: 'backup.level' }]);
    expect(await backups(createdId)).toMatchObject({ days: 0, backup_refused: { code: 'backup.level' } });
  });
});
