import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { DAY_MS, iso } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { type Neighbours, neighbours, ORDER, OWN_SERVER, SOLD_OUT } from '@moorage/tests/services/api/deployments';

const PLATFORM = { domain: 'apps.example.net', isSimulated: false, certificatesPerWeek: 0 };
const { domain: _, ...WITHOUT_DOMAIN } = ORDER;

let api: ApiHarness;
let others: Neighbours;
beforeAll(async () => {
  api = await apiHarness({ settings: { platform: PLATFORM } });
  others = await neighbours(api);
});
afterAll(() => api.close());

async function rich(): Promise<TestAccount> {
  const account = await api.user();
  await api.pay(account, 5_000);
  return account;
}

const post = (account: TestAccount, body: object) =>
  api.http
    .post('/api/deployments/')
    .set(account.auth)
    .send({ ...WITHOUT_DOMAIN, ...body });

async function ordered(account: TestAccount, body: object): Promise<DeploymentAnswer> {
  const { status, body: created } = await post(account, body);
  expect([status, created]).toMatchObject([201, {}]);
  return created as DeploymentAnswer;
}

const refusal = async (account: TestAccount, body: object): Promise<string> => {
  const { status, body: answer } = await post(account, body);
  const [error] = (answer as { errors?: { path: string; code: string }[] }).errors ?? [];
  return `${status} ${error?.path ?? ''} ${error?.code ?? ''}`;
};

/** Releases the name of a deployment, as the provisioner does once its records are gone. */
async function gone(id: number): Promise<void> {
  const at = await api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));
  await api.database.sql('update platform_names set released_at = $2 where deployment_id = $1', [id, iso(at)]);
}

describe('order without a domain', () => {
  it('gets a name from its client name, everywhere a typed domain would be', async () => {
    const created = await ordered(await rich(), { client_name: 'Harbour Shop' });
    expect(created).toMatchObject({
      domain: 'harbour-shop.apps.example.net',
      access_link: 'https://admin.harbour-shop.apps.example.net',
    });
    const [row] = await api.database.sql(
      `select d.config ->> 'DOMAIN' as domain, n.account_id = d.user_id as own from deployments d
       join platform_names n on n.deployment_id = d.id where d.id = $1`,
      [created.id],
    );
    expect(row).toEqual({ domain: created.domain, own: true });
  });

  it('gets a name from the generated client name, also with an empty domain', async () => {
    const created = await ordered(await rich(), { domain: '' });
    expect(created.domain).toBe(`${created.client_name}.apps.example.net`);
  });

  it('has records that we set, unlike a typed domain', async () => {
    const account = await rich();
    const managed = async ({ id }: DeploymentAnswer): Promise<unknown> => {
      const { body } = await api.http.get(`/api/deployments/${id}/dns`).set(account.auth);
      return (body as { managed: boolean }).managed;
    };
    expect(await managed(await ordered(account, {}))).toBe(true);
    expect(await managed(await ordered(account, { domain: 'typed.example.com' }))).toBe(false);
  });

  it('gets a suffix if the name is taken or reserved', async () => {
    await ordered(await rich(), { client_name: 'twice' });
    const { domain } = await ordered(await rich(), { client_name: 'twice' });
    expect(domain).toMatch(/^twice-[a-z0-9]{5}\.apps\.example\.net$/);
    expect((await ordered(await rich(), { client_name: 'www' })).domain).toMatch(/^www-[a-z0-9]{5}\./);
  });

  it('gets another name than one typed by an older deployment', async () => {
    const account = await rich();
    const { id } = await ordered(account, { domain: 'shop.example.com' });
    await api.database.sql(`update deployments set domain = 'older.apps.example.net' where id = $1`, [id]);
    expect((await ordered(account, { client_name: 'older' })).domain).toMatch(/^older-[a-z0-9]{5}\./);
  });

  it('gets distinct names if two are placed at once', async () => {
    const both = await Promise.all([await rich(), await rich()].map((one) => ordered(one, { client_name: 'race' })));
    expect(new Set(both.map(({ domain }) => domain)).size).toBe(2);
  });

  it('is refused without a platform domain, and for an own server with a simulated one', async () => {
    const account = await rich();
    const without = await apiHarness({ beside: api, settings: { platform: null } });
    const body = { ...WITHOUT_DOMAIN };
    const { status } = await without.http.post('/api/deployments/').set(account.auth).send(body);
    expect(status).toBe(422);
    const simulated = await apiHarness({ beside: api, settings: { platform: { ...PLATFORM, isSimulated: true } } });
    const own = await simulated.http
      .post('/api/deployments/')
      .set(account.auth)
      .send({ ...OWN_SERVER, domain: null });
    expect(own.body).toMatchObject({ errors: [expect.objectContaining({ path: 'domain' })] });
    await without.close();
    await simulated.close();
  });
});

