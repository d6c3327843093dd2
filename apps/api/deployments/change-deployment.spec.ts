import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { asStored, DAY_MS, type DeploymentStatus, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { eventsOf, type Neighbours, neighbours, ordered, refused } from '@moorage/tests/services/api/deployments';

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

type Method = 'get' | 'post' | 'put' | 'delete';
const call = (method: Method, path: string, who: TestAccount = account) =>
  harness.http[method](`/api/deployments/${path}`).set(who.auth);
const cancel = (id: number, who: TestAccount = account) => call('post', `${id}/cancel`, who);
const setDomain = (id: number, domain: string, who: TestAccount = account) =>
  call('put', `${id}/domain`, who).send({ domain });
const setName = (id: number, name: string, who: TestAccount = account) => call('put', `${id}/name`, who).send({ name });
const setLock = (id: number, locked: boolean, who: TestAccount = account) =>
  call('put', `${id}/deletion-lock`, who).send({ locked });
const read = async (id: number, who: TestAccount = account): Promise<DeploymentAnswer> =>
  (await call('get', String(id), who)).body as DeploymentAnswer;

async function settle(): Promise<void> {
  const { db, clock, ledger } = harness.deps;
  await db.tx('test.settle', async (tx) => ledger.settleAccount(tx, { userId: account.id, at: await clock.now(tx) }));
}

const regular = async (): Promise<number> => {
  const { body } = await harness.http.get('/api/billing/balance').set(account.auth);
  return (body as { regular_balance: number }).regular_balance;
};

type Way = Parameters<Neighbours['moveTo']>[1];
const WITH_SERVER = { server_exists: true, instance_ip: '5.9.9.9' };
const RAN: Way[] = ['PROVISIONING', 'DNS_VALIDATION', 'READY'];
const WAYS = {
  CREATING: [],
  PROVISIONING: ['PROVISIONING'],
  ACTIVE: ['PROVISIONING', 'ACTIVE'],
  DNS_VALIDATION: ['PROVISIONING', ['DNS_VALIDATION', WITH_SERVER]],
  READY: RAN,
  DNS_FAILED: ['PROVISIONING', 'DNS_VALIDATION', ['DNS_FAILED', { failure: asStored('No record.') }]],
  RESTARTING: RAN,
  FAILED: ['PROVISIONING', 'FAILED'],
  DESTROYING: RAN,
  DESTROYED: RAN,
} satisfies Partial<Record<DeploymentStatus, Way[]>>;

/** Creates a deployment in this status by the steps of its owner and the provisioner. */
async function inStatus(status: keyof typeof WAYS): Promise<number> {
  const plain = { package: 'test-page', domain: null, admin_email: null };
  const { id } = await ordered(harness, account, status === 'ACTIVE' ? plain : {});
  await others.moveTo(id, ...WAYS[status]);
  if (status === 'RESTARTING') await call('post', `${id}/restart`);
  if (status === 'DESTROYING' || status === 'DESTROYED') await call('delete', String(id));
  if (status === 'DESTROYED') await others.moveTo(id, 'DESTROYED');
  return id;
}

describe('cancel', () => {
  it.each(['CREATING', 'PROVISIONING', 'DNS_VALIDATION'] as const)(
    'marks a deployment in %s and waits only for the end of its step',
    async (status) => {
      const id = await inStatus(status);
      expect(await read(id)).toMatchObject({ status, cancelling: false, actions: expect.arrayContaining(['cancel']) });
      const { status: code, body } = await cancel(id);
      expect([code, body]).toMatchObject([200, { status, deleted_at: null }]);
      const deployment = await read(id);
      expect(deployment).toMatchObject({ status, cancelling: true, actions: [], ended: { reason: 'deleted' } });
      const [row] = await harness.database.sql('select desired, destroy_reason from deployments where id = $1', [id]);
      expect(row).toEqual({ desired: 'destroyed', destroy_reason: 'deleted' });
      expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.deletion_requested');

      await others.moveTo(id, 'DESTROYING', 'DESTROYED');
      expect(await read(id)).toMatchObject({ status: 'DESTROYED', cancelling: false });
    },
  );

  it.each([
    ['ACTIVE', 'A deployment with the status "Ready" can\'t be cancelled.'],
    ['READY', 'A deployment with the status "Ready" can\'t be cancelled.'],
    ['DNS_FAILED', 'A deployment with the status "DNS Setup Required" can\'t be cancelled.'],
    ['FAILED', 'A deployment with the status "Failed" can\'t be cancelled.'],
    ['DESTROYED', 'A deployment with the status "Destroyed" can\'t be cancelled.'],
    ['RESTARTING', 'Cannot modify during provisioning'],
    ['DESTROYING', 'Cannot modify during deactivation'],
  ] as const)('is rejected in %s', async (status, detail) => {
    const id = await inStatus(status);
    await refused(harness, () => cancel(id), 409, { code: 'DEPLOYMENT_STATE', detail });
  });

  it('costs nothing, now or later, before the billable interval begins', async () => {
    const id = await inStatus('PROVISIONING');
    await cancel(id);
    harness.pass(2 * DAY_MS);
    await settle();
    expect(await regular()).toBe(20);
  });

  it('refunds the remaining whole hours while DNS is pending, as a delete does', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await settle();
    expect(await regular()).toBe(20 - 24 * 0.0356);
    harness.pass(2 * HOUR_MS);
    // Three hours are used: 00, 01, 02.
    expect((await cancel(id)).body).toEqual({
      status: 'DNS_VALIDATION',
      deleted_at: null,
      refunded_amount: 0.7476,
      backups_kept_until: null,
    });
    expect(await regular()).toBeCloseTo(20 - 3 * 0.0356, 6);
    harness.pass(3 * DAY_MS);
    await settle();
    expect(await regular()).toBeCloseTo(20 - 3 * 0.0356, 6);
  });

  it('is idempotent, both concurrently and in sequence', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await settle();
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await cancel(id)).body).toEqual({
      status: 'DNS_VALIDATION',
      deleted_at: null,
      refunded_amount: 0,
      backups_kept_until: null,
    });
    expect(await regular()).toBeCloseTo(20 - 0.0356, 6);
    expect((await eventsOf(harness, id)).filter((name) => name === 'deployment.deletion_requested')).toHaveLength(1);
  });

  it('returns the first response to a repeat with the same key, whatever happened since', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await settle();
    const first = await cancel(id).set('Idempotency-Key', 'cancel-1');
    expect(first.body).toMatchObject({ refunded_amount: 23 * 0.0356 });
    await others.moveTo(id, 'DESTROYING', 'DESTROYED');
    const again = await cancel(id).set('Idempotency-Key', 'cancel-1');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
  });

  it('reports that removal is in progress when the balance has just run out', async () => {
    account = await harness.user();
    await harness.pay(account, 500);
    const id = await inStatus('DNS_VALIDATION');
    await settle();
    // Five days are paid for. The grace period of the sixth ended an hour ago and has not been processed yet.
    harness.pass(5 * DAY_MS);
    await settle();
    harness.pass(2 * HOUR_MS);
    expect((await cancel(id)).body).toEqual({
      status: 'DNS_VALIDATION',
      deleted_at: null,
      refunded_amount: 0,
      backups_kept_until: null,
    });
    expect((await read(id)).ended).toMatchObject({ reason: 'unpaid' });
  });

  it('returns 404 to other users and to administrators', async () => {
    const id = await inStatus('PROVISIONING');
    const absent = await cancel(99_999_999);
    for (const who of [await harness.user(), await harness.admin()]) {
      await refused(harness, () => cancel(id, who), 404, absent.body as object);
    }
    expect((await cancel(id)).status).toBe(200);
  });

  it('does not allow DELETE in these states', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await cancel(id);
    await refused(harness, () => call('delete', String(id)), 409, { detail: 'Cannot modify during provisioning' });
  });
});

