import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminUserAnswer, DeactivationCheck, DeletionPreparation } from '@moorage/contracts';
import { SSH_PRIVATE_KEY, TWO_FACTOR_SECRET, deploymentSecrets, userSecrets, userTwoFactor } from '@moorage/contracts';
import { DAY_MS, type DeploymentStatus, HOUR_MS } from '@moorage/domain';
import type { MoveChanges } from '@moorage/database';
import { untilLockWait } from '@moorage/testing';
import { type Neighbours, neighbours, ordered, OWN_SERVER } from '@moorage/tests/services/api/deployments';
import {
  type ApiHarness,
  apiHarness,
  elsewhere,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  others = await neighbours(api);
  admin = await api.admin();
});
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
const ANONYMOUS = 999_999;
const code = ({ status, body }: Answer) => [status, (body as { code?: string }).code];
const refusal = ({ status, body }: Answer) => [status, (body as { message_code?: string }).message_code];

const create = (body: object, by: TestAccount = admin) =>
  api.http.post('/api/users/admin-create').set(by.auth).send(body);
const makeAdmin = (id: number, by: TestAccount = admin) => api.http.patch(`/api/users/${id}/make-admin`).set(by.auth);
const removeAdmin = (id: number, by: TestAccount = admin) =>
  api.http.patch(`/api/users/${id}/remove-admin`).set(by.auth);
const deactivate = (id: number, by: TestAccount = admin) => api.http.post(`/api/users/${id}/deactivate`).set(by.auth);
const prepare = (id: number, by: TestAccount = admin) =>
  api.http.post(`/api/users/${id}/prepare-deletion`).set(by.auth).send({ reason: 'You asked us to.' });
const reactivate = (id: number, by: TestAccount = admin) => api.http.post(`/api/users/${id}/reactivate`).set(by.auth);
const erase = (id: number, by: TestAccount = admin) => api.http.delete(`/api/users/${id}`).set(by.auth);
const check = async (id: number) =>
  (await api.http.get(`/api/users/${id}/deactivation-check`).set(admin.auth)).body as DeactivationCheck;
const prepared = async (id: number) => (await prepare(id)).body as DeletionPreparation;
const login = (email: string, password: string) => api.http.post('/api/auth/login').send({ username: email, password });
const me = (account: TestAccount) => api.http.get('/api/auth/me').set(account.auth);

const audited = async (id: number) =>
  api.database.sql(
    `select action, actor_user_id as by, facts from audit_records
     where subject = $1 and actor_user_id is distinct from account_id order by id`,
    [`user:${id}`],
  );
const by = (action: string, facts: object = {}) => ({ action, by: admin.id, facts });
const events = async (id: number): Promise<string[]> =>
  (
    await api.database.sql<{ event_name: string }>(
      `select event_name from outbox where stream = 'account' and aggregate_id = $1 order by sequence`,
      [String(id)],
    )
  ).map(({ event_name }) => event_name);
const mailed = async (email: string): Promise<string[]> => {
  await api.run();
  return (await api.mailsTo(email)).map(({ subject }) => subject);
};
const textOf = async (email: string, wanted: string): Promise<string> => {
  await api.run();
  return (await api.mailsTo(email)).find(({ subject }) => subject === wanted)?.text ?? '';
};
const adjust = (id: number, amount: number) =>
  api.http
    .post(`/api/billing/admin/users/${id}/adjust-balance`)
    .set(admin.auth)
    .send({ amount, description: 'Agreed.' });
const regular = async (id: number): Promise<number> =>
  Number(
    (
      await api.database.sql<{ regular_micros: string }>('select regular_micros from wallets where user_id = $1', [id])
    )[0]?.regular_micros,
  ) / 1e6;
const erased = async (): Promise<TestAccount> => {
  const account = await api.user();
  await deactivate(account.id);
  expect((await erase(account.id)).status).toBe(200);
  return account;
};

const SEEN: [DeploymentStatus, MoveChanges] = ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }];
const WAYS = {
  CREATING: [],
  PROVISIONING: ['PROVISIONING'],
  DNS_VALIDATION: ['PROVISIONING', SEEN],
  READY: ['PROVISIONING', SEEN, 'READY'],
  DNS_FAILED: ['PROVISIONING', SEEN, 'DNS_FAILED'],
} as const;
const FAILED = (server_exists: boolean): [DeploymentStatus, MoveChanges] => ['FAILED', { server_exists }];
let names = 0;
const deployment = async (account: TestAccount, way: keyof typeof WAYS, change: object = {}): Promise<number> => {
  const { id } = await ordered(api, account, { client_name: `site-${++names}`, ...change });
  await others.moveTo(id, ...WAYS[way]);
  return id;
};
const stateOf = async (id: number) =>
  (
    await api.database.sql<Record<string, unknown>>(
      `select status, desired, destroy_reason, deleted_at, billable_from is null or billable_to is not null as is_free
         from deployments where id = $1`,
      [id],
    )
  )[0];

