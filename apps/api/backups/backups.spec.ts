import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BackupAnswer,
  type BackupsAnswer,
  type DeploymentAnswer,
  deploymentSecrets,
  type StaleBackupAnswer,
} from '@moorage/contracts';
import { asStored, BACKUP_MESSAGES, cloudSetup, DAY_MS, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import { type Neighbours, neighbours, ordered, refused } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { LIMITS } from '../http/limits';
import { copied } from '@moorage/tests/services/api/backups';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 10_000);
});

const SEEN = { server_exists: true, instance_ip: '5.9.9.9' };
const REASON = 'You asked us to.';
const ELSEWHERE = { server_type: 'new', cloud_provider: 'hetzner', region: 'nbg1', instance_type: 'cpx22' } as const;

/** Creates a running deployment of level 2. */
async function ready(change: object = {}): Promise<number> {
  const { id } = await ordered(api, jane, { support_level: 2, ...change });
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', SEEN], 'READY');
  return id;
}

async function destroyed(id: number): Promise<void> {
  await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
  await others.moveTo(id, ['DESTROYED', { server_exists: false, deleted_at: await now() }]);
}

const now = () => api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));
const get = (path: string, account = jane) => api.http.get(`/api/deployments/${path}`).set(account.auth);
const post = (path: string, body: object = {}, account = jane, headers: Record<string, string> = {}) =>
  api.http.post(`/api/deployments/${path}`).set(account.auth).set(headers).send(body);
const listOf = async (id: number, account = jane) => (await get(`${id}/backups`, account)).body as BackupsAnswer;
const restoresOf = (id: number) =>
  api.database.sql<{ kind: string; state: string; backup_id: number }>(
    'select kind, state, backup_id from restores where deployment_id = $1 order by id',
    [id],
  );
const auditOf = (account: TestAccount) =>
  api.database.sql<{ action: string; actor: number; reason: string | null }>(
    `select action, actor_user_id as actor, reason from audit_records where account_id = $1 and action ~ 'back|rest|copy' order by id`,
    [account.id],
  );
const secretsOf = (id: number) =>
  api.deps.db.tx('test.secrets', async (tx) => {
    const owner = deploymentSecrets(id);
    const names = await api.deps.secrets.names(tx, owner);
    const values = await Promise.all(names.map((name) => api.deps.secrets.get(tx, owner, name)));
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  });

/** Ends a restore in place as the provisioner does. */
async function restored(id: number, state: 'done' | 'failed' | 'undone', more: object = {}): Promise<void> {
  const at = await now();
  const undoUntil = state === 'done' ? iso(at + DAY_MS) : null;
  await api.database.sql(
    `update restores set state = $2, finished_at = $3, undo_until = $4 where deployment_id = $1 and state in ('running', 'undoing')`,
    [id, state, iso(at), undoUntil],
  );
  await others.moveTo(id, ['READY', { restart_from: null, failure: null, ...more }]);
}

