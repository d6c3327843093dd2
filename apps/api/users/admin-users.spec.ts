import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminUserAnswer, DeploymentAnswer } from '@moorage/contracts';
import { neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, linksOf, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
let mara: TestAccount;
let bert: TestAccount;
let gone: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
  mara = await api.user('mara.lindqvist');
  bert = await api.unverified('bert_100');
  gone = await api.deactivated();
  await api.pay(mara, 1000);
});
afterAll(() => api.close());

const list = async (query: object = {}) => {
  const { status, body, headers } = await api.http.get('/api/users').query(query).set(admin.auth);
  return pageOf({ status, body: body as AdminUserAnswer[], headers });
};
const follow = async (address: string | undefined) => {
  const { status, body, headers } = await api.http.get(address ?? 'nowhere').set(admin.auth);
  return pageOf({ status, body: body as AdminUserAnswer[], headers });
};
const pageOf = ({
  headers,
  ...answer
}: {
  status: number;
  body: AdminUserAnswer[];
  headers: Record<string, string>;
}) => ({
  ...answer,
  total: headers['x-total-count'],
  links: linksOf(headers),
});
const cursorOf = (over: object): string =>
  Buffer.from(
    JSON.stringify({
      sort: 'id',
      order: 'asc',
      towards: 'next',
      id: 1,
      value: null,
      total: 1,
      estimated: false,
      ...over,
    }),
  ).toString('base64url');
const ids = async (query: object) => (await list(query)).body.map(({ id }) => id);
const get = (path: string, who: TestAccount = admin) => api.http.get(`/api/users/${path}`).set(who.auth);

