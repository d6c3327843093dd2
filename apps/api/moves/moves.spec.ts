import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DeploymentAnswer, deploymentSecrets, event } from '@moorage/contracts';
import { iso, DAY_MS, MOVE_MESSAGES } from '@moorage/domain';
import { copied } from '@moorage/tests/services/api/backups';
import { eventsOf, type Neighbours, neighbours, ordered, refused } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

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
const ELSEWHERE = { server_type: 'new', cloud_provider: 'hetzner', region: 'nbg1', instance_type: 'cpx22' } as const;

const post = (path: string, body: object = {}, headers: Record<string, string> = {}, account = jane) =>
  api.http.post(`/api/deployments/${path}`).set(account.auth).set(headers).send(body);
const get = async (id: number): Promise<DeploymentAnswer> =>
  (await api.http.get(`/api/deployments/${id}`).set(jane.auth)).body as DeploymentAnswer;
const now = () => api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));
const stateOf = async (target: number): Promise<string | undefined> =>
  (await api.database.sql<{ state: string }>('select state from moves where target_id = $1', [target]))[0]?.state;

async function ready(change: object = {}): Promise<number> {
  const { id } = await ordered(api, jane, { support_level: 2, ...change });
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', SEEN], 'READY');
  return id;
}

async function started(source: number, kind: 'move' | 'clone' = 'move', body: object = {}): Promise<DeploymentAnswer> {
  const answer = await post(`${source}/${kind}`, { ...ELSEWHERE, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as DeploymentAnswer;
}

/** Moves the new deployment to READY and records it as the provisioner does. */
async function arrived(target: number): Promise<void> {
  await others.moveTo(target, 'PROVISIONING', ['DNS_VALIDATION', { ...SEEN, instance_ip: '5.9.9.8' }], 'READY');
  const at = await now();
  await api.database.sql(`update moves set state = 'waiting', switched_at = $2, remove_at = $3 where target_id = $1`, [
    target,
    iso(at),
    iso(at + DAY_MS),
  ]);
}

const secretOf = (id: number, name: string) =>
  api.deps.db.tx('test.secret', (tx) => api.deps.secrets.get(tx, deploymentSecrets(id), name));

describe('move', () => {
  it('orders the same deployment elsewhere, with its name and its secrets, and leaves the old one unchanged', async () => {
    const source = await ready();
    await api.http.put(`/api/deployments/${source}/name`).set(jane.auth).send({ name: 'Ahoi & Söhne' });
    await api.deps.db.tx('test.secret', (tx) =>
      api.deps.secrets.put(tx, deploymentSecrets(source), 'SESSION_SECRET', 'generated before'),
    );
    const target = await started(source);
    expect(target).toMatchObject({
      status: 'CREATING',
      client_name: 'Ahoi & Söhne',
      domain: 'example.com',
      region: 'nbg1',
      support_level: 2,
      move: { kind: 'move', state: 'running', source_id: source, target_id: target.id, remove_at: null },
    });
    expect(await secretOf(target.id, 'SESSION_SECRET')).toBe('generated before');
    const old = await get(source);
    expect(old).toMatchObject({ status: 'READY', move: { source_id: source, target_id: target.id } });
    expect(old.actions).toEqual(['deactivate']);
    expect(await eventsOf(api, target.id)).toEqual(['deployment.created', 'deployment.move_changed']);
    const activity = await api.http.get('/api/users/self/activity').set(jane.auth);
    expect(activity.body).toMatchObject({
      activity: expect.arrayContaining([
        expect.objectContaining({ what: expect.objectContaining({ code: 'history.deployment_move_ordered' }) }),
      ]),
    });
  });

  it('refuses every change of the old deployment until it has ended, except its deletion', async () => {
    const source = await ready();
    const copy = await copied(api, source);
    await started(source);
    const refusal = { code: 'DEPLOYMENT_STATE', message_code: 'move.moving' };
    await refused(api, () => post(`${source}/restart`), 409, refusal);
    await refused(api, () => post(`${source}/backups/${copy}/restore`), 409, refusal);
    const level = () => api.http.patch(`/api/deployments/${source}`).set(jane.auth).send({ support_level: 3 });
    await refused(api, level, 409, refusal);
    const open = { code: 'DEPLOYMENT_STATE', message_code: 'move.open' };
    await refused(api, () => post(`${source}/move`, ELSEWHERE), 409, open);
    await refused(api, () => post(`${source}/clone`, { ...ELSEWHERE, domain: 'example.org' }), 409, open);
    expect((await api.http.delete(`/api/deployments/${source}`).set(jane.auth)).body).toMatchObject({
      status: 'DESTROYING',
    });
  });

  it('is refused while the deployment is being set up, locked against deletion, or belongs to someone else', async () => {
    const { id } = await ordered(api, jane);
    await refused(api, () => post(`${id}/move`, ELSEWHERE), 409, { code: 'DEPLOYMENT_STATE' });
    const source = await ready();
    await api.http.put(`/api/deployments/${source}/deletion-lock`).set(jane.auth).send({ locked: true });
    await refused(api, () => post(`${source}/move`, ELSEWHERE), 409, { code: 'DEPLOYMENT_LOCKED' });
    const admin = await api.admin();
    await refused(api, () => post(`${source}/move`, ELSEWHERE, {}, admin), 404, { code: 'NOT_FOUND' });
  });

  it('names the field that cannot be ordered, and the money that is missing', async () => {
    const source = await ready();
    await copied(api, source, { bytes: 400_000_000_000 });
    await refused(api, () => post(`${source}/move`, ELSEWHERE), 422, {
      errors: [expect.objectContaining({ path: 'instance_type', code: 'move.disk' })],
    });
    await refused(api, () => post(`${source}/move`, { ...ELSEWHERE, region: 'mars' }), 422, {
      errors: [expect.objectContaining({ path: 'region' })],
    });
    const other = await ready();
    const price = { ...ELSEWHERE, expected_hourly_cost: 0.0001 };
    await refused(api, () => post(`${other}/move`, price), 409, { code: 'PRICE_CHANGED' });
    await api.database.sql('update wallets set regular_micros = 0 where user_id = $1', [jane.id]);
    const { status, body } = await post(`${other}/move`, ELSEWHERE);
    expect([status, body]).toEqual([402, expect.objectContaining({ needed: expect.any(Number), available: 0 })]);
  });

  it('returns the same deployment for a repeated key', async () => {
    const source = await ready();
    const key = { 'Idempotency-Key': `move-${source}` };
    const first = await post(`${source}/move`, ELSEWHERE, key);
    const second = await post(`${source}/move`, ELSEWHERE, key);
    expect([second.status, (second.body as DeploymentAnswer).id]).toEqual([201, (first.body as DeploymentAnswer).id]);
  });

  it('does not order its new deployment again elsewhere without the data', async () => {
    const source = await ready();
    const { id } = await started(source);
    await others.moveTo(id, 'PROVISIONING', [
      'FAILED',
      { failure: MOVE_MESSAGES.source_gone, destroy_reason: 'failed' },
    ]);
    await api.database.sql(`update deployments set failure_code = 'step.cloud_capacity' where id = $1`, [id]);
    const place = { region: 'fsn1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 };
    await refused(api, () => post(`${id}/retry`, place), 409, { message_code: 'move.order_again' });
  });
});

describe('move to an own server', () => {
  it('needs a server that was checked and on which no deployment runs, and backup storage', async () => {
    const stored = { hasTarget: true, quotaOf: api.settings.backups.quotaOf };
    const withTarget = await apiHarness({ beside: api, settings: { backups: stored } });
    const own = (address: string) => ({ server_type: 'vps', vps_ip_address: address });
    await others.checked(jane, '5.9.0.7');
    const nowhere = { cloud_provider: null, region: null, instance_type: null };
    const { id } = await ordered(api, jane, { ...own('5.9.0.7'), ...nowhere });
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true }], 'READY');
    const move = (address: string) =>
      withTarget.http.post(`/api/deployments/${id}/move`).set(jane.auth).send(own(address));
    await refused(withTarget, () => move('5.9.0.7'), 409, { code: 'VPS_IN_USE' });
    await refused(withTarget, () => move('5.9.0.8'), 422, { code: 'VPS_CHECK_NEEDED' });
    await others.checked(jane, '5.9.0.8');
    await refused(api, () => post(`${id}/move`, own('5.9.0.8')), 409, { message_code: 'move.no_storage' });
    const started = await move('5.9.0.8');
    expect([started.status, started.body]).toEqual([201, expect.objectContaining({ vps_ip_address: '5.9.0.8' })]);
    await withTarget.close();
  });
});