describe('backups of a deployment', () => {
  it('are empty at first, with the time of the first backup', async () => {
    const id = await ready();
    expect(await listOf(id)).toMatchObject({
      deployment_id: id,
      mode: 'simulated',
      days: 7,
      next_at: expect.any(String),
      kept_until: null,
      kept_until_if_deleted: expect.any(String),
      used_bytes: 0,
      quota_bytes: 20_000_000_000,
      stale: false,
      copies: [],
      included: expect.arrayContaining([expect.objectContaining({ en: expect.any(String), de: expect.any(String) })]),
      checked: null,
      tested: null,
      restore: null,
      backup_refused: null,
      restore_refused: null,
      undo_refused: { code: 'backup.nothing_to_undo' },
    });
  });

  it('are listed newest first, with the results of checks and tests', async () => {
    const id = await ready({ support_level: 3 });
    const first = await copied(api, id);
    const second = await copied(api, id, { kind: 'on_request', catalogue_version: 9 });
    await api.database.sql(
      `update backup_repositories set checked_at = now(), check_failure = $2, tested_at = now(), test_bytes = 7, test_ms = 48
       where deployment_id = $1`,
      [id, JSON.stringify(BACKUP_MESSAGES.copy_damaged)],
    );
    const listed = await listOf(id);
    expect(listed).toMatchObject({
      days: 28,
      quota_bytes: 100_000_000_000,
      used_bytes: 1_200_000_000,
      checked: { ok: false, failure: { code: 'backup.copy_damaged' } },
      tested: { ok: true, failure: null, bytes: 7, duration_ms: 48 },
      copies: [
        // Copy of a newer package version than the installed one.
        { id: second, kind: 'on_request', state: 'complete', restorable: false },
        { id: first, bytes: 1_200_000_000, dumps: [{ name: 'database', bytes: 4096 }], restorable: true },
      ],
    });
    const stored = Date.parse(listed.kept_until_if_deleted ?? '') - (await now());
    expect(Math.round(stored / DAY_MS)).toBe(28);
  });

  it('name the version of their data, also one that was withdrawn since', async () => {
    const id = await ready();
    const earlier = await copied(api, id);
    const newer = await copied(api, id);
    const waiting = (await post(`${id}/backups`)).body as BackupAnswer;
    await api.database.sql(`update backups set release = '1.24.0-2' where id = $1`, [newer]);
    await api.database.sql(
      `insert into release_rollouts (package, version, ring, state, counted_from, changed_at)
       values ('pangolin', '1.24.0-2', 'all', 'withdrawn', now(), now())`,
    );
    expect(await listOf(id)).toMatchObject({
      release: '1.24.0',
      copies: [
        { id: waiting.id, release: null, is_withdrawn: false },
        { id: newer, release: '1.24.0-2', is_withdrawn: true, restorable: true },
        { id: earlier, release: '1.24.0', is_withdrawn: false },
      ],
    });
    await api.database.sql('delete from release_rollouts');
  });

  it('omit those that failed or were removed more than 28 days ago', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const end = (age: string) =>
      api.database.sql(
        `update backups set state = 'removed', removed_because = 'retention', removed_at = now() - $2::interval where id = $1`,
        [copy, age],
      );
    await end('27 days');
    expect((await listOf(id)).copies).toMatchObject([{ id: copy, state: 'removed', restorable: false }]);
    await end('29 days');
    expect((await listOf(id)).copies).toEqual([]);
  });

  it('are reported as off when no backup target is configured', async () => {
    const id = await ready();
    const live = await apiHarness({
      beside: api,
      settings: { clouds: cloudSetup({ sandbox: false, chosen: {} }) },
    });
    const listed = (await live.http.get(`/api/deployments/${id}/backups`).set(jane.auth)).body as BackupsAnswer;
    expect(listed).toMatchObject({
      mode: 'off',
      next_at: null,
      backup_refused: { code: 'backup.off' },
      restore_refused: { code: 'backup.off' },
    });
    const answer = await live.http.post(`/api/deployments/${id}/backups`).set(jane.auth);
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'BACKUP_STATE', message_code: 'backup.off' }]);
    await live.close();
  });

  it('are visible to the owner only', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const kim = await api.user();
    for (const request of [
      () => get(`${id}/backups`, kim),
      () => post(`${id}/backups`, {}, kim),
      () => post(`${id}/backups/${copy}/restore`, {}, kim),
      () => post(`${id}/undo-restore`, {}, kim),
      () => post(`${id}/backups/${copy}/deployments`, ELSEWHERE, kim),
    ])
      await refused(api, request, 404, { code: 'NOT_FOUND' });
  });

  it('remain visible after a deletion until the last copy is removed', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await destroyed(id);
    const listed = await listOf(id);
    expect(listed).toMatchObject({
      next_at: null,
      kept_until: expect.any(String),
      backup_refused: { code: 'backup.not_running' },
    });
    expect((await api.http.delete(`/api/deployments/${id}`).set(jane.auth)).body).toMatchObject({
      code: 'order.deployment_gone',
      backups_kept_until: expect.any(String),
    });
    expect((await listOf(id)).copies).toMatchObject([{ id: copy, restorable: true }]);
    await api.database.sql(
      `update backups set state = 'removed', removed_because = 'ended', removed_at = now() where id = $1`,
      [copy],
    );
    expect((await get(`${id}/backups`)).status).toBe(404);
  });
});

