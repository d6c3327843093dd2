import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { type ApiHarness, apiHarness, linksOf, type TestAccount } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
let jane: TestAccount;
let tom: TestAccount;
let admin: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  jane = await harness.user('jane');
  tom = await harness.user('tom');
  admin = await harness.admin();
  await add(jane, 45);
  await add(tom, 3);
  await harness.database.sql(`update deployments set status = 'DELETED' where client_name = 'janes-045'`);
});
afterAll(() => harness.close());

/** Adds deployments, `janes-001` first, with alternating providers, packages and states. */
async function add(owner: TestAccount, count: number, name = `${owner.username}s`): Promise<void> {
  await harness.database.sql(
    `insert into deployments (user_id, ref, client_name, client_id, package, server_type, vps_ip_address, cloud_provider, domain, support_level,
       instance_hourly_micros, status, created_at, updated_at)
     select $1, $3 || n, $3 || '-' || lpad(n::text, 3, '0'), 'x', case when n % 2 = 0 then 'pangolin' else 'coolify' end,
       case when n % 5 = 0 then 'vps' else 'new' end, case when n % 5 = 0 then '5.9.0.0'::inet + n end,
       case when n % 5 > 0 then (array['hetzner', 'aws', 'vultr', 'linode'])[n % 5] end,
       'site' || n || '.example', 1, 0, case when n % 5 = 0 then 'DESTROYED' else 'READY' end, now(), now()
     from generate_series(1, $2) n`,
    [owner.id, count, name],
  );
}

const list = (who: TestAccount, query: Record<string, string | number> = {}, path = '/api/deployments') =>
  harness.http.get(path).set(who.auth).query(query);
const names = (body: unknown): string[] => (body as DeploymentAnswer[]).map(({ client_name }) => client_name);
const range = (from: number, to: number): string[] =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, index) => `janes-${String(from + (to < from ? -index : index)).padStart(3, '0')}`,
  );

const follow = (who: TestAccount, address: string | undefined) => harness.http.get(address ?? 'nowhere').set(who.auth);

describe('deployment list', () => {
  it('is a plain array, newest first, without permanently deleted ones', async () => {
    for (const path of ['/api/deployments', '/api/deployments/', `/api/deployments/user/${jane.id}`]) {
      const { status, body, headers } = await list(jane, {}, path);
      expect([status, headers['x-total-count']]).toEqual([200, '44']);
      expect(names(body)).toEqual(range(44, 1));
      expect((body as DeploymentAnswer[])[0]?.user).toBeUndefined();
    }
  });

  it('contains all deployments with their owners for an administrator', async () => {
    const { body, headers } = await list(admin);
    expect(headers['x-total-count']).toBe('47');
    expect((body as DeploymentAnswer[])[0]).toMatchObject({ user: { username: 'tom', email: 'tom@example.com' } });
  });

  it('shows another account to administrators, and returns 404 to others', async () => {
    expect(names((await list(admin, {}, `/api/deployments/user/${tom.id}`)).body)).toHaveLength(3);
    const foreign = await list(jane, {}, `/api/deployments/user/${tom.id}`);
    const absent = await list(jane, {}, '/api/deployments/user/999999');
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(absent.body);
    expect((await list(admin, {}, '/api/deployments/user/999999')).status).toBe(404);
    for (const odd of ['0', '-1', 'x', '2147483648', '1%27'])
      expect((await list(admin, {}, `/api/deployments/user/${odd}`)).status).toBe(404);
  });

  it('requires a login', async () => {
    expect((await harness.http.get('/api/deployments')).status).toBe(401);
    expect((await harness.http.get(`/api/deployments/user/${jane.id}`)).status).toBe(401);
  });
});