describe('account created by an administrator', () => {
  const body = (username: string) => ({ username, email: `${username}@example.com`, password: 'secret-1' });

  it('gets an email with a link and logs in with the given password', async () => {
    const answer = await create(body('made'));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      username: 'made',
      email: 'made@example.com',
      pending_email: null,
      email_undeliverable: false,
      is_admin: false,
      is_verified: false,
      has_two_factor: false,
      language: 'en',
      balance: 0,
      total_balance: 0,
      created_at: expect.any(String),
      deactivated_at: null,
      active_deployments: 0,
      low_balance_days: null,
    });
    const { id } = answer.body as AdminUserAnswer;
    expect(await audited(id)).toEqual([by('account.created', { is_admin: false })]);
    expect(await events(id)).toEqual(['user.registered']);
    const token = await api.linkToken('made@example.com', 'verify-email');
    expect(await textOf('made@example.com', 'Your new Moorage account')).toContain(
      'An administrator of Moorage created an account for you',
    );
    expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
    expect((await login('made@example.com', 'secret-1')).status).toBe(200);
    expect(JSON.stringify(await audited(id)) + api.logged()).not.toContain('secret-1');
  });

  it('is an administrator if requested', async () => {
    const { body: created } = await create({ ...body('made-admin'), is_admin: true });
    expect(created).toMatchObject({ is_admin: true, is_verified: false });
    expect(await audited((created as AdminUserAnswer).id)).toEqual([by('account.created', { is_admin: true })]);
  });

  it("has its own language, or the administrator's by default", async () => {
    const german = await api.admin();
    await api.http.put('/api/users/self/language').set(german.auth).send({ language: 'de' });
    expect((await create(body('like-admin'), german)).body).toMatchObject({ language: 'de' });
    expect(await mailed('like-admin@example.com')).toEqual(['Ihr neues Konto bei Moorage']);
    expect((await create({ ...body('own-words'), language: 'en' }, german)).body).toMatchObject({ language: 'en' });
    expect(await mailed('own-words@example.com')).toEqual(['Your new Moorage account']);
  });

  it.each([
    ['a username that is already taken', { username: 'Taken' }, 409, 'ACCOUNT_EXISTS'],
    ['an address that is already taken', { email: 'TAKEN@example.com' }, 409, 'ACCOUNT_EXISTS'],
    ['a name like that of a deactivated account', { username: 'deactivated_1_x' }, 422, 'FIELDS_INVALID'],
    ['a short password', { password: '12345' }, 422, 'FIELDS_INVALID'],
    ['an unsupported language', { language: 'fr' }, 422, 'FIELDS_INVALID'],
    ['no address', { email: '' }, 422, 'FIELDS_INVALID'],
  ])('is rejected with %s', async (_, change, status, refused) => {
    await create(body('taken'));
    expect(code(await create({ ...body(`free-${++names}`), ...change }))).toEqual([status, refused]);
  });
});

