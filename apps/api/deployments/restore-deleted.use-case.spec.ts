import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { Deployments, endUndo } from '@moorage/database';
import { HOUR_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { type Neighbours, neighbours, ordered, OWN_SERVER } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
beforeAll(async () => {
  harness = await apiHarness({ settings: { deleteUndoHours: 24 } });
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2000);
  await toFirstMinuteOfDay(harness);
});

const remove = (id: number, query: object = {}) =>
  harness.http.delete(`/api/deployments/${id}`).set(account.auth).query(query);
const restore = (id: number, { who = account, key }: { who?: TestAccount; key?: string } = {}) =>
  harness.http
    .post(`/api/deployments/${id}/restore`)
    .set({ ...who.auth, ...(key === undefined ? {} : { 'idempotency-key': key }) })
    .send();
const read = async (id: number): Promise<DeploymentAnswer> =>
  (await harness.http.get(`/api/deployments/${id}`).set(account.auth)).body as DeploymentAnswer;
const regular = async (): Promise<number> => {
  const { body } = await harness.http.get('/api/billing/balance').set(account.auth);
  return (body as { regular_balance: number }).regular_balance;
};
const rowOf = async (id: number): Promise<object> => {
  const [row] = await harness.database.sql<object>(
    `select status, desired, destroy_reason, deleted_from, restart_from, undo_until is not null as is_kept,
       billable_to is null as is_open from deployments where id = $1`,
    [id],
  );
  return row ?? {};
};

async function running(change: object = {}): Promise<number> {
  const { id } = await ordered(harness, account, change);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  return id;
}

/** A deployment that was billable from hour 0 and deleted in hour 2. */
async function deleted(change: object = {}): Promise<number> {
  const id = await running(change);
  harness.pass(2 * HOUR_MS);
  await remove(id).expect(200);
  return id;
}

/** Does the same as the provisioner when the time is over. */
const goOn = (id: number): Promise<void> =>
  harness.deps.db.tx('test.go-on', async (tx) => {
    await new Deployments({ outbox: harness.deps.outbox }).lock(tx, id);
    await endUndo(tx, id, await harness.deps.clock.now(tx));
  });

describe('deleted deployment whose server is kept', () => {
  it('states how long, stops its cost at once, and returns without charges for the time between', async () => {
    const id = await running();
    harness.pass(2 * HOUR_MS);
    const { body } = await remove(id);
    expect(body).toMatchObject({ status: 'DESTROYING', undo_until: expect.any(String) });
    expect(await read(id)).toMatchObject({ undo_until: expect.any(String), actions: ['restore_deleted'] });
    expect(await regular()).toBeCloseTo(20 - 3 * 0.0356, 6);
    harness.pass(5 * HOUR_MS);
    const back = await restore(id);
    expect(back.status).toBe(200);
    expect(back.body).toMatchObject({ id, status: 'RESTARTING', undo_until: null, ended: null });
    expect(await rowOf(id)).toEqual({
      status: 'RESTARTING',
      desired: 'running',
      destroy_reason: null,
      deleted_from: 'READY',
      restart_from: 'READY',
      is_kept: false,
      is_open: true,
    });
    // Hours 0, 1, 2 and 7 to 23.
    expect(await regular()).toBeCloseTo(20 - 20 * 0.0356, 6);
    const { body: billed } = await harness.http.get('/api/billing/transactions').set(account.auth);
    expect(JSON.stringify(billed)).toContain('its delete was undone');
    expect(JSON.stringify(billed)).toContain('"restored":true');
    expect((await restore(id)).status).toBe(409);
  });

  it('is restored once for two requests with the same key', async () => {
    const id = await deleted();
    const key = 'restore-0123456789';
    const answers = [await restore(id, { key }), await restore(id, { key })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await regular()).toBeCloseTo(20 - 24 * 0.0356, 6);
  });

  it('stays deleted if the balance does not cover today', async () => {
    const id = await deleted();
    await harness.database.sql('update wallets set regular_micros = 100000 where user_id = $1', [account.id]);
    const { status, body } = await restore(id);
    expect([status, body]).toMatchObject([402, { code: 'BALANCE_TOO_LOW' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'DESTROYING', is_kept: true, is_open: false });
  });

  it('cannot be restored once the removal has begun', async () => {
    const id = await deleted();
    await goOn(id);
    const { status, body } = await restore(id);
    expect([status, body]).toMatchObject([409, { code: 'DEPLOYMENT_STATE', message_code: 'order.restored_too_late' }]);
    expect((await read(id)).actions).toEqual([]);
  });

  it('is removed at once by a delete that has seen it deleted, and by no other', async () => {
    const id = await deleted();
    expect((await remove(id)).status).toBe(409);
    expect((await remove(id, { expected_status: 'READY' })).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ is_kept: true });
    const { body } = await remove(id, { expected_status: 'DESTROYING' });
    expect(body).toMatchObject({ status: 'DESTROYING', refunded_amount: 0, undo_until: null });
    expect(
      await harness.database.sql(
        `select action from audit_records where subject = $1 and action <> 'deployment.ordered' order by id`,
        [`deployment:${id}`],
      ),
    ).toEqual([{ action: 'deployment.deactivated' }, { action: 'deployment.server_removed' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'DESTROYING', is_kept: false });
    expect((await restore(id)).status).toBe(409);
  });

  it('is removed at once when its account is prepared for deactivation', async () => {
    const id = await deleted();
    const admin = await harness.admin();
    const { body } = await harness.http
      .post(`/api/users/${account.id}/prepare-deletion`)
      .set(admin.auth)
      .send({ reason: 'asked by them' });
    expect(body).toMatchObject({ removing: 1, refunded_amount: 0 });
    expect(await rowOf(id)).toMatchObject({ status: 'DESTROYING', is_kept: false });
  });

  it('is not restored by others', async () => {
    const id = await deleted();
    expect((await restore(id, { who: await harness.user() })).status).toBe(404);
    expect((await restore(id, { who: await harness.admin() })).status).toBe(404);
    expect((await restore(await running({ client_name: 'runs' }))).status).toBe(409);
  });
});

describe('deleted deployment that is removed at once', () => {
  it('runs on its owner’s server', async () => {
    await others.checked(account, '5.9.2.9');
    const { id } = await ordered(harness, account, { ...OWN_SERVER, vps_ip_address: '5.9.2.9' });
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true }], 'READY');
    const { body } = await remove(id);
    expect(body).toMatchObject({ status: 'DESTROYING', undo_until: null });
    expect((await restore(id)).status).toBe(409);
  });
});