describe('backup on demand', () => {
  it('requests one backup at a time', async () => {
    const id = await ready();
    const requested = await post(`${id}/backups`);
    expect([requested.status, requested.body]).toMatchObject([
      201,
      { kind: 'on_request', state: 'waiting', restorable: false, failure: null, dumps: [] },
    ]);
    const [work] = await api.database.sql<{ kind: string }>(
      `select kind from work where key = $1 and kind = 'back-up'`,
      [String((requested.body as { id: number }).id)],
    );
    expect(work).toEqual({ kind: 'back-up' });
    await refused(api, () => post(`${id}/backups`), 409, { code: 'BACKUP_STATE', message_code: 'backup.already' });
    expect(await listOf(id)).toMatchObject({
      backup_refused: { code: 'backup.already' },
      copies: [{ state: 'waiting' }],
    });
  });

  it('is rejected at level 1', async () => {
    const id = await ready({ support_level: 1 });
    await refused(api, () => post(`${id}/backups`), 409, { code: 'BACKUP_STATE', message_code: 'backup.level' });
    expect(await listOf(id)).toMatchObject({ days: 0, next_at: null, backup_refused: { code: 'backup.level' } });
  });

  it('is rejected while the deployment is being created', async () => {
    const { id } = await ordered(api, jane, { support_level: 2 });
    const refusal = { code: 'DEPLOYMENT_STATE', message_code: 'backup.not_running' };
    await refused(api, () => post(`${id}/backups`), 409, refusal);
  });

  it('can be requested twenty times an hour', async () => {
    const id = await ready();
    const strict = await apiHarness({ beside: api, settings: { limits: LIMITS } });
    const statuses: number[] = [];
    for (let index = 0; index < 21; index++)
      statuses.push((await strict.http.post(`/api/deployments/${id}/backups`).set(jane.auth)).status);
    expect([statuses[0], statuses[19], statuses[20]]).toEqual([201, 409, 429]);
    await strict.close();
  });
});

