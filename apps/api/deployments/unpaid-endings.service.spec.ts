import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, RunwayAnswer, UnpaidEndingAnswer } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, instant } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 500);
  await toFirstMinuteOfDay(harness);
});

async function request<A>(path: string, who: TestAccount = account): Promise<A> {
  const { status, body, text } = await harness.http.get(`/api${path}`).set(who.auth);
  if (status !== 200) throw new Error(text);
  return body as A;
}
const reported = (who: TestAccount = account) => request<UnpaidEndingAnswer[]>('/deployments/unpaid-endings', who);
const read = (id: number) => request<DeploymentAnswer>(`/deployments/${id}`);
const dismiss = (id: number, who: TestAccount = account) =>
  harness.http.post(`/api/deployments/${id}/dismiss-ending`).set(who.auth);
const needsYou = async () => (await request<DeploymentAnswer[]>('/deployments?group=needs_you')).map(({ id }) => id);

async function settle(): Promise<void> {
  const { db, clock, ledger } = harness.deps;
  await db.tx('test.settle', async (tx) => ledger.settleAccount(tx, { userId: account.id, at: await clock.now(tx) }));
}

async function running(): Promise<number> {
  const { id } = await ordered(harness, account);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  await settle();
  return id;
}

/** Runs a deployment into its grace period. 5.00 pays five days at 0.8544, and the charge of the sixth finds 0.728. */
async function inGracePeriod(): Promise<number> {
  const id = await running();
  harness.pass(5 * DAY_MS);
  await settle();
  return id;
}

async function ended(): Promise<number> {
  const id = await inGracePeriod();
  harness.pass(HOUR_MS);
  await settle();
  await others.moveTo(id, 'DESTROYED');
  return id;
}

describe('charge in its grace period', () => {
  it('lists the deployment as needing its owner without changing its status', async () => {
    const id = await running();
    expect(await needsYou()).toEqual([]);
    harness.pass(5 * DAY_MS);
    await settle();
    expect(await needsYou()).toEqual([id]);
    expect(await request('/deployments/counts')).toMatchObject({ all: 1, needs_you: 1, ready: 1 });
    const deployment = await read(id);
    expect(deployment).toMatchObject({ status: 'READY', ended: null });
    expect(instant(deployment.grace_period_ends_at ?? '')).toBeGreaterThan(harness.deps.clock.localNow());
  });

  it('states the top-up that covers it, 1.00 at least, and paying exactly that keeps the deployment', async () => {
    const id = await inGracePeriod();
    const { saving } = await request<RunwayAnswer>('/billing/runway');
    expect(saving).toMatchObject({ amount: 1 });
    await harness.pay(account, 100);
    expect(await read(id)).toMatchObject({ status: 'READY', grace_period_ends_at: null });
    expect(await needsYou()).toEqual([]);
    expect(await reported()).toEqual([]);
  });
});

describe('deployment that ended because the balance ran out', () => {
  it('shows why and when it ended, the amount due, the balance and the total cost', async () => {
    const id = await ended();
    const deployment = await read(id);
    const midnight = new Date(harness.deps.clock.localNow() - (harness.deps.clock.localNow() % DAY_MS)).toISOString();
    expect(deployment).toMatchObject({
      status: 'DESTROYED',
      deleted_at: null,
      ended: { reason: 'unpaid', at: (await reported())[0]?.at, due: 0.8544, available: 0.728 },
      ran: { to: midnight, cost: 4.272 },
    });
    // The grace period costs nothing.
    expect(instant(deployment.ended?.at ?? '')).toBeGreaterThan(instant(midnight));
    const [listed] = await request<DeploymentAnswer[]>('/deployments');
    expect(listed?.ended).toEqual(deployment.ended);
    expect(listed?.ran).toBeUndefined();
  });

  it('is announced to its owner only, until dismissed', async () => {
    const id = await ended();
    expect(await reported()).toMatchObject([{ deployment_id: id, due: 0.8544, available: 0.728, server_type: 'new' }]);
    const stranger = await harness.user();
    expect(await reported(stranger)).toEqual([]);
    expect((await dismiss(id, stranger)).status).toBe(404);
    expect((await dismiss(id, await harness.admin())).status).toBe(404);
    expect(await reported()).toHaveLength(1);
    expect((await dismiss(id)).body).toMatchObject({ message: 'Dismissed.' });
    expect((await dismiss(id)).status).toBe(200);
    expect(await reported()).toEqual([]);
    expect((await read(id)).ended?.reason).toBe('unpaid');
  });

  it('is no longer announced once its owner has deleted it', async () => {
    const id = await ended();
    expect((await harness.http.delete(`/api/deployments/${id}`).set(account.auth)).status).toBe(200);
    expect(await reported()).toEqual([]);
  });

  it('is not shown as unpaid when its owner deactivated it in time', async () => {
    const id = await running();
    await harness.http.delete(`/api/deployments/${id}`).set(account.auth);
    expect(await reported()).toEqual([]);
    expect((await read(id)).ended).toMatchObject({ reason: 'deleted', due: null, available: null });
    expect((await dismiss(id)).status).toBe(404);
  });
});

it('shows how long the balance would last after a change of level', async () => {
  await harness.pay(account, 500);
  const id = await running();
  const { ends_at: now } = await request<RunwayAnswer>('/billing/runway');
  const quote = await request<{ runs_until: { now: string; then: string } }>(
    `/deployments/${id}/support-level?level=2`,
  );
  expect(quote.runs_until.now).toBe(now);
  await harness.http.patch(`/api/deployments/${id}`).set(account.auth).send({ support_level: 2 });
  const { ends_at: then } = await request<RunwayAnswer>('/billing/runway');
  expect(quote.runs_until.then).toBe(then);
  expect(instant(then ?? '')).toBeLessThan(instant(now ?? ''));
});
