import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { asStored, DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { everythingStored, type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let admin: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  admin = await harness.admin();
  await harness.pay(account, 2000);
  await toFirstMinuteOfDay(harness);
});

const reopen = (id: number, who: TestAccount = admin, body: object = { reason: 'found again at the provider' }) =>
  harness.http.post(`/api/deployments/${id}/reopen`).set(who.auth).send(body);

async function settle(): Promise<void> {
  const { db, clock, ledger } = harness.deps;
  await db.tx('test.settle', async (tx) => {
    await ledger.settleAccount(tx, { userId: account.id, at: await clock.now(tx) });
  });
}

const regular = async (): Promise<number> => {
  const { body } = await harness.http.get('/api/billing/balance').set(account.auth);
  return (body as { regular_balance: number }).regular_balance;
};

/**
 * Creates a deployment that is billable from hour 0 and lost in hour 2. With `found` the provider shows its server
 * again.
 */
async function lost({ found = true }: { found?: boolean } = {}): Promise<number> {
  const { id } = await ordered(harness, account);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  await settle();
  harness.pass(2 * HOUR_MS);
  await others.moveTo(id, [
    'FAILED',
    { lost_from: 'READY', server_exists: false, destroy_reason: 'failed', failure: asStored('Lost.') },
  ]);
  await settle();
  if (found) await harness.database.sql('update deployments set server_exists = true where id = $1', [id]);
  return id;
}

describe('lost deployment whose server was found again', () => {
  it('returns to its previous state, is charged from the current hour and leaves a record', async () => {
    const id = await lost();
    expect(await regular()).toBeCloseTo(20 - 3 * 0.0356, 6);
    harness.pass(3 * HOUR_MS);
    const { status, body } = await reopen(id);
    expect(status).toBe(200);
    expect(body as DeploymentAnswer).toMatchObject({ id, status: 'READY', failure_reason: null });
    // Hours 0, 1, 2 and 5 to 23.
    expect(await regular()).toBeCloseTo(20 - 22 * 0.0356, 6);
    const [row] = await harness.database.sql(
      'select billable_to, lost_from, destroy_reason, desired from deployments where id = $1',
      [id],
    );
    expect(row).toEqual({ billable_to: null, lost_from: null, destroy_reason: null, desired: 'running' });
    const records = await harness.database.sql(
      `select actor_user_id, facts ->> 'reason' as reason, facts ->> 'charged_micros' as charged from audit_records where action = 'deployment.reopened' and subject = $1`,
      [`deployment:${id}`],
    );
    expect(records).toEqual([
      { actor_user_id: admin.id, reason: 'found again at the provider', charged: String(19 * 35_600) },
    ]);
    expect((await reopen(id)).status).toBe(409);
  });

  it('is free for the unpaid day when its grace period ended unnoticed overnight', async () => {
    const { id } = await ordered(harness, account);
    await others.moveTo(
      id,
      'PROVISIONING',
      ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }],
      'READY',
    );
    await settle();
    harness.pass(DAY_MS);
    await harness.database.sql('update wallets set regular_micros = 700000 where user_id = $1', [account.id]);
    await settle();
    harness.pass(20 * MINUTE_MS);
    await others.moveTo(id, ['FAILED', { lost_from: 'READY', server_exists: false, destroy_reason: 'failed' }]);
    await harness.database.sql('update deployments set server_exists = true where id = $1', [id]);
    harness.pass(8 * HOUR_MS);
    const { status, body } = await reopen(id);
    expect(status).toBe(200);
    expect(body as DeploymentAnswer).toMatchObject({ id, status: 'READY' });
    // Hours 8 to 23.
    expect(await regular()).toBeCloseTo(0.7 - 16 * 0.0356, 6);
  });

  it('changes its level from the reopening when the request was waiting for it', async () => {
    const id = await lost();
    harness.pass(3 * HOUR_MS - MINUTE_MS);
    await reopen(id);
    // The next request has an earlier instant, because its transaction began before the reopening.
    harness.pass(-MINUTE_MS);
    const level = { support_level: 2 };
    expect((await harness.http.patch(`/api/deployments/${id}`).set(account.auth).send(level)).status).toBe(200);
    const [row] = await harness.database.sql(
      `select hourly_micros::int as hourly, rate_from = level_changed_at as is_begin, rate_from = (
         select max(effective_from) from deployment_rates r where r.deployment_id = d.id) as is_newest
       from deployments d join meters m on m.deployment_id = d.id where d.id = $1`,
      [id],
    );
    expect(row).toEqual({ hourly: 104_100, is_begin: true, is_newest: true });
    harness.pass(MINUTE_MS);
  });

  it('refunds the remaining whole hours when it is deleted afterwards', async () => {
    const id = await lost();
    harness.pass(HOUR_MS);
    await reopen(id);
    harness.pass(HOUR_MS);
    const { status } = await harness.http.delete(`/api/deployments/${id}`).set(account.auth);
    expect(status).toBe(200);
    expect(await regular()).toBeCloseTo(20 - 5 * 0.0356, 6);
  });

  it('is reopened and charged once when two administrators act concurrently', async () => {
    const id = await lost();
    const answers = await Promise.all([reopen(id), reopen(id, await harness.admin())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await regular()).toBeCloseTo(20 - 24 * 0.0356, 6);
  });

  it('is either reopened or deleted when its owner deletes it concurrently', async () => {
    const id = await lost({ found: false });
    await harness.database.sql('update deployments set server_exists = true where id = $1', [id]);
    const [back, gone] = await Promise.all([
      reopen(id),
      harness.http.delete(`/api/deployments/${id}`).set(account.auth),
    ]);
    const [row] = await harness.database.sql<{ status: string; billable_to: number | null }>(
      'select status, billable_to from deployments where id = $1',
      [id],
    );
    expect(gone.status).toBe(200);
    expect([200, 409]).toContain(back.status);
    expect(row).toMatchObject({ status: 'DESTROYING', billable_to: expect.any(Number) });
  });
});