describe('pages', () => {
  it('are selected by number', async () => {
    const second = await list(jane, { page: 2, per_page: 20 });
    expect(names(second.body)).toEqual(range(24, 5));
    expect(names((await list(jane, { page: 3, per_page: 20 })).body)).toEqual(range(4, 1));
    expect((await list(jane, { page: 4, per_page: 20 })).body).toEqual([]);
    expect(names((await list(jane, { page: 1 })).body)).toHaveLength(20);
  });

  it.each<[string, Record<string, string>]>([
    ['created_at', { sort_order: 'asc' }],
    ['created_at', { sort_order: 'desc' }],
    ['client_name', { sort_order: 'asc' }],
    ['client_name', { sort_order: 'desc' }],
    ['package', { sort_order: 'asc' }],
    ['cloud_provider', { sort_order: 'desc' }],
    ['status', { sort_order: 'asc' }],
    ['status', { sort_order: 'asc', search: 'site', package: 'pangolin' }],
  ])('are followed by links, sorted by %s %j, with every row once in both directions', async (sort_by, query) => {
    const all = names((await list(jane, { ...query, sort_by, per_page: 100 })).body);
    let page = await list(jane, { ...query, sort_by, per_page: 7 });
    const there: string[][] = [names(page.body)];
    while (linksOf(page.headers).next !== undefined) {
      page = await follow(jane, linksOf(page.headers).next);
      expect(page.status).toBe(200);
      expect(page.headers['x-total-count']).toBe(String(all.length));
      there.push(names(page.body));
    }
    expect(there.flat()).toEqual(all);
    const back: string[][] = [names(page.body)];
    while (linksOf(page.headers).prev !== undefined) {
      page = await follow(jane, linksOf(page.headers).prev);
      back.unshift(names(page.body));
    }
    expect(back.flat()).toEqual(all);
  });

  it('lead to the last page by its link and back from there', async () => {
    const first = await list(jane, { per_page: 10 });
    const last = await follow(jane, linksOf(first.headers).last);
    expect(names(last.body)).toEqual(range(10, 1));
    expect(linksOf(last.headers).next).toBeUndefined();
    expect(names((await follow(jane, linksOf(last.headers).prev)).body)).toEqual(range(20, 11));
  });

  it('never reveal rows of others through a cursor', async () => {
    const first = await list(admin, { per_page: 2 });
    const stolen = (linksOf(first.headers).next ?? '').split('cursor=')[1] ?? '';
    const { body } = await list(tom, { per_page: 50, cursor: stolen });
    for (const { user_id } of body as DeploymentAnswer[]) expect(user_id).toBe(tom.id);
  });
});

describe('search and filters', () => {
  it.each<[string, Record<string, string>, number]>([
    ['the client name', { search: 'JANES-01' }, 10],
    ['the package', { search: 'coolify' }, 22],
    ['the provider', { search: 'vultr' }, 9],
    ['own servers', { search: 'byovps' }, 8],
    ['the provider by its display name', { search: ' linode (AKAMAI)' }, 9],
    ['a part of that name', { search: 'Akamai' }, 9],
    ['own servers by their display name', { search: 'your own server' }, 8],
    ['a provider without deployments', { search: 'Google Cloud' }, 0],
    ['the domain', { search: 'site7.example' }, 1],
    ['percent as a letter', { search: '%' }, 0],
    ['underscore as a letter', { search: 'janes_001' }, 0],
    ['backslash as a letter', { search: '\\' }, 0],
    ['a quote as a letter', { search: "' or 1=1 --" }, 0],
    ['everything for spaces only', { search: '   ' }, 44],
    ['a state', { status: 'DESTROYED' }, 8],
    ['states', { status: 'READY,DESTROYED' }, 44],
    ['a package', { package: 'pangolin' }, 22],
    ['a provider', { cloud_provider: 'aws' }, 9],
    ['own servers by filter', { cloud_provider: 'BYOVPS' }, 8],
    ['an owner, which only administrators ask for', { user: 'tom' }, 44],
  ])('find %s', async (_, query, count) => {
    const { status, headers } = await list(jane, query);
    expect([status, headers['x-total-count']]).toEqual([200, String(count)]);
  });

  it('include owners for administrators', async () => {
    expect((await list(admin, { search: 'tom@example' })).headers['x-total-count']).toBe('3');
    expect((await list(admin, { user: 'JANE' })).headers['x-total-count']).toBe('44');
    expect((await list(jane, { search: 'jane@example' })).headers['x-total-count']).toBe('0');
  });

  it('find a deployment by number for its owner and administrators only', async () => {
    const [own] = (await list(jane, { search: 'janes-007' })).body as DeploymentAnswer[];
    for (const [who, found] of [
      [jane, ['janes-007']],
      [admin, ['janes-007']],
      [tom, []],
    ] as const) {
      const { status, body } = await list(who, { id: own?.id ?? 0 });
      expect([status, names(body)]).toEqual([200, found]);
    }
    expect(names((await list(jane, { id: 999_999_999 })).body)).toEqual([]);
  });
});

