import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Call } from '@moorage/contracts';
import { z } from 'zod';
import { copied } from '@moorage/tests/services/api/backups';
import { type Neighbours, neighbours, ordered, SOLD_OUT } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { EXAMPLES, nameOf } from '@moorage/tests/services/api/threats';
import { asStored } from '@moorage/domain';

/**
 * A number that is no id, price or amount of these tests. Wherever it appears, it came from a field that callers may
 * not set.
 */
const NUMBER = 1_771_177_177;
const TEXT = `c${NUMBER}`;
const INSTANT = '2007-07-11T07:11:07Z';
const PLANTED = '1771177177|2007-07-11.07:11:07';

/** Names of no column that an attacker may try. */
const TRIED: Readonly<Record<string, unknown>> = {
  role: 'admin',
  roles: ['admin'],
  admin: true,
  verified: true,
  isAdmin: true,
  isVerified: true,
  userId: NUMBER,
  balance: NUMBER,
  total_balance: NUMBER,
  price: 0,
  hourly_cost: 0,
  daily_cost: 0,
  hourly_micros: 0,
  discount: 100,
  status: 'ACTIVE',
  user: { id: NUMBER, is_admin: true },
  $set: { is_admin: true },
  constructor: { prototype: { is_admin: true } },
};

const WITH_BODY = ALL_CALLS.filter(({ body }) => body !== undefined);
const fieldsOf = ({ body }: Call): string[] => (body instanceof z.ZodObject ? Object.keys(body.shape) : []);
const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;

