import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { DEFAULT_UPDATE_SETTINGS, iso, UPDATE_MESSAGES } from '@moorage/domain';
import { eventsOf, type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { RebootServer, type RebootTime } from './reboot-server.use-case';

const SINCE = '2026-11-30T02:00:00.000Z';
let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let id: number;
let created = 0;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2000);
  ({ id } = await ordered(harness, account, { domain: `reboot${created++}.example.com` }));
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  await needs(true);
});

const sql = <T extends object>(text: string, values: unknown[] = [id]) => harness.database.sql<T>(text, values);
/** Reports whether a reboot is pending, as the provisioner does. */
const needs = (isNeeded: boolean) =>
  sql(
    `insert into reachability (deployment_id, state, host) values ($1, 'unknown', $2)
     on conflict (deployment_id) do update set host = $2`,
    [id, JSON.stringify({ reboot: isNeeded ? { since: SINCE, packages: ['linux-image-amd64'] } : null })],
  );
const reboot = (when: RebootTime, { who = account, ...body }: { who?: TestAccount; reason?: string } = {}) =>
  harness.http
    .post(`/api/deployments/${id}/reboot`)
    .set(who.auth)
    .send({ when, ...body });
const choose = (settings: object) =>
  harness.http
    .put(`/api/deployments/${id}/update-settings`)
    .set(account.auth)
    .send({ ...DEFAULT_UPDATE_SETTINGS, ...settings });
const shown = async (): Promise<DeploymentUpdatesAnswer['reboot']> =>
  ((await harness.http.get(`/api/deployments/${id}/updates`).set(account.auth)).body as DeploymentUpdatesAnswer).reboot;
const pass = () => harness.api.app.get(RebootServer, { strict: false }).pass();
const statusOf = async (): Promise<string | undefined> =>
  (await sql<{ status: string }>('select status from deployments where id = $1'))[0]?.status;
const acts = async (): Promise<string[]> =>
  (
    await sql<{ action: string }>(`select action from audit_records where subject = $1 order by id`, [
      `deployment:${id}`,
    ])
  ).map(({ action }) => action);
const dueAt = async (): Promise<string | null> => {
  const [row] = await sql<{ due: number | null }>(
    'select reboot_due_at as due from update_settings where deployment_id = $1',
  );
  return row?.due == null ? null : iso(row.due).slice(11, 16);
};
// The clock of the harness shows 12:20 UTC.
const OPEN = { hour: 12, hours: 2 };

describe('reboot of a server', () => {
  it('is shown as needed, with the packages that want it', async () => {
    expect(await shown()).toEqual({ since: SINCE, packages: ['linux-image-amd64'], is_planned: false });
    await needs(false);
    expect(await shown()).toBeNull();
    await sql(`update reachability set host = '{"cpus":2}' where deployment_id = $1`);
    expect(await shown()).toBeNull();
  });

  it('now restarts the deployment with a change for the provisioner', async () => {
    const { status, body } = await reboot('now');
    expect([status, body]).toMatchObject([200, { status: 'RESTARTING' }]);
    expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.change_requested');
    expect(await acts()).toContain('deployment.rebooted');
    expect((await reboot('now')).status).toBe(409);
  });

  it('is refused on own servers, and without a need in the window', async () => {
    await needs(false);
    expect((await reboot('window')).body).toMatchObject({ detail: UPDATE_MESSAGES.reboot_not_needed.detail });
    await needs(true);
    await sql(
      `update deployments set server_type = 'vps', cloud_provider = null, region = null, instance_type = null,
         vps_ip_address = '5.9.0.1' where id = $1`,
    );
    for (const when of ['now', 'window'] as const)
      expect(await reboot(when)).toMatchObject({
        status: 409,
        body: { code: 'DEPLOYMENT_STATE', detail: UPDATE_MESSAGES.reboot_own_server.detail },
      });
    expect(await statusOf()).toBe('READY');
  });

  it('is hidden from others, and needs a reason from staff', async () => {
    expect((await reboot('now', { who: await harness.user() })).status).toBe(404);
    const admin = await harness.admin();
    expect((await reboot('window', { who: admin })).status).toBe(422);
    expect((await reboot('window', { who: admin, reason: 'Agreed by phone' })).status).toBe(200);
    expect(await shown()).toMatchObject({ is_planned: true });
  });

  it('now is refused while a backup runs', async () => {
    await sql(
      `insert into backups (deployment_id, kind, state, requested_at) values ($1, 'scheduled', 'waiting', now())`,
    );
    expect((await reboot('now')).body).toMatchObject({ detail: UPDATE_MESSAGES.reboot_backup.detail });
  });
});

describe('planned reboot', () => {
  it('begins in the window of its owner', async () => {
    await choose(OPEN);
    await reboot('window');
    expect([await shown(), await statusOf()]).toMatchObject([{ is_planned: true }, 'READY']);
    await pass();
    expect([await statusOf(), await dueAt()]).toEqual(['RESTARTING', null]);
    expect((await acts()).slice(-2)).toEqual(['deployment.reboot_planned', 'deployment.rebooted']);
  });

  it('waits for the usual window if its owner has chosen none', async () => {
    await reboot('window');
    await pass();
    expect([await statusOf(), await dueAt()]).toEqual(['READY', '02:00']);
  });

  it('follows its owner to another window', async () => {
    await reboot('window');
    await pass();
    await choose(OPEN);
    await pass();
    expect(await statusOf()).toBe('RESTARTING');
  });

  it('can be cancelled, and cancelling again changes nothing', async () => {
    await choose(OPEN);
    await reboot('window');
    for (let time = 0; time < 2; time++) expect((await reboot('never')).status).toBe(200);
    await pass();
    expect([await statusOf(), await shown()]).toMatchObject(['READY', { is_planned: false }]);
    expect((await acts()).filter((act) => act === 'deployment.reboot_cancelled')).toHaveLength(1);
  });

  it('is recorded once, even if it is planned again', async () => {
    for (let time = 0; time < 2; time++) expect((await reboot('window')).status).toBe(200);
    expect((await acts()).filter((act) => act === 'deployment.reboot_planned')).toHaveLength(1);
  });

  it('is dropped when the server no longer needs it', async () => {
    await reboot('window');
    await needs(false);
    await pass();
    expect([await statusOf(), await dueAt()]).toEqual(['READY', null]);
  });

  it('is dropped when the deployment is being destroyed', async () => {
    await choose(OPEN);
    await reboot('window');
    await sql(
      `update deployments set status = 'DESTROYING', desired = 'destroyed', destroy_reason = 'deleted', billable_to = now()
       where id = $1`,
    );
    await pass();
    expect([await statusOf(), await dueAt()]).toEqual(['DESTROYING', null]);
  });

  it.each([
    ['another run', `update deployments set status = 'RESTARTING' where id = $1`],
    ['an update that is due', `update update_settings set due_at = '2020-01-01' where deployment_id = $1`],
    [
      'a backup',
      `insert into backups (deployment_id, kind, state, requested_at) values ($1, 'scheduled', 'waiting', now())`,
    ],
  ])('waits for %s, and looks again within its window', async (_, before) => {
    await choose(OPEN);
    await reboot('window');
    await sql(before);
    await pass();
    expect((await acts()).at(-1)).toBe('deployment.reboot_planned');
    expect(await dueAt()).toBe('12:25');
  });
});