describe('administrator role', () => {
  it('is granted once and announced once', async () => {
    const account = await api.user();
    expect((await makeAdmin(account.id)).body).toMatchObject({ id: account.id, is_admin: true });
    expect((await makeAdmin(account.id)).body).toMatchObject({ id: account.id, is_admin: true });
    const login = await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
    const bearer = { authorization: `Bearer ${(login.body as { access_token: string }).access_token}` };
    expect((await api.http.get('/api/users').set(bearer)).status).toBe(200);
    expect(await audited(account.id)).toEqual([by('account.promoted')]);
    expect((await events(account.id)).filter((name) => name === 'user.changed')).toHaveLength(1);
    const subject = 'You are now an administrator of Moorage';
    expect((await mailed(account.email)).filter((found) => found === subject)).toHaveLength(1);
  });

  it('is removed with all sessions and administrator tokens, while other tokens stay', async () => {
    const account = await api.admin();
    const token = async (scope: string) => {
      const created = await api.http
        .post('/api/users/self/api-tokens')
        .set(account.auth)
        .send({ label: 'script', scope });
      return { authorization: `Bearer ${(created.body as { token: string }).token}` };
    };
    const [bearer, administers] = [await token('write'), await token('admin')];
    expect((await api.http.get('/api/users').set(administers)).status).toBe(200);
    expect((await removeAdmin(account.id)).body).toMatchObject({ id: account.id, is_admin: false });
    expect(code(await me(account))).toEqual([401, 'UNAUTHENTICATED']);
    expect((await api.http.get('/api/auth/me').set(bearer)).status).toBe(200);
    expect(code(await api.http.get('/api/users').set(bearer))).toEqual([403, 'FORBIDDEN']);
    expect((await api.http.get('/api/users').set(administers)).status).toBe(401);
    expect((await removeAdmin(account.id)).body).toMatchObject({ is_admin: false });
    expect(await audited(account.id)).toEqual([by('account.demoted')]);
    const subject = 'You are no longer an administrator of Moorage';
    expect((await mailed(account.email)).filter((found) => found === subject)).toHaveLength(1);
  });

  it.each([
    ['oneself', async () => admin, [409, 'users.admin_self'], [409, 'users.admin_self']],
    [
      'an unknown account',
      async () => ({ id: ANONYMOUS }),
      [404, 'access.account_unknown'],
      [404, 'access.account_unknown'],
    ],
    ['an erased account', erased, [404, 'access.account_unknown'], [404, 'access.account_unknown']],
    [
      'a deactivated account',
      () => api.deactivated(),
      [409, 'users.admin_deactivated'],
      [409, 'users.deactivated_already'],
    ],
  ])('cannot be changed for %s', async (_, whom, given, taken) => {
    const { id } = await whom();
    expect([refusal(await makeAdmin(id)), refusal(await removeAdmin(id))]).toEqual([given, taken]);
    expect((await me(admin)).body).toMatchObject({ is_admin: true });
  });
});