describe('accounts for administrators', () => {
  it('are listed with their balances and no secret', async () => {
    const { status, body, total } = await list();
    expect([status, total]).toEqual([200, '3']);
    expect(body.map(({ id }) => id)).toEqual([admin.id, mara.id, bert.id]);
    expect(body[1]).toEqual({
      id: mara.id,
      username: 'mara.lindqvist',
      email: mara.email,
      is_admin: false,
      is_verified: true,
      pending_email: null,
      email_undeliverable: false,
      has_two_factor: false,
      language: 'en',
      balance: 10,
      total_balance: 10,
      created_at: expect.any(String),
      deactivated_at: null,
      active_deployments: 0,
      low_balance_days: null,
    });
  });

  it('include deactivated ones on request only', async () => {
    expect(await ids({ show_deactivated: 'true' })).toEqual([admin.id, mara.id, bert.id, gone.id]);
    const [row] = (await list({ show_deactivated: 'true', search: gone.email })).body;
    expect(row).toMatchObject({ id: gone.id, deactivated_at: expect.any(String) });
    expect(await ids({ search: gone.email })).toEqual([]);
  });

  it('never include erased ones', async () => {
    const erased = await api.user();
    await api.database.sql('update users set deactivated_at = now(), erased_at = now() where id = $1', [erased.id]);
    expect(await ids({ show_deactivated: 'true' })).not.toContain(erased.id);
    expect((await get(`${erased.id}`)).status).toBe(404);
  });

  it('are filtered by role, by verified address and by a balance that ends soon', async () => {
    await api.database.sql('update wallets set low_warned_days = 7 where user_id = $1', [bert.id]);
    expect(await ids({ is_admin: 'true' })).toEqual([admin.id]);
    expect(await ids({ is_admin: 'false' })).toEqual([mara.id, bert.id]);
    expect(await ids({ is_verified: 'true' })).toEqual([admin.id, mara.id]);
    expect(await ids({ is_verified: 'false' })).toEqual([bert.id]);
    expect(await ids({ low_balance: 'true' })).toEqual([bert.id]);
    expect(await ids({ low_balance: 'true', is_verified: 'true' })).toEqual([]);
    for (const query of [{ is_admin: 'yes' }, { is_verified: '1' }, { low_balance: 'false' }])
      expect((await list(query)).status).toBe(422);
    await api.database.sql('update wallets set low_warned_days = null where user_id = $1', [bert.id]);
  });

  it.each([
    ['MARA', () => [mara.id]],
    ['lindqvist@example', () => [mara.id]],
    ['  mara  ', () => [mara.id]],
    ['bert_1', () => [bert.id]],
    // Wildcards match only themselves.
    ['100%', () => []],
    ['%', () => []],
    ['bert.1', () => []],
    ['_', () => [bert.id]],
    ['nobody', () => []],
    ["' or 1=1 --", () => []],
  ])('are found by the search "%s"', async (search, found) => {
    expect((await ids({ search })).filter((id) => [mara.id, bert.id].includes(id))).toEqual(found());
  });

  it.each(['ÅSA', 'åsa', 'a\u030asa', 'A\u030aSA'])('are found by %s in any Unicode form', async (search) => {
    const call = (name: string) => api.database.sql('update users set username = $2 where id = $1', [bert.id, name]);
    await call('Åsa');
    expect(await ids({ search })).toEqual([bert.id]);
    expect(await ids({ name: search })).toEqual([bert.id]);
    await call(bert.username);
  });

  it('are found by their id', async () => {
    expect(await ids({ search: String(mara.id) })).toContain(mara.id);
    expect(await ids({ search: '999999999999999999999' })).toEqual([]);
  });

  it('are sorted as requested, in pages', async () => {
    expect((await ids({ sort_by: 'balance', sort_order: 'desc' }))[0]).toBe(mara.id);
    expect((await ids({ sort_by: 'username', search: '@example.com' })).slice(0, 2)).toEqual([bert.id, mara.id]);
    for (const sort_by of ['id', 'email', 'created_at']) expect((await list({ sort_by })).status).toBe(200);
    for (let n = 0; n < 9; n++)
      await api.database.sql(
        `with u as (insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
         values ('page' || $1, 'page' || $1 || '@example.com', 'page' || $1, '', 'P' || $1, now()) returning id)
       insert into wallets (user_id, created_at) select id, now() from u`,
        [n],
      );
    const first = await list({ per_page: 10, page: 1 });
    const second = await list({ per_page: 10, page: 2 });
    expect([first.body.length, first.total, second.body.length]).toEqual([10, '12', 2]);
    expect(new Set([...first.body, ...second.body].map(({ id }) => id)).size).toBe(12);
    expect((await list({ per_page: 10, page: 3 })).body).toEqual([]);
  });

  it.each(
    ['id', 'username', 'email', 'created_at', 'balance'].flatMap((by) => [[by, 'asc'] as const, [by, 'desc'] as const]),
  )(
    'are paged consistently by %s %s with links and numbers, forwards, backwards and from the end',
    async (sort_by, sort_order) => {
      const all = (await list({ sort_by, sort_order, per_page: 20 })).body.map(({ id }) => id);
      expect(all).toHaveLength(12);
      const first = await list({ sort_by, sort_order, per_page: 10 });
      const second = await follow(first.links.next);
      expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(all);
      expect([second.total, second.links.next]).toEqual(['12', undefined]);
      expect((await follow(second.links.prev)).body.map(({ id }) => id)).toEqual(all.slice(0, 10));
      const end = await follow(first.links.last);
      expect(end.body.map(({ id }) => id)).toEqual(all.slice(2));
      expect((await follow(end.links.prev)).body.map(({ id }) => id)).toEqual(all.slice(0, 2));
    },
  );

  it('are estimated beyond ten thousand, with rows from 10 000 reachable by links', async () => {
    await api.database.sql(
      `with u as (insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
       select 'many' || n, 'many' || n || '@example.net', 'many' || n, '', 'M' || n, now() from generate_series(1, 10050) n returning id)
       insert into wallets (user_id, created_at) select id, now() from u`,
    );
    await api.database.sql('analyze users');
    await api.database.sql('analyze wallets');
    const deep = await list({ search: '@example.net', page: 100, per_page: 100 });
    expect([deep.status, deep.body.length]).toEqual([200, 100]);
    expect(Number(deep.total)).toBeGreaterThan(10_000);
    const behind = await follow(deep.links.next);
    expect([behind.body[0]?.username, behind.body.length]).toEqual(['many10001', 50]);
    expect(behind.total).toBe(deep.total);
    await api.database.sql(`delete from wallets where user_id in (select id from users where username like 'many%')`);
    await api.database.sql(`delete from users where username like 'many%'`);
  });

  it('are returned up to a thousand without parameters', async () => {
    await api.database.sql(
      `with u as (insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
       select 'whole' || n, 'whole' || n || '@example.net', 'whole' || n, '', 'W' || n, now() from generate_series(1, 120) n returning id)
       insert into wallets (user_id, created_at) select id, now() from u`,
    );
    const { body, total, links } = await list();
    expect([body.length, links]).toEqual([Number(total), {}]);
    expect(body.length).toBeGreaterThan(120);
    await api.database.sql(`delete from wallets where user_id in (select id from users where username like 'whole%')`);
    await api.database.sql(`delete from users where username like 'whole%'`);
  });

  it('are found by their exact name or address', async () => {
    for (const name of ['MARA.lindqvist', mara.email.toUpperCase()]) expect(await ids({ name })).toEqual([mara.id]);
    for (const name of ['mara', 'mara%', '']) expect(await ids({ name })).toEqual([]);
    expect(await ids({ name: gone.email, show_deactivated: true })).toEqual([gone.id]);
  });

  it.each([
    { page: 0 },
    { page: 'x' },
    { page: 101, per_page: 100 },
    { per_page: 15 },
    { per_page: 1000 },
    { sort_by: 'password_hash' },
    { sort_by: 'id; drop table users' },
    { sort_order: 'up' },
    { show_deactivated: 'yes' },
    { search: 'x'.repeat(101) },
    { search: 'a\nb' },
    { cursor: 'abc' },
    { cursor: cursorOf({}), page: 2 },
    { cursor: cursorOf({ order: 'desc' }) },
    { cursor: cursorOf({ sort: 'balance', value: '1; drop table users' }), sort_by: 'balance' },
    { cursor: cursorOf({ sort: 'balance', value: null }), sort_by: 'balance' },
  ])('reject %j', async (query) => {
    expect((await list(query)).status).toBe(422);
  });

  it('are shown individually with all balances and running deployments', async () => {
    const deployment = await ordered(api, mara);
    await (await neighbours(api)).moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    const { status, body } = await get(`${mara.id}`);
    expect([status, body]).toMatchObject([
      200,
      {
        id: mara.id,
        balance: 10,
        active_deployments: 1,
        balances: { regular_balance: 10, total_balance: 10, referral_credits: 0, available_balance: 10, owed: 0 },
        payments: { count: 1, paid: 10, taken_back: 0 },
      },
    ]);
    const listed = await get(`${mara.id}/deployments`);
    expect((listed.body as DeploymentAnswer[]).map(({ id, user }) => [id, user?.username])).toEqual([
      [deployment.id, 'mara.lindqvist'],
    ]);
    expect(listed.headers['x-total-count']).toBe('1');
  });

  it('return 404 for an unknown account', async () => {
    for (const path of ['999999', '0', 'abc', '2147483648', '999999/deployments'])
      expect((await get(path)).status).toBe(404);
  });

  it('are for administrators only', async () => {
    for (const path of ['', `${mara.id}`, `${mara.id}/deployments`]) {
      expect((await get(path, mara)).status).toBe(403);
      expect((await api.http.get(`/api/users/${path}`)).status).toBe(401);
    }
  });
});