describe('restore in place', () => {
  it('restarts the deployment with the data of the copy', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const answer = await post(`${id}/backups/${copy}/restore`);
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'RESTARTING', actions: [] }]);
    expect(await restoresOf(id)).toEqual([{ kind: 'in_place', state: 'running', backup_id: copy }]);
    expect(await listOf(id)).toMatchObject({
      restore: { backup_id: copy, state: 'running', undo_until: null, undoing: false },
      restore_refused: { code: 'backup.restoring' },
    });
    expect(await auditOf(jane)).toEqual([{ action: 'deployment.restored', actor: jane.id, reason: null }]);
  });

  it('blocks every other operation in the meantime', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await post(`${id}/backups/${copy}/restore`);
    const state = { code: 'DEPLOYMENT_STATE' };
    await refused(api, () => post(`${id}/restart`), 409, state);
    await refused(api, () => post(`${id}/cancel`), 409, state);
    await refused(api, () => api.http.delete(`/api/deployments/${id}`).set(jane.auth), 409, state);
    const level = () => api.http.patch(`/api/deployments/${id}`).set(jane.auth).send({ support_level: 3 });
    await refused(api, level, 409, state);
    await refused(api, () => post(`${id}/backups/${copy}/restore`), 409, { code: 'BACKUP_STATE' });
    await refused(api, () => post(`${id}/undo-restore`), 409, { code: 'BACKUP_STATE' });
    await refused(api, () => post(`${id}/backups`), 409, state);
    const admin = await api.admin();
    const check = await api.http.get(`/api/users/${jane.id}/deactivation-check`).set(admin.auth);
    expect(check.body).toMatchObject({ can_deactivate: false, active_deployment_count: 1 });
    // The preparation of an account's end does not wait. The provisioner ends the restore at its next step.
    const prepared = await api.http
      .post(`/api/users/${jane.id}/prepare-deletion`)
      .set(admin.auth)
      .send({ reason: REASON });
    expect(prepared.body).toMatchObject({ removing: 1 });
    await api.run();
    const [mail] = (await api.mailsTo(jane.email)).filter(({ text }) => text.includes(REASON));
    expect(mail?.text).toContain('Backups are kept at least until');
  });

  it.each([
    ['that is not complete', `state = 'failed', snapshot_id = null`, 'backup.copy_incomplete'],
    ['that is no longer stored', `state = 'removed', removed_at = now()`, 'backup.copy_unknown'],
    ['of a newer package', 'catalogue_version = 9', 'backup.copy_newer'],
  ])('is rejected for a copy %s', async (_, change, message_code) => {
    const id = await ready();
    const copy = await copied(api, id);
    await api.database.sql(`update backups set ${change} where id = $1`, [copy]);
    const refusal = { code: 'BACKUP_STATE', message_code };
    await refused(api, () => post(`${id}/backups/${copy}/restore`), 409, refusal);
    await refused(api, () => post(`${id}/backups/${copy}/deployments`, ELSEWHERE), 409, refusal);
  });

  it('is rejected for a copy of another deployment, even of the same owner', async () => {
    const [id, other] = [await ready(), await ready()];
    const copy = await copied(api, other);
    const refusal = { code: 'NOT_FOUND', message_code: 'backup.copy_unknown' };
    await refused(api, () => post(`${id}/backups/${copy}/restore`), 404, refusal);
    await refused(api, () => post(`${id}/backups/${copy}/deployments`, ELSEWHERE), 404, refusal);
  });

  it('is rejected when the DNS records are missing', async () => {
    const { id } = await ordered(api, jane, { support_level: 2 });
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', SEEN], 'DNS_FAILED');
    const copy = await copied(api, id);
    const refusal = { code: 'DEPLOYMENT_STATE', message_code: 'backup.restore_needs_running' };
    await refused(api, () => post(`${id}/backups/${copy}/restore`), 409, refusal);
  });

  it('requires a reason from staff, which the owner can read', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const admin = await api.admin();
    await refused(api, () => post(`${id}/backups/${copy}/restore`, {}, admin), 422, { code: 'FIELDS_INVALID' });
    expect((await post(`${id}/backups/${copy}/restore`, { reason: REASON }, admin)).status).toBe(200);
    expect(await auditOf(jane)).toEqual([{ action: 'deployment.restored', actor: admin.id, reason: REASON }]);
    await api.run();
    expect((await api.mailsTo(jane.email)).filter(({ text }) => text.includes(REASON))).toHaveLength(1);
  });

  it('sends one email when it has finished, with the deadline for undoing it', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await post(`${id}/backups/${copy}/restore`);
    await restored(id, 'done');
    await api.run();
    const mails = (await api.mailsTo(jane.email)).filter(({ subject }) => subject.endsWith('backup restored'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`http://moorage.test/deployments/${id}/backups`);
    await post(`${id}/undo-restore`);
    await restored(id, 'undone');
    await api.run();
    expect((await api.mailsTo(jane.email)).filter(({ subject }) => /restore/.test(subject))).toHaveLength(1);
  });

  it('sends an email with the reason when it failed', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await post(`${id}/backups/${copy}/restore`);
    await restored(id, 'failed', { failure: BACKUP_MESSAGES.restored_unhealthy });
    await api.run();
    const [mail] = (await api.mailsTo(jane.email)).filter(({ subject }) => subject.endsWith('could not be restored'));
    expect(mail?.text).toContain('we switched back to the previous data');
    expect(await listOf(id)).toMatchObject({
      restore: null,
      failed_restore: { state: 'failed' },
      restore_refused: null,
    });
  });
});

describe('undo of a restore', () => {
  it('restarts the deployment with the previous data for a day', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await post(`${id}/backups/${copy}/restore`);
    await restored(id, 'done');
    expect(await listOf(id)).toMatchObject({ restore: { state: 'done' }, undo_refused: null });
    const answer = await post(`${id}/undo-restore`);
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'RESTARTING' }]);
    expect(await listOf(id)).toMatchObject({ restore: { state: 'running', undoing: true } });
    await restored(id, 'undone');
    expect(await listOf(id)).toMatchObject({ restore: null, undo_refused: { code: 'backup.nothing_to_undo' } });
    expect((await auditOf(jane)).map(({ action }) => action)).toEqual([
      'deployment.restored',
      'deployment.restore_undone',
    ]);
  });

  it('is no longer possible after a day', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    await post(`${id}/backups/${copy}/restore`);
    await restored(id, 'done');
    api.pass(25 * HOUR_MS);
    const refusal = { code: 'BACKUP_STATE', message_code: 'backup.undo_over' };
    await refused(api, () => post(`${id}/undo-restore`), 409, refusal);
    expect(await listOf(id)).toMatchObject({ restore: null });
  });
});