describe('old server of a move', () => {
  it('can be removed by its owner once the new one is ready, with a refund', async () => {
    const source = await ready();
    const { id: target } = await started(source);
    await refused(api, () => post(`${source}/move/finish`), 409, { message_code: 'move.not_ready' });
    await arrived(target);
    // The new deployment may be named as well as the old one.
    const finished = await post(`${target}/move/finish`);
    expect([finished.status, finished.body]).toEqual([
      200,
      expect.objectContaining({ status: 'DESTROYING', refunded_amount: expect.any(Number) }),
    ]);
    expect(await get(source)).toMatchObject({ status: 'DESTROYING' });
    expect(await get(target)).toMatchObject({ status: 'READY' });
    // The move has already ended in the other way.
    await refused(api, () => post(`${target}/move/cancel`), 409, { message_code: 'move.source_removed' });
  });

  it('stays while the new one is not ready, or while its deletion is locked', async () => {
    const source = await ready();
    const { id: target } = await started(source);
    await arrived(target);
    await others.moveTo(target, ['FAILED', { lost_from: 'READY' }]);
    await refused(api, () => post(`${source}/move/finish`), 409, { message_code: 'move.not_ready' });
    const second = await ready({ domain: 'b.example.com' });
    const { id } = await started(second);
    await arrived(id);
    await api.http.put(`/api/deployments/${second}/deletion-lock`).set(jane.auth).send({ locked: true });
    await refused(api, () => post(`${second}/move/finish`), 409, { code: 'DEPLOYMENT_LOCKED' });
  });
});