/** Requirements of each call for success. */
const SENT: Readonly<Record<string, { by?: 'customer' | 'admin'; at?: keyof Things; status: number }>> = {
  'POST /auth/login': { status: 401 },
  'POST /auth/forgot-password': { status: 200 },
  'POST /auth/verify-email': { status: 422 },
  'POST /auth/reset-password': { status: 422 },
  'POST /users': { status: 201 },
  'PUT /users/self/language': { by: 'customer', status: 200 },
  'PUT /users/self/username': { by: 'customer', status: 200 },
  'POST /users/self/email-change': { by: 'customer', status: 200 },
  'PUT /users/self/password': { by: 'customer', status: 422 },
  'POST /users/self/reauthentication': { by: 'customer', status: 422 },
  'POST /users/self/two-factor/confirm': { by: 'customer', status: 409 },
  'PUT /users/self/notifications': { by: 'customer', status: 200 },
  'POST /users/self/api-tokens': { by: 'customer', status: 201 },
  'POST /users/admin-create': { by: 'admin', status: 201 },
  'POST /users/{id}/impersonation': { by: 'admin', at: 'customer', status: 201 },
  'POST /deployments/pricing/calculate': { status: 200 },
  'POST /deployments': { by: 'customer', status: 201 },
  'POST /admin/providers/{provider}/confirm': { by: 'admin', status: 409 },
  'PUT /admin/providers/{provider}/credentials': { by: 'admin', status: 409 },
  'PATCH /deployments/{id}': { by: 'customer', at: 'deployment', status: 200 },
  'POST /deployments/{id}/domains': { by: 'customer', at: 'deployment', status: 201 },
  'POST /deployments/{id}/dns/records': { by: 'customer', at: 'deployment', status: 409 },
  'PUT /deployments/{id}/domain': { by: 'customer', at: 'waiting', status: 200 },
  'PATCH /deployments/{id}/configuration': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/resize': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/update': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/reboot': { by: 'customer', at: 'waiting', status: 409 },
  'PUT /deployments/{id}/update-settings': { by: 'customer', at: 'waiting', status: 200 },
  'PUT /admin/releases/{package}/{version}': { by: 'admin', status: 200 },
  'PUT /deployments/{id}/name': { by: 'customer', at: 'waiting', status: 200 },
  'PUT /deployments/{id}/deletion-lock': { by: 'customer', at: 'waiting', status: 200 },
  'POST /deployments/{id}/retry': { by: 'customer', at: 'soldOut', status: 201 },
  'POST /deployments/{id}/reopen': { by: 'admin', at: 'lost', status: 200 },
  'POST /deployments/{id}/backups/{backup_id}/restore': { by: 'customer', at: 'deployment', status: 200 },
  'POST /deployments/{id}/undo-restore': { by: 'customer', at: 'lost', status: 409 },
  'POST /deployments/{id}/restart': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/containers/{container}/restart': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/start-server': { by: 'customer', at: 'waiting', status: 409 },
  'POST /deployments/{id}/backups/{backup_id}/deployments': { by: 'customer', at: 'deployment', status: 201 },
  'POST /deployments/{id}/move': { by: 'customer', at: 'lost', status: 201 },
  'POST /deployments/{id}/clone': { by: 'customer', at: 'lost', status: 409 },
  'PUT /deployments/{id}/backups/bucket': { by: 'customer', at: 'deployment', status: 200 },
  'POST /deployments/{id}/ssh-keys': { by: 'customer', at: 'waiting', status: 201 },
  'PUT /billing/details': { by: 'customer', status: 200 },
  'POST /billing/admin/users/{id}/adjust-balance': { by: 'admin', at: 'customer', status: 200 },
  'PUT /billing/automatic-top-up': { by: 'customer', status: 200 },
  'POST /billing/admin/users/{id}/automatic-top-up/stop': { by: 'admin', at: 'customer', status: 200 },
  'POST /billing/admin/payment-differences/{id}/settle': { by: 'admin', status: 404 },
  'POST /stripe/create-checkout-session': { by: 'customer', status: 201 },
  'POST /admin/leaks/{id}/remove': { by: 'admin', status: 404 },
  'POST /admin/leaks/{id}/keep': { by: 'admin', status: 404 },
  'POST /admin/leaks/{id}/adopt': { by: 'admin', status: 404 },
  'POST /billing/admin/payments/{id}/refund': { by: 'admin', at: 'session', status: 200 },
  'POST /stripe/test-checkout/{session_id}': { at: 'session', status: 303 },
  'POST /servers/validate-vps': { by: 'customer', status: 200 },
  'POST /deployments/package-request': { by: 'customer', status: 201 },
  'POST /support/referral-request': { status: 201 },
  'POST /support/referral-requests/{id}/reject': { by: 'admin', at: 'request', status: 200 },
  'POST /signup-credits/redeem': { by: 'customer', status: 422 },
  'PATCH /referrals/admin/credits/{id}/adjust': { by: 'admin', at: 'credit', status: 200 },
  'POST /referrals/admin/referrals/{id}/reject': { by: 'admin', at: 'referral', status: 200 },
  'POST /support/contact': { status: 201 },
  'POST /support/conversations/{id}/messages': { by: 'customer', at: 'conversation', status: 201 },
  'POST /support/visits': { status: 404 },
  'POST /support/visits/messages': { status: 404 },
  'POST /support/admin/conversations/{id}/answers': { by: 'admin', at: 'conversation', status: 201 },
  'POST /support/admin/conversations/{id}/notes': { by: 'admin', at: 'conversation', status: 201 },
  'PUT /support/admin/conversations/{id}/assignee': { by: 'admin', at: 'conversation', status: 200 },
  'POST /users/{id}/prepare-deletion': { by: 'admin', at: 'friend', status: 200 },
};

interface Things {
  readonly customer: number;
  /** A user without deployments. */
  readonly friend: number;
  readonly deployment: number;
  /** A copy of this deployment. */
  readonly copy: number;
  /** A deployment that failed because its size was sold out. */
  readonly soldOut: number;
  readonly lost: number;
  /** A deployment that is waiting for DNS. */
  readonly waiting: number;
  readonly session: string;
  readonly credit: number;
  readonly request: number;
  readonly referral: number;
  readonly conversation: number;
}

