import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import {
  eventsOf,
  type Neighbours,
  neighbours,
  ordered,
  OWN_SERVER,
  refused,
} from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let addresses = 10;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2000);
  await toFirstMinuteOfDay(harness);
});

const handOver = (id: number, who: TestAccount = account) =>
  harness.http.post(`/api/deployments/${id}/hand-over`).set(who.auth);
const read = async (id: number): Promise<Record<string, unknown>> =>
  (await harness.http.get(`/api/deployments/${id}`).set(account.auth)).body as Record<string, unknown>;
const regular = async (): Promise<number> => {
  const { body } = await harness.http.get('/api/billing/balance').set(account.auth);
  return (body as { regular_balance: number }).regular_balance;
};

async function running(): Promise<{ id: number; address: string }> {
  const address = `5.9.0.${++addresses}`;
  await others.checked(account, address);
  const { id } = await ordered(harness, account, { ...OWN_SERVER, vps_ip_address: address });
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: address }], 'READY');
  return { id, address };
}

describe('handing over a deployment', () => {
  it('stops its cost at once, refunds the remaining whole hours, and says that it still runs', async () => {
    const { id } = await running();
    const { hourly_cost: hourly } = (await read(id)) as { hourly_cost: number };
    const { db, clock, ledger } = harness.deps;
    await db.tx('test.settle', async (tx) => {
      await ledger.settleAccount(tx, { userId: account.id, at: await clock.now(tx) });
    });
    harness.pass(2 * HOUR_MS);
    const { status, body } = await handOver(id);
    expect(status).toBe(200);
    // Three of 24 hours are used.
    expect(body).toEqual({
      status: 'DESTROYING',
      deleted_at: null,
      refunded_amount: expect.closeTo(21 * hourly, 6),
      backups_kept_until: null,
    });
    expect(await regular()).toBeCloseTo(20 - 3 * hourly, 6);
    expect((await eventsOf(harness, id)).slice(-2)).toEqual([
      'deployment.status_changed',
      'deployment.hand_over_requested',
    ]);
    expect(await read(id)).toMatchObject({
      status_label: 'Handing over...',
      actions: [],
      ended: { reason: 'handed_over' },
    });
    expect((await harness.http.delete(`/api/deployments/${id}`).set(account.auth)).body).toMatchObject({
      code: 'DEPLOYMENT_STATE',
    });

    await others.moveTo(id, ['DESTROYED', { server_exists: false }]);
    expect(await read(id)).toMatchObject({
      status: 'DESTROYED',
      status_label: 'Handed over',
      ended: { reason: 'handed_over' },
      deleted_at: null,
      actions: ['delete'],
    });
  });

  it('frees the address, and a later delete only removes the entry', async () => {
    const { id, address } = await running();
    await handOver(id);
    await others.moveTo(id, ['DESTROYED', { server_exists: false }]);
    const again = await ordered(harness, account, { ...OWN_SERVER, vps_ip_address: address });
    expect(again.status).toBe('CREATING');
    const { body } = await harness.http.delete(`/api/deployments/${id}`).set(account.auth);
    expect(body).toMatchObject({ message: 'Deployment deleted permanently.' });
    const [row] = await harness.database.sql('select status, destroy_reason from deployments where id = $1', [id]);
    expect(row).toEqual({ status: 'DELETED', destroy_reason: 'handed_over' });
    expect(await eventsOf(harness, id)).not.toContain('deployment.deletion_requested');
  });

  it('happens once, however often it is requested', async () => {
    const { id: keyed } = await running();
    const again = () => handOver(keyed).set('idempotency-key', 'hand-over-of-one-deployment');
    const first = await again();
    expect((await again()).body).toEqual(first.body);
    const { id } = await running();
    const answers = await Promise.all([handOver(id), handOver(id), handOver(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await eventsOf(harness, id)).filter((name) => name === 'deployment.hand_over_requested')).toHaveLength(1);
  });

  it('is possible in DNS_FAILED', async () => {
    const { id } = await running();
    await harness.database.sql(`update deployments set status = 'DNS_FAILED' where id = $1`, [id]);
    expect((await handOver(id)).body).toMatchObject({ status: 'DESTROYING' });
  });

  it('is rejected while the deletion lock is on', async () => {
    const { id } = await running();
    await harness.http.put(`/api/deployments/${id}/deletion-lock`).set(account.auth).send({ locked: true });
    await refused(harness, () => handOver(id), 409, { code: 'DEPLOYMENT_LOCKED' });
  });

  it('is rejected for a server of ours, and not among its actions', async () => {
    const { id } = await ordered(harness, account);
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true }], 'READY');
    expect((await read(id)).actions).not.toContain('hand_over');
    await refused(harness, () => handOver(id), 409, {
      code: 'DEPLOYMENT_STATE',
      detail: 'Only deployments on your own server can be handed over.',
    });
  });

  it.each(['RESTARTING', 'DNS_VALIDATION'])('is rejected in %s', async (status) => {
    const { id } = await running();
    await harness.database.sql(`update deployments set status = $2, restart_from = 'READY' where id = $1`, [
      id,
      status,
    ]);
    await refused(harness, () => handOver(id), 409, { detail: 'Cannot modify during provisioning' });
  });

  it('is not for administrators', async () => {
    const { id } = await running();
    const admin = await harness.admin();
    await refused(harness, () => handOver(id, admin), 404, { code: 'NOT_FOUND' });
  });
});