describe('change of domain', () => {
  it.each(['DNS_VALIDATION', 'DNS_FAILED'] as const)(
    'starts a validation in %s and leaves everything else unchanged',
    async (status) => {
      const id = await inStatus(status);
      const before = await read(id);
      const { status: code, body } = await setDomain(id, 'example.org');
      expect(code).toBe(200);
      expect(body).toMatchObject({
        status: 'DNS_VALIDATION',
        domain: 'example.org',
        admin_subdomain: before.admin_subdomain,
        failure_reason: null,
        hourly_cost: before.hourly_cost,
      });
      expect((body as DeploymentAnswer).version).toBeGreaterThan(before.version);
      expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.domain_changed');
      const [row] = await harness.database.sql(
        `select config ->> 'DOMAIN' as domain, stack_outdated from deployments where id = $1`,
        [id],
      );
      expect(row).toEqual({ domain: 'example.org', stack_outdated: true });
    },
  );

  it('stores non-ASCII domains in their DNS form', async () => {
    const id = await inStatus('DNS_FAILED');
    expect((await setDomain(id, 'пример.рф')).body).toMatchObject({ domain: 'xn--e1afmkfd.xn--p1ai' });
  });

  it('discards the validation results of the previous domain', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await harness.database.sql(
      `insert into dns_checks (deployment_id, records, all_right, checked_at) values ($1, '[]', true, now())`,
      [id],
    );
    await setDomain(id, 'example.org');
    expect((await call('get', `${id}/dns`)).body).toMatchObject({
      domain: 'example.org',
      checked_at: null,
      right_count: 0,
    });
  });

  it('is accepted once per fifteen minutes, and ignores an unchanged domain', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await refused(harness, () => setDomain(id, 'example.com'), 200, { domain: 'example.com' });
    await setDomain(id, 'example.org');
    await refused(harness, () => setDomain(id, 'example.org'), 200, { domain: 'example.org' });
    harness.pass(10 * MINUTE_MS);
    const headers = await refused(harness, () => setDomain(id, 'example.net'), 429, { code: 'RATE_LIMITED' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(4 * 60);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(5 * 60);
    harness.pass(5 * MINUTE_MS);
    expect((await setDomain(id, 'example.net')).body).toMatchObject({ domain: 'example.net' });
  });

  it('accepts one of two concurrent changes', async () => {
    const id = await inStatus('DNS_FAILED');
    const answers = await Promise.all([setDomain(id, 'example.org'), setDomain(id, 'example.net')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
  });

  it.each([
    '',
    'example',
    'https://example.org',
    '*.example.org',
    'a b.org',
    `${'a'.repeat(190)}.org`,
    'co.uk',
    'shop.internal',
  ])('rejects the same input as the wizard: "%s"', async (domain) => {
    const id = await inStatus('DNS_VALIDATION');
    const headers = await refused(harness, () => setDomain(id, domain), 422, { code: 'FIELDS_INVALID' });
    expect(headers['retry-after']).toBeUndefined();
  });

  it.each([
    ['CREATING', 'Cannot modify during provisioning'],
    ['PROVISIONING', 'Cannot modify during provisioning'],
    ['RESTARTING', 'Cannot modify during provisioning'],
    ['ACTIVE', 'The domain of a deployment with the status "Ready" can\'t be changed.'],
    ['FAILED', 'The domain of a deployment with the status "Failed" can\'t be changed.'],
    ['DESTROYED', 'The domain of a deployment with the status "Destroyed" can\'t be changed.'],
  ] as const)('is rejected in %s', async (status, detail) => {
    const id = await inStatus(status);
    await refused(harness, () => setDomain(id, 'example.org'), 409, { code: 'DEPLOYMENT_STATE', detail });
  });

  it('is rejected while the deployment is being cancelled', async () => {
    const id = await inStatus('DNS_VALIDATION');
    await cancel(id);
    await refused(harness, () => setDomain(id, 'example.org'), 409, { detail: 'This deployment is being cancelled.' });
  });
});

describe('display name', () => {
  it.each(['PROVISIONING', 'READY', 'FAILED', 'DESTROYED'] as const)(
    'can be changed in %s and has no effect on the server',
    async (status) => {
      const id = await inStatus(status);
      const before = await read(id);
      const { status: code, body } = await setName(id, '  Büro · Zürich 🚀  ');
      expect(code).toBe(200);
      expect(body).toEqual({ ...before, client_name: 'Büro · Zürich 🚀', version: before.version + 1 });
      expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.details_changed');
      await refused(harness, () => setName(id, 'Büro · Zürich 🚀'), 200, { client_name: 'Büro · Zürich 🚀' });
      const found = await harness.http.get('/api/deployments').query({ q: 'Zürich' }).set(account.auth);
      expect((found.body as DeploymentAnswer[]).map((one) => one.id)).toEqual([id]);
    },
  );

  it.each(['', '   ', 'x'.repeat(61), 'two\nlines', 'turned\u202eround'])('is rejected: "%s"', async (name) => {
    const id = await inStatus('READY');
    await refused(harness, () => setName(id, name), 422, { code: 'FIELDS_INVALID' });
  });

  it.each(['x', 'x'.repeat(60), '🚀'.repeat(60)])('is accepted: "%s"', async (name) => {
    const id = await inStatus('READY');
    expect((await setName(id, name)).body).toMatchObject({ client_name: name });
  });
});

describe('deletion lock', () => {
  it.each(['READY', 'DNS_FAILED', 'ACTIVE', 'FAILED', 'DESTROYED'] as const)(
    "rejects the owner's delete in %s until it is removed",
    async (status) => {
      const id = await inStatus(status);
      expect((await setLock(id, true)).body).toMatchObject({ deletion_locked: true });
      const locked = { code: 'DEPLOYMENT_LOCKED', detail: expect.stringContaining('Turn it off first.') };
      await refused(harness, () => call('delete', String(id)), 409, locked);
      await refused(harness, () => setLock(id, true), 200, { deletion_locked: true });
      expect((await setLock(id, false)).body).toMatchObject({ deletion_locked: false });
      expect((await call('delete', String(id))).status).toBe(200);
    },
  );

  it('cannot be turned on while the deployment is being removed', async () => {
    const id = await inStatus('DESTROYING');
    await refused(harness, () => setLock(id, true), 409, { code: 'DEPLOYMENT_STATE' });
  });

  it.each(['CREATING', 'PROVISIONING', 'DNS_VALIDATION'] as const)('rejects a cancel in %s', async (status) => {
    const id = await inStatus(status);
    await setLock(id, true);
    await refused(harness, () => cancel(id), 409, { code: 'DEPLOYMENT_LOCKED' });
    await setLock(id, false);
    expect((await cancel(id)).status).toBe(200);
  });

  it('does not prevent the removal when the balance runs out', async () => {
    account = await harness.user();
    await harness.pay(account, 500);
    const id = await inStatus('READY');
    await setLock(id, true);
    await settle();
    harness.pass(5 * DAY_MS);
    await settle();
    expect(await read(id)).toMatchObject({ status: 'READY', deletion_locked: true });
    harness.pass(HOUR_MS);
    await settle();
    expect(await read(id)).toMatchObject({ status: 'DESTROYING', ended: { reason: 'unpaid' }, deletion_locked: true });
    await others.moveTo(id, 'DESTROYED');
    expect((await read(id)).status).toBe('DESTROYED');
  });

  it('does not prevent the removal when the balance runs out while DNS is pending', async () => {
    account = await harness.user();
    await harness.pay(account, 500);
    const id = await inStatus('DNS_VALIDATION');
    await setLock(id, true);
    await settle();
    harness.pass(5 * DAY_MS);
    await settle();
    harness.pass(HOUR_MS);
    await settle();
    expect(await read(id)).toMatchObject({ status: 'DNS_VALIDATION', cancelling: true, ended: { reason: 'unpaid' } });
  });

  it('does not prevent the removal when the account is prepared for deletion', async () => {
    const ids = [await inStatus('READY'), await inStatus('DNS_VALIDATION')];
    for (const id of ids) await setLock(id, true);
    const admin = await harness.admin();
    const answer = await harness.http
      .post(`/api/users/${account.id}/prepare-deletion`)
      .set(admin.auth)
      .send({ reason: 'You asked us to.' });
    expect(answer.body).toMatchObject({ removing: 2 });
    const rows = await harness.database.sql('select desired, destroy_reason from deployments where user_id = $1', [
      account.id,
    ]);
    expect(rows).toEqual(ids.map(() => ({ desired: 'destroyed', destroy_reason: 'account' })));
  });
});

describe('access', () => {
  const CHANGES = {
    domain: { domain: 'example.org' },
    name: { name: 'Mine' },
    'deletion-lock': { locked: true },
  } as const;

  it.each(Object.entries(CHANGES))("returns 404 for another user's deployment: %s", async (what, body) => {
    const id = await inStatus('DNS_VALIDATION');
    const stranger = await harness.user();
    const absent = await call('put', `99999999/${what}`, stranger).send(body);
    expect(absent.status).toBe(404);
    await refused(harness, () => call('put', `${id}/${what}`, stranger).send(body), 404, absent.body as object);
  });

  it.each(Object.entries(CHANGES))('returns 404 for a deleted deployment: %s', async (what, body) => {
    const id = await inStatus('DESTROYED');
    await call('delete', String(id));
    expect((await call('put', `${id}/${what}`).send(body)).status).toBe(404);
  });
});