describe('server that the provider does not list', () => {
  it('is reported to its owner only while the responses are unreliable', async () => {
    const { id } = await ordered(harness, account);
    await others.moveTo(
      id,
      'PROVISIONING',
      ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }],
      'READY',
    );
    const unseen = async (): Promise<string | null> => {
      const { body } = await harness.http.get(`/api/deployments/${id}`).set(account.auth);
      return (body as DeploymentAnswer).server_unseen_since;
    };
    await harness.database.sql(
      `insert into servers (deployment_id, provider, region, instance_type, provider_server_id, state, missed_at, created_at)
       values ($1, 'hetzner', 'fsn1', 'cpx22', '1', 'exists', '2026-12-01T10:05:00Z', now())`,
      [id],
    );
    expect(await unseen()).toBeNull();
    await harness.database.sql(
      `insert into provider_breakers (provider, opened_at, reason) values ('hetzner', '2026-12-01T10:05:00Z', 'none_listed')`,
    );
    expect(await unseen()).toBe('2026-12-01T10:05:00.000Z');
    await harness.database.sql('delete from provider_breakers');
    expect(await unseen()).toBeNull();
  });
});

describe('rejected reopening', () => {
  async function refused(id: number, who?: TestAccount, body?: object) {
    const before = await everythingStored(harness);
    const answer = await reopen(id, who, body);
    expect(await everythingStored(harness)).toEqual(before);
    return { status: answer.status, ...(answer.body as { code: string; detail: string; needed?: number }) };
  }

  it('changes nothing for the owner and for other users', async () => {
    const id = await lost();
    expect(await refused(id, account)).toMatchObject({ status: 403 });
    expect(await refused(id, await harness.user())).toMatchObject({ status: 403 });
  });

  it('changes nothing while the server is not listed, after another failure, and for a running deployment', async () => {
    expect(await refused(await lost({ found: false }))).toMatchObject({
      status: 409,
      code: 'DEPLOYMENT_STATE',
      detail: expect.stringContaining('does not list'),
    });
    const { id } = await ordered(harness, account);
    await others.moveTo(id, 'PROVISIONING', ['FAILED', { server_exists: true }]);
    expect(await refused(id)).toMatchObject({ status: 409, detail: expect.stringContaining('not lost') });
    expect(await refused(99_999_999)).toMatchObject({ status: 404 });
  });

  it('changes nothing while the account is deactivated, and succeeds after its reactivation', async () => {
    const id = await lost();
    const deactivated = (at: string | null) =>
      harness.database.sql('update users set deactivated_at = $2 where id = $1', [account.id, at]);
    await deactivated('2026-12-01T10:00:00Z');
    expect(await refused(id)).toMatchObject({
      status: 409,
      code: 'DEPLOYMENT_STATE',
      detail: 'The account of this deployment is deactivated. Reactivate the account first.',
    });
    await deactivated(null);
    expect((await reopen(id)).status).toBe(200);
  });

  it('changes nothing without a reason', async () => {
    expect(await refused(await lost(), admin, {})).toMatchObject({ status: 422 });
  });

  it('changes nothing when the account cannot pay the amount due at once', async () => {
    const id = await lost();
    await harness.database.sql('update wallets set regular_micros = 0 where user_id = $1', [account.id]);
    const before = await everythingStored(harness);
    const { status, body } = await reopen(id);
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: 'BALANCE_TOO_LOW', needed: 21 * 0.0356, available: 0 });
    expect(await everythingStored(harness)).toEqual(before);
  });
});