describe('deactivation by an administrator', () => {
  it('ends sessions and tokens, and is audited and emailed', async () => {
    const account = await api.user();
    const created = await api.http.post('/api/users/self/api-tokens').set(account.auth).send({ label: 'script' });
    const bearer = { authorization: `Bearer ${(created.body as { token: string }).token}` };
    expect(await check(account.id)).toEqual({
      can_deactivate: true,
      issues: { has_active_deployments: false, has_positive_balance: false },
      active_deployment_count: 0,
      leaving_deployment_count: 0,
      user: { id: account.id, username: account.username, balance: 0 },
      refusal: null,
    });
    const answer = await deactivate(account.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: `${account.username} has been deactivated.`,
        code: 'users.deactivated',
        facts: { name: account.username },
      },
    ]);
    expect((await me(account)).status).toBe(401);
    expect((await api.http.get('/api/auth/me').set(bearer)).status).toBe(401);
    expect(code(await login(account.email, account.password))).toEqual([403, 'ACCOUNT_DEACTIVATED']);
    expect(await audited(account.id)).toEqual([by('account.deactivated')]);
    expect(await mailed(account.email)).toContain('Your Moorage account was deactivated');
    const after = await api.http.get(`/api/users/${account.id}`).set(admin.auth);
    expect(after.body).toMatchObject({ username: `deactivated_${account.id}_${account.username}` });
    expect(refusal(await deactivate(account.id))).toEqual([409, 'users.deactivated_already']);
    expect((await check(account.id)).refusal).toMatchObject({ code: 'users.deactivated_already' });
  });

  it('is possible for another administrator', async () => {
    const account = await api.admin();
    expect((await deactivate(account.id)).status).toBe(200);
  });

  it.each([
    ['oneself', async () => admin, [409, 'users.deactivate_self']],
    ['an unknown account', async () => ({ id: ANONYMOUS }), [404, 'access.account_unknown']],
    ['an erased account', erased, [404, 'access.account_unknown']],
  ])('is rejected for %s', async (_, whom, refused) => {
    const { id } = await whom();
    expect(refusal(await deactivate(id))).toEqual(refused);
    const response = await api.http.get(`/api/users/${id}/deactivation-check`).set(admin.auth);
    expect(response.status === 404 ? 404 : (response.body as DeactivationCheck).refusal?.code).toBe(
      refused[0] === 404 ? 404 : refused[1],
    );
  });

  it('is blocked by deployments and by a balance, each with its own message', async () => {
    const account = await api.user();
    await api.pay(account, 2000);
    expect(code(await deactivate(account.id))).toEqual([409, 'ACCOUNT_STATE']);
    expect((await deactivate(account.id)).body).toMatchObject({
      detail: `Cannot deactivate ${account.username}: a positive balance of $20.00.`,
    });
    const [creating] = [await deployment(account, 'CREATING'), await deployment(account, 'READY')];
    expect((await deactivate(account.id)).body).toMatchObject({
      message_code: 'users.deactivate_both',
      facts: { name: account.username, count: 2, balance: '$20.00' },
    });
    expect(await check(account.id)).toMatchObject({
      can_deactivate: false,
      issues: { has_active_deployments: true, has_positive_balance: true },
      active_deployment_count: 2,
      leaving_deployment_count: 0,
      user: { balance: 20 },
      refusal: { code: 'users.deactivate_both', facts: { name: account.username, count: 2, balance: '$20.00' } },
    });
    await adjust(account.id, -20);
    expect((await deactivate(account.id)).body).toMatchObject({
      detail: `Cannot deactivate ${account.username}: 2 active deployment(s).`,
    });
    expect(await stateOf(creating)).toMatchObject({ status: 'CREATING' });
    expect((await me(account)).body).toMatchObject({ username: account.username });
    expect(await audited(account.id)).toEqual([by('balance.adjusted', { amount_micros: '-20000000' })]);
  });

  it('is not blocked by less than a cent, which remains available after a reactivation', async () => {
    const account = await api.user();
    await api.pay(account, 2000);
    await adjust(account.id, -19.99);
    expect((await deactivate(account.id)).body).toMatchObject({ facts: { balance: '$0.01' } });
    await adjust(account.id, -0.009999);
    expect(await check(account.id)).toMatchObject({
      can_deactivate: true,
      issues: { has_positive_balance: false },
      user: { balance: 0.000001 },
    });
    expect((await deactivate(account.id)).status).toBe(200);
    const left = () =>
      api.database.sql(
        `select w.regular_micros::int as regular, sum(l.amount_micros)::int as lines
         from wallets w join ledger_transactions t on t.user_id = w.user_id
           join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'regular'
         where w.user_id = $1 group by w.regular_micros`,
        [account.id],
      );
    expect(await left()).toEqual([{ regular: 1, lines: 1 }]);
    expect((await api.http.post(`/api/users/${account.id}/reactivate`).set(admin.auth).send({})).status).toBe(200);
    expect([await left(), await regular(account.id)]).toEqual([[{ regular: 1, lines: 1 }], 0.000001]);
  });

  it('is not blocked by deployments that are being removed', async () => {
    const account = await api.user();
    await api.pay(account, 2000);
    const leaving = await deployment(account, 'READY');
    await api.http.delete(`/api/deployments/${leaving}`).set(account.auth);
    await others.moveTo(await deployment(account, 'PROVISIONING'), FAILED(true));
    await others.moveTo(await deployment(account, 'PROVISIONING'), FAILED(false));
    await adjust(account.id, -(await regular(account.id)));
    expect(await check(account.id)).toMatchObject({
      can_deactivate: true,
      active_deployment_count: 0,
      leaving_deployment_count: 2,
    });
    expect((await deactivate(account.id)).status).toBe(200);
  });
});