describe('name of a deployment that is gone', () => {
  it('returns to the same account at once, and to others after 30 days', async () => {
    const account = await rich();
    const first = await ordered(account, { client_name: 'returning' });
    expect((await ordered(account, { client_name: 'returning' })).domain).not.toBe(first.domain);
    await gone(first.id);
    const second = await ordered(account, { client_name: 'returning' });
    expect(second.domain).toBe(first.domain);
    await gone(second.id);
    api.pass(29 * DAY_MS);
    expect((await ordered(await rich(), { client_name: 'returning' })).domain).not.toBe(first.domain);
    api.pass(DAY_MS);
    expect((await ordered(await rich(), { client_name: 'returning' })).domain).toBe(first.domain);
  });
});

describe('names below the platform domain', () => {
  it.each(['apps.example.net', 'mine.apps.example.net', 'a.mine.apps.example.net', 'example.net'])(
    '%s cannot be ordered as an own domain',
    async (domain) => expect(await refusal(await rich(), { domain })).toBe('422 domain order.domain_of_platform'),
  );

  it('cannot be the new domain or a further domain, except the one that was given', async () => {
    const account = await rich();
    const { id, domain } = await ordered(account, { client_name: 'stays' });
    await others.moveTo(
      id,
      'PROVISIONING',
      ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }],
      'READY',
    );
    const change = (to: string) => api.http.put(`/api/deployments/${id}/domain`).set(account.auth).send({ domain: to });
    const add = (host: string) => api.http.post(`/api/deployments/${id}/domains`).set(account.auth).send({ host });
    expect((await change('other.apps.example.net')).body).toMatchObject({
      errors: [{ path: 'domain', code: 'order.domain_of_platform' }],
    });
    expect((await add('other.apps.example.net')).body).toMatchObject({
      errors: [{ path: 'host', code: 'order.domain_of_platform' }],
    });
    expect((await change(domain ?? '')).status).toBe(200);
  });

  it('are given to one deployment each when a failed order is placed again', async () => {
    const account = await rich();
    const { id, domain } = await ordered(account, { client_name: 'again' });
    await others.moveTo(id, 'PROVISIONING', SOLD_OUT);
    const retry = () =>
      api.http
        .post(`/api/deployments/${id}/retry`)
        .set({ ...account.auth, 'idempotency-key': `again-${Math.random()}` })
        .send({ region: 'nbg1', instance_type: ORDER.instance_type, expected_hourly_cost: 0.0356 });
    const { status, body } = await retry();
    if (status !== 201) throw new Error(JSON.stringify(body));
    expect((body as DeploymentAnswer).domain).toMatch(/^again-[a-z0-9]{5}\./);
    expect(domain).toBe('again.apps.example.net');
  });
});

describe('certificates of the platform domain', () => {
  /** Pangolin needs one certificate for its dashboard, and the fourth exceeds the limit. */
  it('limit the orders without a domain in seven days, with an alert before', async () => {
    const limited = await apiHarness({ settings: { platform: { ...PLATFORM, certificatesPerWeek: 3 } } });
    const account = await limited.user();
    await limited.pay(account, 10_000);
    const order = (body: object = {}) =>
      limited.http
        .post('/api/deployments/')
        .set(account.auth)
        .send({ ...WITHOUT_DOMAIN, ...body });
    const alerts = () => limited.database.sql(`select kind from operator_alerts where resolved_at is null`);
    for (let count = 0; count < 2; count++) expect((await order()).status).toBe(201);
    expect(await alerts()).toEqual([]);
    limited.pass(DAY_MS);
    expect((await order()).status).toBe(201);
    expect(await alerts()).toEqual([{ kind: 'platform_certificates' }]);
    const refused = await order();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'PLATFORM_DOMAIN_FULL', detail: expect.stringContaining('Enter a domain you own.') },
    ]);
    expect((await order({ domain: 'shop.example.com' })).status).toBe(201);
    limited.pass(6 * DAY_MS);
    expect((await order()).status).toBe(201);
    expect(await alerts()).toEqual([]);
    await limited.close();
  });

  it('of one name are requested at most five times in seven days', async () => {
    const account = await rich();
    const names: (string | null)[] = [];
    for (let count = 0; count < 6; count++) {
      const { id, domain } = await ordered(account, { client_name: 'restless' });
      names.push(domain);
      await gone(id);
    }
    expect(names.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'restless.apps.example.net'));
    expect(names[5]).toMatch(/^restless-[a-z0-9]{5}\./);
  });
});