/** S7: a body sets what its row names, and nothing else. */
describe('fields that callers may not set', () => {
  let api: ApiHarness;
  let others: Neighbours;
  let accounts: Readonly<Record<'customer' | 'admin', TestAccount>>;
  let things: Things;
  let tables: readonly string[];
  /** Every existing column, and more, with a recognisable value. */
  let forbidden: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    // A request that waits for the provisioner's check of a server finds it finished.
    const sleep = async () =>
      void (await api.database.sql(
        `update vps_checks set state = 'passed', host_key_sha256 = 'SHA256:x', message = 'Looked at.', answered_at = asked_at
          where state = 'asked'`,
      ));
    api = await apiHarness({ deps: (deps) => ({ ...deps, clock: { ...deps.clock, sleep } }) });
    others = await neighbours(api);
    accounts = { customer: await api.user(), admin: await api.admin() };
    const { customer } = accounts;
    await api.pay(customer, 5000);
    const [running, lost] = [await ordered(api, customer), await ordered(api, customer, { client_name: 'lost' })];
    for (const { id } of [running, lost]) {
      const seen = { server_exists: true, instance_ip: `5.9.9.${id % 200}` };
      await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', seen], 'READY');
    }
    const waiting = await ordered(api, customer, { client_name: 'waiting' });
    await others.moveTo(waiting.id, 'PROVISIONING', 'DNS_VALIDATION');
    const soldOut = await ordered(api, customer, { client_name: 'sold out' });
    await others.moveTo(soldOut.id, SOLD_OUT);
    const { db, clock, ledger } = api.deps;
    const settle = async () =>
      db.tx('test.settle', async (tx) => ledger.settleAccount(tx, { userId: customer.id, at: await clock.now(tx) }));
    await settle();
    await others.moveTo(lost.id, [
      'FAILED',
      { lost_from: 'READY', server_exists: false, destroy_reason: 'failed', failure: asStored('Lost.') },
    ]);
    await settle();
    await api.database.sql('update deployments set server_exists = true where id = $1', [lost.id]);
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(customer.auth)
      .send({ amount_cents: 100 });
    const session = (begun.body as { session_id: string }).session_id;
    const link = (await api.http.get('/api/referrals/my-link').set(customer.auth)).body as { referral_code: string };
    // Referred from the referrer's network, so it is waiting for a review.
    const friend = await api.user('friend', { referral_code: link.referral_code });
    for (const email of [customer.email, 'visitor@example.org'])
      await api.http.post('/api/support/referral-request').send({ email, reason: 'To try it.' });
    const newest = async (table: 'credits' | 'credit_requests' | 'referral_pairs'): Promise<number> => {
      const [row] = await api.database.sql<{ id: number }>(`select id from ${table} order by id desc limit 1`);
      return row?.id ?? 0;
    };
    const request = await newest('credit_requests');
    await api.http.post(`/api/support/referral-requests/${request - 1}/approve`).set(accounts.admin.auth);
    const written = await api.http
      .post('/api/support/contact')
      .set(customer.auth)
      .send(EXAMPLES['POST /support/contact']);
    things = {
      customer: customer.id,
      friend: friend.id,
      deployment: running.id,
      copy: await copied(api, running.id),
      soldOut: soldOut.id,
      lost: lost.id,
      waiting: waiting.id,
      session,
      credit: await newest('credits'),
      request,
      referral: await newest('referral_pairs'),
      conversation: (written.body as { conversation_id: number }).conversation_id,
    };

    const columns = await api.database.sql<{ table_name: string; column_name: string; data_type: string }>(
      `select table_name, column_name, data_type from information_schema.columns
        where table_schema = 'public' and table_name in (select tablename from pg_tables where schemaname = 'public')`,
    );
    tables = [...new Set(columns.map(({ table_name }) => table_name))];
    forbidden = {
      ...Object.fromEntries(columns.map(({ column_name, data_type }) => [column_name, valueOf(data_type)])),
      ...TRIED,
    };
  });
  afterAll(() => api.close());

  const bodyOf = (call: Call): Record<string, unknown> => {
    const settable = fieldsOf(call);
    const planted = Object.entries(forbidden).filter(([name]) => !settable.includes(name));
    return { ...Object.fromEntries(planted), ...EXAMPLES[nameOf(call)] };
  };

  /** Returns the rows that contain the value. */
  async function planted(): Promise<unknown[]> {
    const queries = tables.map((name) => `select '${name}' as stored_in from "${name}" t where t::text ~ $1`);
    return api.database.sql(queries.join(' union all '), [PLANTED]);
  }

  /** Ends the restart that a previous call has requested, as the provisioner would. */
  async function restarted(): Promise<void> {
    await api.database.sql(`update deployments set status = 'READY' where id = $1 and status = 'RESTARTING'`, [
      things.deployment,
    ]);
    await api.database.sql(`update deployment_changes set state = 'done', finished_at = now() where state = 'running'`);
  }

  /** Returns rights and ownership, which have no recognisable value. */
  const rights = () =>
    api.database.sql(
      `select (select string_agg(username, ',' order by id) from users where is_admin) as admins,
              (select count(*) from users where is_verified) as verified,
              (select count(*) from users where deactivated_at is not null or erased_at is not null) as gone,
              (select count(*) from deployments where user_id <> $1 or status = 'ACTIVE' or deleted_at is not null) as strange,
              (select min(hourly_micros) from deployment_rates where reason not like '%found again%') as cheapest`,
      [accounts.customer.id],
    );

  it('have an example here for every call with a body', () => {
    expect(WITH_BODY.map(nameOf).filter((name) => EXAMPLES[name] === undefined || SENT[name] === undefined)).toEqual(
      [],
    );
    expect(WITH_BODY.filter((call) => fieldsOf(call).length === 0).map(nameOf)).toEqual([]);
    expect(Object.keys(forbidden)).toEqual(expect.arrayContaining(['is_admin', 'is_verified', 'user_id', 'id']));
  });

  it.each(WITH_BODY.map((call) => [nameOf(call), call] as const))('are not read by %s', (_, call) => {
    const plain = call.body?.parse(EXAMPLES[nameOf(call)]);
    expect(call.body?.parse(bodyOf(call))).toEqual(plain);
  });

  it.each(WITH_BODY.map((call) => [nameOf(call), call] as const))('are not stored by %s', async (name, call) => {
    const { by, at, status } = SENT[name] ?? { status: 0 };
    await restarted();
    const before = await rights();
    const path = call.path
      .replace('{backup_id}', String(things.copy))
      .replace('{provider}', 'hetzner')
      .replace('{package}', 'pangolin')
      .replace('{version}', '1.24.0-2')
      .replace('{container}', 'gerbil')
      .replace(/\{\w+\}/, at === undefined ? '' : String(things[at]));
    const answer = await api.http[METHODS[call.method]](`/api${path}`)
      .set(by === undefined ? {} : accounts[by].auth)
      .type(call.form === true ? 'form' : 'json')
      .send(bodyOf(call));
    expect([answer.status, answer.text]).toEqual([status, expect.not.stringMatching(PLANTED)]);
    await api.run();
    expect(await planted()).toEqual([]);
    expect(await rights()).toEqual(before);
  });

  it('would be detected if they were stored', async () => {
    await api.database.sql('update users set username = $2 where id = $1', [accounts.customer.id, TEXT]);
    expect(await planted()).toContainEqual({ stored_in: 'users' });
  });
});

function valueOf(type: string): unknown {
  if (type === 'boolean') return true;
  if (/^timestamp|^date/.test(type)) return INSTANT;
  return /int|numeric|double/.test(type) ? NUMBER : TEXT;
}