describe('invalid query', () => {
  it.each<[string, string]>([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=x', 'page'],
    ['page=1.5', 'page'],
    ['page=1&page=2', 'page'],
    ['page=10001', 'page'],
    ['page=501&per_page=20', 'page'],
    ['page[$ne]=1&page=', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['per_page=1e1', 'per_page'],
    ['sort_by=user_id', 'sort_by'],
    ['sort_by=id;drop table users', 'sort_by'],
    ['sort_by=constructor', 'sort_by'],
    ['sort_order=up', 'sort_order'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['search=a%0ab', 'search'],
    ['search=a%00b', 'search'],
    ['search=a&search=b', 'search'],
    ['user=a%1bb', 'user'],
    ['status=GONE', 'status.0'],
    ['status=READY,', 'status.1'],
    ['status=', 'status.0'],
    [`package=${'x'.repeat(61)}`, 'package'],
    ['cloud_provider=a%0d', 'cloud_provider'],
    ['id=0', 'id'],
    ['id=1%20or%201=1', 'id'],
    ['id=9999999999', 'id'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=%27', 'cursor'],
    [`cursor=${'x'.repeat(601)}`, 'cursor'],
    [
      `cursor=${Buffer.from('{"sort":"created_at","order":"desc","towards":"next","id":"1 or 1=1","value":null,"total":1,"estimated":false}').toString('base64url')}`,
      'cursor',
    ],
    [
      `cursor=${Buffer.from('{"sort":"status","order":"desc","towards":"next","id":1,"value":"x","total":1,"estimated":false}').toString('base64url')}`,
      'cursor',
    ],
  ])('is rejected with a message: %s', async (query, path) => {
    const { status, body } = await harness.http.get(`/api/deployments?${query}`).set(jane.auth);
    expect(status).toBe(422);
    expect((body as { errors: { path: string; message: string }[] }).errors.map((error) => error.path)).toContain(path);
    expect((body as { detail: string }).detail).toMatch(/^\S.+/);
  });
});

describe('without parameters', () => {
  it('returns up to a thousand rows, with headers for the rest', async () => {
    const lots = await harness.user('lots');
    await add(lots, 1_005);
    const { body, headers } = await list(lots);
    expect([(body as unknown[]).length, headers['x-total-count']]).toEqual([1_000, '1005']);
    const rest = await follow(lots, linksOf(headers).next);
    expect(names(rest.body)).toEqual(['lotss-005', 'lotss-004', 'lotss-003', 'lotss-002', 'lotss-001']);
    expect(linksOf(rest.headers).next).toBeUndefined();
    // The servers of the same account, without those that were removed.
    const servers = await harness.http.get('/api/servers').set(lots.auth);
    expect([(servers.body as unknown[]).length, servers.headers['x-total-count']]).toEqual([804, '804']);
    expect(linksOf(servers.headers)).toEqual({});
  });
});

describe('more than ten thousand rows', () => {
  it('are estimated and marked as such, with rows from 10 000 reachable by links only', async () => {
    const many = await harness.user('many');
    await add(many, 10_150);
    await harness.database.sql('analyze deployments');
    const first = await list(many, { per_page: 100 });
    expect(first.headers['x-total-count-estimated']).toBe('true');
    expect(Number(first.headers['x-total-count'])).toBeGreaterThan(10_000);
    const deep = await list(many, { page: 100, per_page: 100 });
    expect(names(deep.body)).toHaveLength(100);
    expect((await list(many, { page: 101, per_page: 100 })).status).toBe(422);
    const behind = await follow(many, linksOf(deep.headers).next);
    expect(names(behind.body)[0]).toBe('manys-150');
    expect(names((await follow(many, linksOf(behind.headers).next)).body)).toHaveLength(50);
    expect(behind.headers['x-total-count']).toBe(deep.headers['x-total-count']);
  });
});
