import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { asStored, DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { untilLockWait } from '@moorage/testing';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import {
  everythingStored,
  type Neighbours,
  neighbours,
  ordered,
  OWN_SERVER,
} from '@moorage/tests/services/api/deployments';

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
  await harness.pay(account, 2000);
  await toFirstMinuteOfDay(harness);
});

const remove = (id: number | string, who: TestAccount = account) =>
  harness.http.delete(`/api/deployments/${id}`).set(who.auth);

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

/** Returns a gate. `opened` resolves once `open` was called. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

async function running(change: object = {}): Promise<number> {
  const { id } = await ordered(harness, account, change);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  return id;
}

describe('deactivating a running deployment', () => {
  it('stops its cost at once and refunds the remaining whole hours', async () => {
    const id = await running();
    await settle();
    expect(await regular()).toBe(20 - 24 * 0.0356);
    harness.pass(2 * HOUR_MS);
    const { status, body } = await remove(id);
    expect(status).toBe(200);
    // Three hours are used: 00, 01, 02.
    expect(body).toEqual({
      status: 'DESTROYING',
      deleted_at: null,
      refunded_amount: 0.7476,
      backups_kept_until: null,
      undo_until: null,
    });
    expect(await regular()).toBeCloseTo(20 - 3 * 0.0356, 6);
    const [row] = await harness.database.sql('select status, desired, destroy_reason from deployments where id = $1', [
      id,
    ]);
    expect(row).toEqual({ status: 'DESTROYING', desired: 'destroyed', destroy_reason: 'deleted' });
    const events = await harness.database.sql<{ event_name: string }>(
      `select event_name, data ->> 'reason' as reason from outbox where stream = 'deployment' and aggregate_id = $1 order by sequence`,
      [String(id)],
    );
    expect(events.at(-1)).toEqual({ event_name: 'deployment.deletion_requested', reason: 'deleted' });
  });

  it('posts due charges first, even if billing never ran', async () => {
    const id = await running();
    harness.pass(HOUR_MS);
    const { body } = await remove(id);
    expect(body).toMatchObject({ refunded_amount: expect.any(Number) });
    expect(await regular()).toBeCloseTo(20 - 2 * 0.0356, 6);
    harness.pass(3 * DAY_MS);
    await settle();
    expect(await regular()).toBeCloseTo(20 - 2 * 0.0356, 6);
  });

  it('is allowed in DNS_FAILED and ACTIVE too', async () => {
    const dns = await ordered(harness, account);
    await others.moveTo(dns.id, 'PROVISIONING', 'DNS_VALIDATION', 'DNS_FAILED');
    expect((await remove(dns.id)).body).toMatchObject({ status: 'DESTROYING' });
    const plain = await ordered(harness, account, { package: 'test-page', domain: null, admin_email: null });
    await others.moveTo(plain.id, 'PROVISIONING', 'ACTIVE');
    expect((await remove(plain.id)).body).toMatchObject({ status: 'DESTROYING' });
  });

  it('is allowed for an account whose email is no longer verified', async () => {
    const id = await running();
    await harness.database.sql('update users set is_verified = false where id = $1', [account.id]);
    expect((await remove(id)).status).toBe(200);
  });

  it('refunds once for two concurrent requests', async () => {
    const id = await running();
    await settle();
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await regular()).toBeCloseTo(20 - 0.0356, 6);
  });

  it('waits for a provisioner that is opening the interval, and closes that interval', async () => {
    const { id } = await ordered(harness, account, { package: 'test-page', domain: null, admin_email: null });
    await others.moveTo(id, 'PROVISIONING');
    const provisioner = await harness.database.open({ service: 'provisioner' });
    const deployments = new Deployments({ outbox: harness.deps.outbox });
    const [moved, mayCommit] = [gate(), gate()];
    const opening = provisioner.tx('test.finish', async (tx) => {
      const row = await deployments.lock(tx, id);
      if (row === null) throw new Error('no such deployment');
      await deployments.move(tx, row, { to: 'ACTIVE', by: 'provisioner', at: await harness.deps.clock.now(tx) });
      moved.open();
      // The row stays locked, with its interval not visible yet, until the delete waits for it.
      await mayCommit.opened;
    });
    await moved.opened;
    const deleting = remove(id).then((answer) => answer);
    await untilLockWait(harness.database);
    mayCommit.open();
    await opening;
    expect((await deleting).body).toMatchObject({ status: 'DESTROYING' });
    const [row] = await harness.database.sql(
      'select status, billable_from is not null as began, billable_to is not null as ended from deployments where id = $1',
      [id],
    );
    expect(row).toEqual({ status: 'DESTROYING', began: true, ended: true });
    // The current hour is owed and nothing after it, however late the events arrive.
    await settle();
    harness.pass(3 * DAY_MS);
    await settle();
    expect(await regular()).toBe(20 - 0.0356);
  });

  it('has no cause for a credit that expires in between, and repeats its response for the same key', async () => {
    const { id } = await ordered(harness, account, { package: 'test-page', domain: null, admin_email: null });
    await others.moveTo(id, 'PROVISIONING');
    const { db, clock, ledger } = harness.deps;
    const began = await db.tx('test.grant', async (tx) => {
      const at = await clock.now(tx);
      await ledger.grantCredit(tx, { userId: account.id, creditType: 'signup', at });
      return at;
    });
    await harness.database.sql('update credits set expires_at = $2 where user_id = $1', [
      account.id,
      new Date(began + MINUTE_MS).toISOString(),
    ]);
    const provisioner = await harness.database.open({ service: 'provisioner' });
    const deployments = new Deployments({ outbox: harness.deps.outbox });
    const [moved, mayCommit] = [gate(), gate()];
    const opening = provisioner.tx('test.finish', async (tx) => {
      const row = await deployments.lock(tx, id);
      if (row === null) throw new Error('no such deployment');
      await deployments.move(tx, row, { to: 'ACTIVE', by: 'provisioner', at: began + 2 * MINUTE_MS });
      moved.open();
      await mayCommit.opened;
    });
    await moved.opened;
    const deleting = remove(id)
      .set('Idempotency-Key', 'delete-1')
      .then((answer) => answer);
    await untilLockWait(harness.database);
    mayCommit.open();
    await opening;
    const answer = await deleting;
    expect(answer.body).toMatchObject({ status: 'DESTROYING', refunded_amount: 0 });
    const posted = await harness.database.sql(
      `select type, cause from ledger_transactions where user_id = $1 and type in ('credit_expired', 'charge', 'refund')`,
      [account.id],
    );
    expect(posted).toEqual([{ type: 'credit_expired', cause: null }]);
    const again = await remove(id).set('Idempotency-Key', 'delete-1');
    expect([again.status, again.body]).toEqual([answer.status, answer.body]);
  });

  it('acts like the end of a grace period: nothing is owed from the due time', async () => {
    const poor = await harness.user();
    await harness.pay(poor, 500);
    account = poor;
    const id = await running();
    await settle();
    // Six days at 0.8544, of which 5.00 covers five.
    harness.pass(5 * DAY_MS);
    await settle();
    const [meter] = await harness.database.sql<{ grace_period_day: string | null }>(
      'select grace_period_day from meters where deployment_id = $1',
      [id],
    );
    expect(meter?.grace_period_day).not.toBeNull();
    const held = await regular();
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([
      200,
      { status: 'DESTROYING', deleted_at: null, refunded_amount: 0, backups_kept_until: null, undo_until: null },
    ]);
    expect(await regular()).toBe(held);
    const [row] = await harness.database.sql<{ billable_to: number }>(
      'select billable_to from deployments where id = $1',
      [id],
    );
    expect((row?.billable_to ?? 1) % DAY_MS).toBe(0);
  });

  it('reports that removal is in progress when the balance has just run out', async () => {
    const poor = await harness.user();
    await harness.pay(poor, 500);
    account = poor;
    const id = await running();
    await settle();
    harness.pass(5 * DAY_MS);
    await settle();
    harness.pass(2 * HOUR_MS);
    // The grace period ended an hour ago and has not been processed yet.
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([
      200,
      { status: 'DESTROYING', deleted_at: null, refunded_amount: 0, backups_kept_until: null, undo_until: null },
    ]);
    expect((await remove(id)).status).toBe(409);
  });
});

describe('deployment in progress', () => {
  it.each([
    ['CREATING', [], 'Cannot modify during provisioning'],
    ['PROVISIONING', ['PROVISIONING'], 'Cannot modify during provisioning'],
    ['DNS_VALIDATION', ['PROVISIONING', 'DNS_VALIDATION'], 'Cannot modify during provisioning'],
  ] as const)('is not deleted: %s', async (_, way, detail) => {
    const { id } = await ordered(harness, account);
    await others.moveTo(id, ...way);
    const before = await everythingStored(harness);
    const { status, body } = await remove(id);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'DEPLOYMENT_STATE', detail });
    expect(await everythingStored(harness)).toEqual(before);
  });

  it('is not deleted in RESTARTING and DESTROYING', async () => {
    const id = await running();
    await harness.http.post(`/api/deployments/${id}/restart`).set(account.auth);
    expect((await remove(id)).body).toMatchObject({
      code: 'DEPLOYMENT_STATE',
      detail: 'Cannot modify during provisioning',
    });
    await others.moveTo(id, 'READY');
    await remove(id);
    expect((await remove(id)).body).toMatchObject({
      code: 'DEPLOYMENT_STATE',
      detail: 'Cannot modify during deactivation',
    });
  });
});

describe('permanent deletion', () => {
  it('removes a DESTROYED deployment from every list and response', async () => {
    const id = await running();
    await remove(id);
    await others.moveTo(id, 'DESTROYED');
    const { status, body } = await remove(id);
    expect([status, body]).toMatchObject([200, { message: 'Deployment deleted permanently.' }]);
    expect((await harness.http.get('/api/deployments').set(account.auth)).body).toEqual([]);
    const [{ client_name: name } = { client_name: '' }] = await harness.database.sql<{ client_name: string }>(
      'select client_name from deployments where id = $1',
      [id],
    );
    const stranger = await harness.user();
    const read = (who: TestAccount) => harness.http.get(`/api/deployments/${id}`).set(who.auth);
    for (const [answer, detail] of [
      [await remove(id), `${name} was deleted.`],
      [await read(account), `${name} was deleted.`],
      [await read(stranger), 'There is no such deployment.'],
    ] as const) {
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([404, detail]);
    }
  });

  it('is another activity than the deactivation before it', async () => {
    const id = await running();
    await remove(id);
    await others.moveTo(id, 'DESTROYED');
    await remove(id);
    const { body } = await harness.http
      .get('/api/users/self/activity')
      .query({ deployment_id: id, per_page: 2 })
      .set(account.auth);
    expect((body as { activity: { what: { detail: string } }[] }).activity.map(({ what }) => what.detail)).toEqual([
      'Deployment deleted',
      'Deployment deactivated',
    ]);
  });

  it('is refused for a caller who still sees the deployment running', async () => {
    const id = await running();
    await remove(id).query({ expected_status: 'READY' }).expect(200);
    await others.moveTo(id, 'DESTROYED');
    const { status, body } = await remove(id).query({ expected_status: 'READY' });
    expect([status, body]).toMatchObject([409, { code: 'DEPLOYMENT_STATE', message_code: 'order.deployment_changed' }]);
    await remove(id).query({ expected_status: 'DESTROYED' }).expect(200);
  });

  it('removes a FAILED deployment without a server, with its secrets', async () => {
    const { id } = await ordered(harness, account, { admin_password: 'Correct-horse-7' });
    await others.moveTo(id, 'PROVISIONING', ['FAILED', { failure: asStored('Sold out.') }]);
    expect((await remove(id)).body).toMatchObject({ message: expect.any(String), code: 'order.deployment_gone' });
    expect(await harness.database.sql('select 1 from secrets where owner = $1', [`deployment:${id}`])).toEqual([]);
  });

  it('removes the server of a FAILED deployment first when there may be one', async () => {
    const { id } = await ordered(harness, account);
    await others.moveTo(id, 'PROVISIONING', ['FAILED', { server_exists: true }]);
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([
      200,
      { status: 'DESTROYING', deleted_at: null, refunded_amount: 0, backups_kept_until: null, undo_until: null },
    ]);
  });

  it('costs nothing when nothing ran', async () => {
    const { id } = await ordered(harness, account);
    await others.moveTo(id, 'FAILED');
    await remove(id);
    expect(await regular()).toBe(20);
  });
});

describe('access to deletion', () => {
  it("returns the same response for another user's, a missing and a malformed id, without any effect", async () => {
    const id = await running();
    const stranger = await harness.user();
    const before = await everythingStored(harness);
    const foreign = await remove(id, stranger);
    const absent = await remove(99_999_999, stranger);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(absent.body);
    for (const odd of [
      '0',
      '-1',
      '1.5',
      '2147483648',
      '99999999999999999999',
      '0x1',
      'x',
      '1%00',
      '1;drop',
      '%7B%22%24ne%22%3A1%7D',
      '1%20or%201=1',
    ]) {
      expect((await remove(odd, stranger)).status).toBe(404);
    }
    expect(await everythingStored(harness)).toEqual(before);
  });

  it('allows an administrator, and refunds the owner', async () => {
    const id = await running();
    await settle();
    const admin = await harness.admin();
    expect((await remove(id, admin)).status).toBe(422);
    const removed = await harness.http
      .delete(`/api/deployments/${id}`)
      .query({ reason: 'You asked us to.' })
      .set(admin.auth);
    expect(removed.status).toBe(200);
    expect(await regular()).toBeCloseTo(20 - 0.0356, 6);
  });

  it('requests nothing from a cloud for an own server', async () => {
    await others.checked(account, '5.9.2.1');
    const id = await running({ ...OWN_SERVER, vps_ip_address: '5.9.2.1' });
    expect((await remove(id)).body).toMatchObject({ status: 'DESTROYING' });
  });
});