describe('preparing an account deletion', () => {
  const REMOVED = 'Your Moorage deployments are being removed';
  const HOURLY = 0.0356;
  /** Creates a customer with a session that outlives the days that pass. */
  const customer = async (cents = 5000) => {
    const account = await api.user();
    await api.pay(account, cents);
    return account;
  };
  const settle = (account: TestAccount) =>
    api.deps.db.tx('test.settle', async (tx) => {
      await api.deps.ledger.settleAccount(tx, { userId: account.id, at: await api.deps.clock.now(tx) });
    });
  const requested = async (id: number) =>
    api.database.sql(
      `select data from outbox where event_name = 'deployment.deletion_requested' and aggregate_id = $1`,
      [String(id)],
    );

  it('stops running deployments, refunds the remaining hours and allows a deactivation', async () => {
    const account = await customer();
    await toFirstMinuteOfDay(api);
    const ids = [await deployment(account, 'READY'), await deployment(account, 'DNS_FAILED')];
    await settle(account);
    expect(await regular(account.id)).toBeCloseTo(50 - 2 * 24 * HOURLY, 6);
    api.pass(2 * HOUR_MS);
    const answer = await prepare(account.id);
    // Three hours of each are used: 00, 01, 02.
    const refunded = 2 * 21 * HOURLY;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      removing: 2,
      refunded_amount: Number(refunded.toFixed(6)),
      check: {
        can_deactivate: false,
        issues: { has_active_deployments: false, has_positive_balance: true },
        active_deployment_count: 0,
        leaving_deployment_count: 2,
        user: { id: account.id, username: account.username, balance: expect.closeTo(50 - 2 * 3 * HOURLY, 6) },
        refusal: expect.objectContaining({ code: 'users.deactivate_balance' }),
      },
    });
    for (const id of ids) {
      expect(await stateOf(id)).toEqual({
        status: 'DESTROYING',
        desired: 'destroyed',
        destroy_reason: 'account',
        deleted_at: null,
        is_free: true,
      });
      expect(await requested(id)).toEqual([{ data: { deployment_id: id, user_id: account.id, reason: 'account' } }]);
    }
    expect(await audited(account.id)).toEqual([by('account.prepared', { count: 2 })]);
    expect(await textOf(account.email, REMOVED)).toContain('An administrator is removing your 2 deployments.');

    const mails = (await mailed(account.email)).length;
    expect(await prepared(account.id)).toMatchObject({ removing: 0, refunded_amount: 0 });
    expect(await audited(account.id)).toEqual([by('account.prepared', { count: 2 })]);
    expect((await mailed(account.email)).length).toBe(mails);

    api.pass(3 * DAY_MS);
    await settle(account);
    const left = await regular(account.id);
    expect(left).toBeCloseTo(50 - 2 * 3 * HOURLY, 6);
    expect((await adjust(account.id, -left)).status).toBe(200);
    expect((await deactivate(account.id)).status).toBe(200);
  });

  it('marks deployments in progress, which the provisioner rolls back', async () => {
    const account = await customer();
    const ids = [
      await deployment(account, 'CREATING'),
      await deployment(account, 'PROVISIONING'),
      await deployment(account, 'DNS_VALIDATION'),
      await deployment(account, 'READY'),
    ];
    await api.http.post(`/api/deployments/${ids[3]}/restart`).set(account.auth);
    const statuses = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING'];
    expect(await prepared(account.id)).toMatchObject({ removing: 4, check: { active_deployment_count: 4 } });
    for (const [at, id] of ids.entries()) {
      expect(await stateOf(id)).toEqual({
        status: statuses[at],
        desired: 'destroyed',
        destroy_reason: 'account',
        deleted_at: null,
        is_free: true,
      });
      expect(await requested(id)).toHaveLength(1);
    }
    expect(await prepared(account.id)).toMatchObject({ removing: 0 });
    for (const id of ids) await others.moveTo(id, 'DESTROYING');
    expect(await check(account.id)).toMatchObject({ active_deployment_count: 0, leaving_deployment_count: 4 });
  });

  it('removes the server of a failed deployment and ignores removed ones', async () => {
    const account = await customer();
    const [keptAccount, lost, gone] = [
      await deployment(account, 'PROVISIONING'),
      await deployment(account, 'PROVISIONING'),
      await deployment(account, 'READY'),
    ];
    await others.moveTo(keptAccount, FAILED(true));
    await others.moveTo(lost, FAILED(false));
    await api.http.delete(`/api/deployments/${gone}`).set(account.auth);
    await others.moveTo(gone, ['DESTROYED', { server_exists: false }]);
    expect(await prepared(account.id)).toMatchObject({ removing: 1, refunded_amount: 0 });
    expect(await stateOf(keptAccount)).toMatchObject({
      status: 'DESTROYING',
      destroy_reason: 'account',
      deleted_at: null,
    });
    expect(await stateOf(lost)).toMatchObject({ status: 'FAILED', desired: 'running' });
    expect(await stateOf(gone)).toMatchObject({ status: 'DESTROYED', destroy_reason: 'deleted' });
    expect(await textOf(account.email, REMOVED)).toContain('An administrator is removing your deployment.');
  });

  it('includes an order that is placed concurrently', async () => {
    const account = await customer();
    const before = await deployment(account, 'READY');
    const { db, ledger } = api.deps;
    let ordering = (): void => undefined;
    const begun = new Promise<void>((resolve) => (ordering = resolve));
    let place = (): void => undefined;
    const mayPlace = new Promise<void>((resolve) => (place = resolve));
    const order = db.tx('test.order', async (tx) => {
      await ledger.lock(tx, account.id);
      await tx.execute(
        `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level,
           instance_hourly_micros, status, created_at, updated_at)
         select user_id, 'ref-of-an-order', 'late', 'late', package, server_type, support_level, instance_hourly_micros,
           'CREATING', created_at, updated_at from deployments where id = $1`,
        [before],
      );
      ordering();
      await mayPlace;
    });
    await begun;
    const preparing = prepared(account.id);
    await untilLockWait(api.database);
    place();
    await order;
    expect(await preparing).toMatchObject({ removing: 2, check: { active_deployment_count: 1 } });
  });

  it('handles what a deactivated account left behind', async () => {
    const account = await customer();
    const id = await deployment(account, 'PROVISIONING');
    await others.moveTo(id, FAILED(true));
    await adjust(account.id, -50);
    expect((await deactivate(account.id)).status).toBe(200);
    expect(await prepared(account.id)).toMatchObject({ removing: 1 });
    expect(await stateOf(id)).toMatchObject({ status: 'DESTROYING', destroy_reason: 'account' });
    expect(await textOf(account.email, REMOVED)).toContain(`Hello ${account.username},`);
  });

  it.each([
    ['oneself', async () => admin, [409, 'users.deactivate_self']],
    ['an unknown account', async () => ({ id: ANONYMOUS }), [404, 'access.account_unknown']],
    ['an erased account', erased, [404, 'access.account_unknown']],
  ])('is rejected for %s', async (_, whom, refused) => {
    expect(refusal(await prepare((await whom()).id))).toEqual(refused);
  });
});

