import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatedRecordsAnswer, ExistingRecords } from '@moorage/contracts';
import {
  FAKE_TOKEN,
  fakeCloudflare,
  fakeDigitalOceanDns,
  fakeHetznerDns,
  type FakeRecordApi,
} from '@moorage/tests/fakes/record-apis';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount, TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';

const ADDRESS = '203.0.113.24';
const ZONE = 'example.com';

describe.each([
  ['cloudflare', fakeCloudflare],
  ['digitalocean', fakeDigitalOceanDns],
  ['hetzner', fakeHetznerDns],
] as const)('records at %s', (provider, fake) => {
  let zone: FakeRecordApi;
  let api: ApiHarness;
  let others: Neighbours;
  let jane: TestAccount;
  let id: number;
  let domain: string;
  beforeAll(async () => {
    zone = await fake(ZONE);
    api = await apiHarness({ settings: { dns: { ...TEST_SETTINGS.dns, apiBase: zone.baseUrl } } });
    others = await neighbours(api);
    jane = await api.user();
    await api.pay(jane, 10_000);
  });
  afterAll(async () => {
    await api.close();
    await zone.stop();
  });
  let orders = 0;
  beforeEach(async () => {
    zone.failing = null;
    zone.records = [];
    domain = `shop-${++orders}.${ZONE}`;
    ({ id } = await ordered(api, jane, { domain }));
    const withServer = { server_exists: true, instance_ip: ADDRESS };
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', withServer]);
  });

  const create = (more: object = {}, who = jane) =>
    api.http
      .post(`/api/deployments/${id}/dns/records`)
      .set(who.auth)
      .send({ provider, token: FAKE_TOKEN, with_optional: false, ...more });
  const results = async (more: object = {}) =>
    ((await create(more).expect(200)).body as CreatedRecordsAnswer).records.map(({ fqdn, result }) => [fqdn, result]);
  const refusal = async (more: object = {}) => {
    const { status, body } = await create(more);
    const { code, message_code, errors } = body as {
      code: string;
      message_code: string;
      errors: { path: string; code: string }[];
    };
    const [first] = errors;
    return first === undefined ? `${status} ${code} ${message_code}` : `${status} ${first.path} ${first.code}`;
  };
  const inZone = () => zone.records.map(({ type, name, value }) => `${type} ${name} ${value}`).sort();
  const audit = () =>
    api.database.sql<{ facts: unknown }>(
      `select facts from audit_records where subject = $1 and action = 'deployment.dns_records_created' order by id`,
      [`deployment:${id}`],
    );
  const add = (type: string, name: string, value: string, more: { proxied?: boolean } = {}) =>
    zone.records.push({ id: 1_000_000 + zone.records.length, type, name, value, ...more });

  it('are created once, audited without the token, and left alone afterwards', async () => {
    expect(await results()).toEqual([[`admin.${domain}`, 'created']]);
    expect(inZone()).toEqual([`A admin.${domain} ${ADDRESS}`]);
    expect(await results()).toEqual([[`admin.${domain}`, 'unchanged']]);
    expect(inZone()).toEqual([`A admin.${domain} ${ADDRESS}`]);
    expect(await audit()).toEqual([{ facts: { provider, hosts: `admin.${domain}` } }]);
    expect(await results({ with_optional: true })).toEqual([
      [`admin.${domain}`, 'unchanged'],
      [`*.${domain}`, 'created'],
    ]);
  });

  it('replace records that lead elsewhere only with consent to each of them', async () => {
    add('A', `admin.${domain}`, '198.51.100.9');
    add('AAAA', `admin.${domain}`, '2001:db8::9');
    add('TXT', `admin.${domain}`, 'kept');
    add('A', domain, '198.51.100.9');
    const before = inZone();
    const { status, body } = await create();
    const { existing, code } = body as ExistingRecords & { code: string };
    expect([status, code]).toEqual([409, 'DNS_RECORDS_DIFFER']);
    expect(existing).toEqual([
      { type: 'A', name: `admin.${domain}`, value: '198.51.100.9', proxied: false },
      { type: 'AAAA', name: `admin.${domain}`, value: '2001:db8::9', proxied: false },
    ]);
    expect(await refusal({ replace: existing.slice(1).map(({ type, name, value }) => ({ type, name, value })) })).toBe(
      '409 DNS_RECORDS_DIFFER owner_record.differ',
    );
    expect([inZone(), await audit()]).toEqual([before, []]);
    const replace = existing.map(({ type, name, value }) => ({ type, name, value }));
    expect(await results({ replace })).toEqual([[`admin.${domain}`, 'replaced']]);
    expect(inZone()).toEqual(
      [`A ${domain} 198.51.100.9`, `A admin.${domain} ${ADDRESS}`, `TXT admin.${domain} kept`].sort(),
    );
  });

  it('replace an alias, beside which no other record can exist', async () => {
    add('CNAME', `admin.${domain}`, 'old.example.net');
    const replace = [{ type: 'CNAME', name: `admin.${domain}`, value: 'old.example.net' }];
    expect(await results({ replace })).toEqual([[`admin.${domain}`, 'replaced']]);
    expect(inZone()).toEqual([`A admin.${domain} ${ADDRESS}`]);
  });

  it('can be those of the domain that the deployment will get, and of a further domain', async () => {
    await others.moveTo(id, 'READY');
    const further = `www-${id}.${ZONE}`;
    await api.http.post(`/api/deployments/${id}/domains`).set(jane.auth).send({ host: further }).expect(201);
    await api.database.sql(`update work set due_at = now() + interval '1 day' where kind = 'apply-domains'`);
    expect(await results({ domain: further })).toEqual([[further, 'created']]);
    expect(
      await api.database.sql(
        `select due_at < now() + interval '12 hours' as now from work where kind = 'apply-domains' and key = $1`,
        [String(id)],
      ),
    ).toEqual([{ now: true }]);
    expect(await results({ domain: `next-${id}.${ZONE}` })).toEqual([[`admin.next-${id}.${ZONE}`, 'created']]);
    expect(await refusal({ domain: 'next.onion' })).toBe('422 domain order.domain_reserved');
  });

  it('are refused with a solution', async () => {
    expect(await refusal({ token: 'another-token' })).toBe('422 token owner_record.token_refused');
    expect(await refusal({ token: 'two words' })).toBe('422 token owner_record.token_form');
    zone.failing = 403;
    expect(await refusal()).toBe('422 token owner_record.permission');
    zone.failing = 429;
    expect(await refusal()).toBe('409 DNS_PROVIDER_STATE owner_record.rate_limited');
    zone.failing = 422;
    expect(await refusal()).toBe('409 DNS_PROVIDER_STATE owner_record.rejected');
    zone.failing = 500;
    expect(await refusal()).toBe('409 DNS_PROVIDER_STATE owner_record.unreachable');
    zone.failing = null;
    await others.moveTo(id, 'READY');
    expect(await refusal({ domain: `shop-${id}.example.net` })).toBe('422 token owner_record.zone_missing');
    expect(await audit()).toEqual([]);
  });

  it('belong to the owner only, and to deployments that exist', async () => {
    const bob = await api.user();
    const admin = await api.admin();
    const before = zone.requests;
    for (const who of [bob, admin]) expect((await create({}, who)).status).toBe(404);
    await api.database.sql(`update deployments set instance_ip = null where id = $1`, [id]);
    expect(await refusal()).toBe('409 DEPLOYMENT_STATE owner_record.address_unknown');
    await api.database.sql(`update deployments set status = 'DESTROYED', billable_to = now() where id = $1`, [id]);
    expect(await refusal()).toBe('409 DEPLOYMENT_STATE owner_record.over');
    expect(zone.requests).toBe(before);
  });

  it('are not created for a name of the platform, even if the call names it', async () => {
    await api.database.sql(
      `insert into platform_names (name, account_id, deployment_id, given_at)
       select domain, user_id, id, now() from deployments where id = $1`,
      [id],
    );
    for (const more of [{}, { domain }]) expect(await refusal(more)).toBe('409 DEPLOYMENT_STATE owner_record.managed');
  });

  it('never store or log the token', async () => {
    await create().expect(200);
    zone.failing = 403;
    const refused = await create();
    expect(JSON.stringify(refused.body)).not.toContain(FAKE_TOKEN);
    expect(api.logged()).toContain('DNS provider rejected records of a customer');
    expect(api.logged()).not.toContain(FAKE_TOKEN);
    for (const table of ['audit_records', 'outbox', 'work', 'idempotency_keys']) {
      const rows = await api.database.sql<{ row: string }>(`select t::text as row from ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(FAKE_TOKEN);
    }
  });
});

describe('the DNS provider of a domain', () => {
  let api: ApiHarness;
  beforeAll(async () => (api = await apiHarness()));
  afterAll(() => api.close());

  it('is unknown if no resolver answers, and is not looked up in the sandbox', async () => {
    const jane = await api.user();
    await api.pay(jane, 10_000);
    for (const domain of ['shop.sandbox.localhost', 'shop.example.com']) {
      const { id } = await ordered(api, jane, { domain });
      const { body } = await api.http.get(`/api/deployments/${id}/dns/provider`).set(jane.auth).expect(200);
      expect(body).toEqual({ domain, zone: null, name_servers: [], provider: null, connect: null });
    }
  });
});

describe('Domain Connect', () => {
  let api: ApiHarness;
  let others: Neighbours;
  let jane: TestAccount;
  const requested: string[] = [];
  const services = ['pangolin'];
  beforeAll(async () => {
    const settings = {
      providerName: 'DNS Example',
      urlSyncUX: 'https://connect.dns.example',
      urlAPI: 'https://api.dns.example',
    };
    const requests = {
      lookUp: async () => ({ zone: ZONE, nameServers: ['ns1.dns.example'] }),
      connect: {
        texts: async () => ['connect.dns.example'],
        async get(url: URL) {
          requested.push(url.href);
          const [, service] = /\/services\/(.+)$/.exec(url.pathname) ?? [];
          const found = service === undefined || services.includes(service);
          return { status: found ? 200 : 404, text: JSON.stringify(settings) };
        },
      },
    };
    const connect = { providerId: 'moorage.example', key: null };
    api = await apiHarness({ settings: { dns: { ...TEST_SETTINGS.dns, connect, requests } } });
    others = await neighbours(api);
    jane = await api.user();
    await api.pay(jane, 10_000);
  });
  afterAll(() => api.close());

  async function waiting(domain: string, config = {}): Promise<number> {
    const { id } = await ordered(api, jane, { domain, ...config });
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: ADDRESS }]);
    return id;
  }
  const provider = async (id: number, query = {}) =>
    (await api.http.get(`/api/deployments/${id}/dns/provider`).query(query).set(jane.auth).expect(200)).body as {
      provider: string | null;
      connect: { provider: string; url: string } | null;
    };

  it('links to the provider that has our template, and requests it only once', async () => {
    const id = await waiting(`connect.${ZONE}`);
    const first = await provider(id);
    expect(first).toMatchObject({
      zone: ZONE,
      name_servers: ['ns1.dns.example'],
      provider: null,
      connect: {
        provider: 'DNS Example',
        url: `https://connect.dns.example/v2/domainTemplates/providers/moorage.example/services/pangolin/apply?domain=${ZONE}&host=connect&groupId=admin-a%2Cwildcard-a&IP=${ADDRESS}`,
      },
    });
    expect(requested).toHaveLength(2);
    expect(await provider(id)).toEqual(first);
    expect(requested).toHaveLength(2);
  });

  it('links to nothing that the template does not contain', async () => {
    const custom = await waiting(`custom.${ZONE}`, { admin_subdomain: 'panel' });
    expect((await provider(custom)).connect).toBeNull();
    const building = (await ordered(api, jane, { domain: `building.${ZONE}` })).id;
    expect((await provider(building)).connect).toBeNull();
    const id = await waiting(`further.${ZONE}`);
    await others.moveTo(id, 'READY');
    const host = `www-further.${ZONE}`;
    await api.http.post(`/api/deployments/${id}/domains`).set(jane.auth).send({ host }).expect(201);
    expect((await provider(id, { domain: host })).connect).toBeNull();
  });
});