describe('new deployment from a backup', () => {
  const SECRETS = { admin_password: 'Correct-horse-7', postgres_password: 'Secret+1' };

  it('is ordered elsewhere with the values and all secrets of the source', async () => {
    const id = await ready(SECRETS);
    await api.deps.db.tx('test.generate', async (tx) => {
      await api.deps.secrets.put(tx, deploymentSecrets(id), 'SERVER_SECRET', 'generated');
      await api.deps.secrets.put(tx, deploymentSecrets(id), 'ssh_private_key', 'of its server');
    });
    const copy = await copied(api, id);
    const answer = await post(`${id}/backups/${copy}/deployments`, { ...ELSEWHERE, domain: 'Copy.Example.com' });
    const created = answer.body as DeploymentAnswer;
    expect([answer.status, created]).toMatchObject([
      201,
      { status: 'CREATING', region: 'nbg1', support_level: 2, domain: 'copy.example.com', hourly_cost: 0.1041 },
    ]);
    expect(created.client_name).not.toBe(((await get(String(id))).body as DeploymentAnswer).client_name);
    const { ssh_private_key: _, ...values } = await secretsOf(id);
    expect(await secretsOf(created.id)).toEqual(values);
    expect(values).toMatchObject({ SERVER_SECRET: 'generated', ADMIN_PASSWORD: SECRETS.admin_password });
    expect(await restoresOf(created.id)).toEqual([{ kind: 'new', state: 'running', backup_id: copy }]);
    expect(await auditOf(jane)).toEqual([{ action: 'deployment.copy_ordered', actor: jane.id, reason: null }]);
  });

  it('is ordered once per minute without a key', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const order = async () =>
      (await post(`${id}/backups/${copy}/deployments`, ELSEWHERE)).body as Pick<DeploymentAnswer, 'id'>;
    const first = await order();
    expect((await order()).id).toBe(first.id);
    api.pass(2 * MINUTE_MS);
    expect((await order()).id).not.toBe(first.id);
  });

  it.each(['destroyed', 'deleted'])('can be created from one that was %s, under its name', async (how) => {
    const id = await ready({ client_name: 'harbour', ...SECRETS });
    const copy = await copied(api, id);
    await destroyed(id);
    if (how === 'deleted') await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    const answer = await post(`${id}/backups/${copy}/deployments`, { ...ELSEWHERE, support_level: 1 });
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { client_name: 'harbour', domain: 'example.com', support_level: 1, hourly_cost: 0.0356 },
    ]);
    expect(await secretsOf((answer.body as DeploymentAnswer).id)).toMatchObject({
      ADMIN_PASSWORD: SECRETS.admin_password,
      POSTGRES_PASSWORD: SECRETS.postgres_password,
    });
  });

  it('is rejected for a size whose disk is too small for the copy', async () => {
    const id = await ready();
    const copy = await copied(api, id, { bytes: 75_500_000_000 });
    const refusal = {
      code: 'FIELDS_INVALID',
      errors: [
        expect.objectContaining({
          path: 'instance_type',
          message: 'The backup needs 76 GB. Choose a server with a larger disk.',
        }),
      ],
    };
    await refused(api, () => post(`${id}/backups/${copy}/deployments`, ELSEWHERE), 422, refusal);
    const larger = { ...ELSEWHERE, instance_type: 'cpx32' };
    expect((await post(`${id}/backups/${copy}/deployments`, larger)).status).toBe(201);
  });

  it.each<[string, object, number, object]>([
    ['at another price', { expected_hourly_cost: 0.1 }, 409, { code: 'PRICE_CHANGED' }],
    ['in an unknown region', { region: 'us-east-1' }, 422, { code: 'FIELDS_INVALID' }],
    ['for an invalid domain', { domain: 'no domain' }, 422, { code: 'FIELDS_INVALID' }],
    [
      'on an own server when the copy is simulated',
      { server_type: 'vps', vps_ip_address: '5.9.0.1' },
      409,
      { code: 'BACKUP_STATE', message_code: 'backup.simulated_copy' },
    ],
  ])('is rejected %s', async (_, change, status, refusal) => {
    const id = await ready();
    const copy = await copied(api, id);
    await refused(api, () => post(`${id}/backups/${copy}/deployments`, { ...ELSEWHERE, ...change }), status, refusal);
  });

  it('is available to the owner only', async () => {
    const id = await ready();
    const copy = await copied(api, id);
    const admin = await api.admin();
    const request = () => post(`${id}/backups/${copy}/deployments`, ELSEWHERE, admin);
    await refused(api, request, 404, { code: 'NOT_FOUND' });
  });
});