describe('reactivation', () => {
  it('restores the username and the login, without roles and tokens', async () => {
    const account = await api.admin();
    await deactivate(account.id);
    const answer = await reactivate(account.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: `${account.username} can log in again.`,
        code: 'users.reactivated',
        facts: { name: account.username },
      },
    ]);
    expect((await me(account)).status).toBe(401);
    const entered = await login(account.email, account.password);
    const bearer = { authorization: `Bearer ${(entered.body as { access_token: string }).access_token}` };
    expect((await api.http.get('/api/auth/me').set(bearer)).body).toMatchObject({
      username: account.username,
      is_admin: false,
      is_verified: true,
    });
    expect(await audited(account.id)).toEqual([by('account.deactivated'), by('account.reactivated')]);
    expect((await events(account.id)).slice(-2)).toEqual(['user.deactivated', 'user.changed']);
    expect(await textOf(account.email, 'Your Moorage account was reactivated')).toContain(`Hello ${account.username},`);
  });

  it('is rejected while another account uses the username', async () => {
    const account = await api.user();
    await deactivate(account.id);
    const other = await api.user();
    await api.http.put('/api/users/self/username').set(other.auth).send({ username: account.username.toUpperCase() });
    const answer = await reactivate(account.id);
    expect(code(answer)).toEqual([409, 'ACCOUNT_EXISTS']);
    expect(answer.body).toMatchObject({ detail: `The username ${account.username} has been taken.` });
    expect(code(await login(account.email, account.password))).toEqual([403, 'ACCOUNT_DEACTIVATED']);
  });

  it.each([
    ['an active account', () => api.user(), [409, 'users.not_deactivated']],
    ['an unknown account', async () => ({ id: ANONYMOUS }), [404, 'access.account_unknown']],
    ['an erased account', erased, [404, 'access.account_unknown']],
  ])('is rejected for %s', async (_, whom, refused) => {
    expect(refusal(await reactivate((await whom()).id))).toEqual(refused);
  });
});