describe('cancelling a move', () => {
  it('removes the new deployment at any time', async () => {
    const source = await ready();
    const { id: first } = await started(source);
    expect((await post(`${source}/move/cancel`)).body).toMatchObject({ status: 'CREATING', refunded_amount: 0 });
    await api.database.sql(`update moves set state = 'cancelled', finished_at = now() where target_id = $1`, [first]);
    const { id: second } = await started(source);
    await arrived(second);
    expect((await post(`${second}/move/cancel`)).body).toMatchObject({ status: 'DESTROYING' });
    await refused(api, () => post(`${source}/move/finish`), 409, { code: 'DEPLOYMENT_STATE' });
    expect(await get(source)).toMatchObject({ status: 'READY' });
  });

  it('is refused without a move, and for everyone but the owner', async () => {
    const source = await ready();
    await refused(api, () => post(`${source}/move/cancel`), 409, { message_code: 'move.none' });
    await started(source);
    const admin = await api.admin();
    await refused(api, () => post(`${source}/move/cancel`, {}, {}, admin), 404, { code: 'NOT_FOUND' });
  });
});

describe('clone', () => {
  it('needs a domain of its own, and gets its own name', async () => {
    const source = await ready();
    for (const domain of [undefined, 'example.com'])
      await refused(api, () => post(`${source}/clone`, { ...ELSEWHERE, domain }), 422, {
        errors: [expect.objectContaining({ path: 'domain', code: 'move.clone_domain' })],
      });
    const clone = await started(source, 'clone', { domain: 'staging.example.com', support_level: 1 });
    const { client_name: name } = await get(source);
    expect(clone).toMatchObject({ domain: 'staging.example.com', support_level: 1, move: { kind: 'clone' } });
    expect(clone.client_name).not.toBe(name);
    await refused(api, () => post(`${source}/restart`), 409, { message_code: 'move.cloning' });
  });
});

describe('emails and activity of a move', () => {
  it('report that it has moved and until when the old server runs, and its end', async () => {
    const source = await ready();
    const target = await started(source);
    const data = {
      deployment_id: target.id,
      user_id: jane.id,
      client_name: target.client_name,
      kind: 'move',
      source_id: source,
      failure: null,
    } as const;
    await others.append(
      event('deployment.move_changed', target.id, { ...data, state: 'waiting', remove_at: '2026-12-07T09:30:00.000Z' }),
      event('deployment.move_changed', target.id, { ...data, state: 'done', remove_at: null }),
    );
    await api.run();
    const mails = (await api.mailsTo(jane.email)).filter(({ subject }) => subject.endsWith('has moved'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('2026-12-07 09:30 UTC');
    const ended = await api.database.sql(
      `select 1 from audit_records where subject = $1 and action = 'deployment.move_ended' and actor_user_id is null`,
      [`deployment:${target.id}`],
    );
    expect(ended).toHaveLength(1);
    expect(await stateOf(target.id)).toBe('running');
  });
});