describe('end of backups', () => {
  it('is stated on deletion, with the retention of the support level', async () => {
    const id = await ready();
    const answer = await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    const until = (answer.body as { backups_kept_until: string | null }).backups_kept_until;
    expect(Math.round((Date.parse(until ?? '') - (await now())) / DAY_MS)).toBe(7);
    const without = await ready({ support_level: 1 });
    expect((await api.http.delete(`/api/deployments/${without}`).set(jane.auth)).body).toMatchObject({
      backups_kept_until: null,
    });
  });

  it('is stated as a week after a change to a level without backups', async () => {
    const id = await ready({ support_level: 3 });
    await copied(api, id);
    const quote = async (level: number) =>
      (await get(`${id}/support-level?level=${level}`)).body as { backups_kept_until: string | null };
    const until = (await quote(1)).backups_kept_until;
    expect(Math.round((Date.parse(until ?? '') - (await now())) / DAY_MS)).toBe(7);
    expect(await quote(2)).toMatchObject({ backups_kept_until: null });
  });

  it('removes the secrets of a deleted deployment only when no copy is retained', async () => {
    const [stored, gone] = [
      await ready({ admin_password: 'Correct-horse-7' }),
      await ready({ admin_password: 'Correct-horse-7' }),
    ];
    await copied(api, stored);
    for (const id of [stored, gone]) {
      await destroyed(id);
      await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    }
    expect(Object.keys(await secretsOf(stored))).toContain('ADMIN_PASSWORD');
    expect(await secretsOf(gone)).toEqual({});
  });

  it('is immediate when an account is erased', async () => {
    const id = await ready({ admin_password: 'Correct-horse-7' });
    await copied(api, id);
    await destroyed(id);
    const admin = await api.admin();
    await api.database.sql('update wallets set regular_micros = 0 where user_id = $1', [jane.id]);
    await api.database.sql('update users set deactivated_at = now() where id = $1', [jane.id]);
    const erased = await api.http.delete(`/api/users/${jane.id}`).set(admin.auth);
    expect(erased.status).toBe(200);
    const [repository] = await api.database.sql<{ is_over: boolean }>(
      'select ends_at <= $2::timestamptz as is_over from backup_repositories where deployment_id = $1',
      [id, iso(await now())],
    );
    expect(repository).toEqual({ is_over: true });
    expect(
      await api.database.sql(`select kind from work where key = $1 and kind = 'keep-copies'`, [String(id)]),
    ).toHaveLength(1);
    expect(await secretsOf(id)).toEqual({});
  });
});

describe('deployments without a backup in the last 36 hours', () => {
  it('are listed for administrators, with the reason why the last attempt failed', async () => {
    const admin = await api.admin();
    const id = await ready();
    await copied(api, id, { at: (await now()) - 40 * HOUR_MS });
    await api.database.sql(
      `insert into backups (deployment_id, kind, state, requested_at, finished_at, failure_reason, failure_code, failure_facts)
       values ($1, 'scheduled', 'failed', now(), now(), $2, $3, '{}')`,
      [id, BACKUP_MESSAGES.target_silent.detail, BACKUP_MESSAGES.target_silent.code],
    );
    const fresh = await ready();
    await copied(api, fresh, { at: (await now()) - 30 * HOUR_MS });
    const listed = (await api.http.get('/api/admin/stale-backups').set(admin.auth)).body as StaleBackupAnswer[];
    expect(listed.filter(({ username }) => username === jane.username)).toMatchObject([
      {
        deployment_id: id,
        support_level: 2,
        cloud_provider: 'hetzner',
        newest_at: expect.any(String),
        failure: { code: 'backup.target_silent' },
      },
    ]);
    expect([(await listOf(id)).stale, (await listOf(fresh)).stale]).toEqual([true, false]);
    // A failed deployment is excluded because it needs no backup.
    await others.moveTo(id, ['FAILED', { failure: asStored('Lost.') }]);
    expect((await api.http.get('/api/admin/stale-backups').set(admin.auth)).text).not.toContain(
      `"deployment_id":${id},`,
    );
  });
});