describe('erasing an account', () => {
  /** Returns all stored rows that match, except counters that contain only hashes. */
  const traces = async (pattern: string): Promise<unknown[]> => {
    const tables = await api.database.sql<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`,
    );
    const queries = tables.map(
      ({ name }) => `select '${name}' as stored_in, t::text as row from "${name}" t where t::text ~* $1`,
    );
    return api.database.sql(queries.join(' union all '), [pattern]);
  };
  const books = (id: number) =>
    api.database.sql(
      `select (select sum(amount_micros) from ledger_transactions where user_id = $1) as amount,
         (select count(*) from ledger_transactions where user_id = $1) as transactions,
         (select string_agg(l::text, ';' order by l.transaction_id, l.line_no) from ledger_lines l
            join ledger_transactions t on t.id = l.transaction_id where t.user_id = $1) as lines,
         (select w::text from wallets w where user_id = $1) as wallet,
         (select count(*) from credits where user_id = $1) as credits,
         (select count(*) from audit_records where subject = 'user:' || $1::int and action <> 'account.erased') as records,
         (select string_agg(concat_ws(' ', id, billable_from, billable_to), ';' order by id) from deployments
            where user_id = $1) as intervals,
         (select count(*) from deployment_steps s join deployments d on d.id = s.deployment_id where d.user_id = $1) as steps`,
      [id],
    );

  it('leaves no trace of name, address and devices, and retains the ledger', async () => {
    const email = 'wilhelmina.quist@example.com';
    const referrer = await api.user();
    const [{ referral_code } = { referral_code: '' }] = await api.database.sql<{ referral_code: string }>(
      'select referral_code from users where id = $1',
      [referrer.id],
    );
    const account = await api.user('wilhelmina.quist', { referral_code, from: elsewhere() });
    await api.pay(account, 3000);
    const own = { ...OWN_SERVER, vps_ip_address: '5.9.7.7', domain: 'quist-home.net', admin_email: email };
    await others.checked(account, '5.9.7.7');
    const [onServer, failed] = [
      await deployment(account, 'READY', { domain: 'quist.org', admin_email: email, client_name: 'quist-garden' }),
      await deployment(account, 'PROVISIONING', own),
    ];
    await others.moveTo(failed, [
      'FAILED',
      {
        server_exists: false,
        failure: { code: 'stored', facts: {}, detail: '5.9.7.7 of quist-home.net did not answer.' },
      },
    ]);
    await api.http.delete(`/api/deployments/${onServer}`).set(account.auth);
    await others.moveTo(onServer, ['DESTROYED', { server_exists: false }]);
    await api.http.post('/api/users/self/api-tokens').set(account.auth).send({ label: 'quist-script' });
    await api.http.post('/api/users/self/exports').set(account.auth);
    const words = { name: 'W. Quist', email, subject: 'Hello', message: 'Quist here.' };
    expect((await api.http.post('/api/support/contact').set(account.auth).send(words)).status).toBe(201);
    // Without having logged in.
    expect((await api.http.post('/api/support/contact').send(words)).status).toBe(201);
    await api.run();
    const { db, secrets, accountSecrets } = api.deps;
    await db.tx('test.secrets', async (tx) => {
      await secrets.put(tx, userSecrets(account.id), SSH_PRIVATE_KEY, 'key');
      await accountSecrets.put(tx, userTwoFactor(account.id), TWO_FACTOR_SECRET, 'secret');
      await secrets.put(tx, deploymentSecrets(onServer), 'a_password', 'secret');
    });
    const { id } = account;
    const set = (sql: string) => api.database.sql(sql, [id]);
    await set(`update users set two_factor_at = now(), two_factor_step = 7, signup_ip = '203.0.113.9' where id = $1`);
    await set(`update sessions set ip_address = '203.0.113.9', user_agent = 'Quistfox' where user_id = $1`);
    await set(`update sign_ins set ip_address = '203.0.113.9' where user_id = $1`);
    await set(`update login_networks set network = '203.0.113.9' where user_id = $1`);
    await set(`update credits set ip_address = '203.0.113.9' where user_id = $1 or referral_user_id = $1`);
    await set(`insert into recovery_codes values ($1, 'quist-hash', now())`);
    await set(`insert into vps_hosts values ($1, '5.9.7.7', 'SHA256:x', now())`);
    await set(`insert into idempotency_keys values ($1, 'quist-key', 'hash', 200, 'null', now())`);
    await api.database.sql(`update deployments set instance_ip = '5.9.7.8' where id = $1`, [onServer]);
    await api.database.sql(
      `insert into dns_checks (deployment_id, records, all_right, checked_at) values ($1, '[{"name": "quist.org"}]', true, now())`,
      [onServer],
    );
    await api.database.sql(
      `insert into account_views values ('view', $1, $2, 'session', 'Quist asked', now(), now(), null)`,
      [id, admin.id],
    );
    await api.database.sql(`update mails set recipient = upper(recipient) where id in
      (select id from mails where recipient = '${email}' order by id limit 1)`);

    await adjust(id, -(await regular(id)));
    expect((await deactivate(id)).status).toBe(200);
    await api.run();
    // Retention removes handled events.
    await api.database.sql('delete from outbox where sent_at is not null');
    await api.database.sql('delete from inbox where handled_at is not null');
    const TRACE = 'quist|203\\.0\\.113|5\\.9\\.7\\.';
    const stored = (await traces(TRACE)) as { stored_in: string }[];
    expect([...new Set(stored.map(({ stored_in }) => stored_in))].sort()).toEqual([
      'account_views',
      'billing_documents',
      'credits',
      'deployments',
      'dns_checks',
      'idempotency_keys',
      'login_networks',
      'mails',
      'recovery_codes',
      'sessions',
      'sign_ins',
      'support_messages',
      'user_tokens',
      'users',
      'vps_checks',
      'vps_hosts',
    ]);
    const before = await books(id);
    expect((await api.mailsTo(email)).length).toBeGreaterThan(0);

    const answer = await erase(id);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ code: 'users.erased' })]);
    await api.run();
    // Issued receipts name their recipient and are retained because tax law requires it.
    const keptAccount = (await traces(TRACE)) as { stored_in: string }[];
    expect([...new Set(keptAccount.map(({ stored_in }) => stored_in))]).toEqual(['billing_documents']);
    // The email files of a demo are deleted as well.
    expect(await api.mailsTo(email)).toEqual([]);
    expect(await books(id)).toEqual(before);
    expect(
      await api.database.sql(`select 1 from secrets where owner = any($1)`, [
        [userSecrets(id), userTwoFactor(id), deploymentSecrets(onServer)],
      ]),
    ).toEqual([]);
    const tables = ['sessions', 'sign_ins', 'recovery_codes', 'user_tokens', 'data_exports', 'login_networks'];
    const left = tables.map((name) => `(select count(*)::int from ${name} where user_id = $1) as ${name}`);
    expect(await api.database.sql(`select ${left.join(', ')}`, [id])).toEqual([
      Object.fromEntries(tables.map((name) => [name, 0])),
    ]);
    expect(
      await api.database.sql(
        `select username, email, is_admin, is_verified, two_factor_at, two_factor_step, erased_at is not null as is_erased
           from users where id = $1`,
        [id],
      ),
    ).toEqual([
      {
        username: `deactivated_${id}_erased`,
        email: `erased-${id}@erased.invalid`,
        is_admin: false,
        is_verified: false,
        two_factor_at: null,
        two_factor_step: null,
        is_erased: true,
      },
    ]);
    expect((await audited(id)).at(-1)).toEqual(by('account.erased'));
    // Another customer may use the server and the address now.
    expect(
      await api.database.sql('select status, client_name, client_id from deployments where user_id = $1 order by id', [
        id,
      ]),
    ).toEqual(
      [onServer, failed].map((deploymentId) => ({
        status: 'DELETED',
        client_name: `deployment-${deploymentId}`,
        client_id: `deployment-${deploymentId}`,
      })),
    );

    expect([(await login(email, account.password)).body, (await login(email, 'another')).body]).toEqual([
      (await login('nobody.at.all@example.com', account.password)).body,
      (await login('nobody.at.all@example.com', account.password)).body,
    ]);
    expect(code(await login(`erased-${id}@erased.invalid`, account.password))).toEqual([401, 'CREDENTIALS_WRONG']);
    expect((await api.http.get(`/api/users/${id}`).set(admin.auth)).status).toBe(404);
    expect(code(await adjust(id, 1))).toEqual([404, 'NOT_FOUND']);
    const listed = await api.http.get('/api/users').query({ show_deactivated: 'true' }).set(admin.auth);
    expect((listed.body as AdminUserAnswer[]).map((row) => row.id)).not.toContain(id);
    expect((await create({ username: account.username, email, password: 'secret-1' })).status).toBe(201);
  });

  it.each([
    [['READY', 'DESTROYING'], 1],
    [['PROVISIONING', 'FAILED'], 1],
  ] as const)('waits until deployments are removed from their servers: %s', async ([way, last], count) => {
    const account = await api.user();
    await api.pay(account, 3000);
    const id = await deployment(account, way);
    await deployment(account, 'PROVISIONING').then((other) => others.moveTo(other, FAILED(false)));
    if (last === 'FAILED') await others.moveTo(id, FAILED(true));
    else await prepare(account.id);
    await adjust(account.id, -(await regular(account.id)));
    expect((await deactivate(account.id)).status).toBe(200);
    const answer = await erase(account.id);
    expect(code(answer)).toEqual([409, 'ACCOUNT_STATE']);
    expect(answer.body).toMatchObject({
      message_code: 'users.erase_deployments',
      facts: { name: account.username, count },
    });
    expect(await stateOf(id)).toMatchObject({ status: last });
    expect(await api.database.sql('select email, erased_at from users where id = $1', [account.id])).toEqual([
      { email: account.email, erased_at: null },
    ]);
  });

  it.each([
    ['oneself', async () => admin, [409, 'users.erase_self']],
    ['an active account', () => api.user(), [409, 'users.erase_active']],
    ['an unknown account', async () => ({ id: ANONYMOUS }), [404, 'access.account_unknown']],
    ['an erased account', erased, [404, 'access.account_unknown']],
  ])('is rejected for %s', async (_, whom, refused) => {
    expect(refusal(await erase((await whom()).id))).toEqual(refused);
  });
});
