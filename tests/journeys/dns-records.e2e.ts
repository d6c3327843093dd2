import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { CreatedRecordsAnswer, DeploymentAnswer, DnsProviderAnswer, ExistingRecords } from '@moorage/contracts';
import { FAKE_TOKEN, fakeCloudflare, type FakeRecordApi } from '../fakes/record-apis';
import { chapters } from './chapters';
import { type Person, until } from './customer';
import { draftOf } from './first-deployment';
import { createPayingCustomer } from './paying-customer';
import { type Product, startProduct } from './product';

const ZONE = 'sandbox.localhost';
/** Never resolves in the sandbox, so the deployment waits for its records. */
const DOMAIN = `nodns.${ZONE}`;

/** Records at the owner's provider, whose API is simulated here. */
describe('DNS records at the provider of the owner', () => {
  let product: Product;
  let provider: FakeRecordApi;
  let ada: Person;
  let id: number;
  const chapter = chapters(300_000, () => Promise.resolve(product.log().slice(-4_000)));
  beforeAll(async () => {
    provider = await fakeCloudflare(ZONE);
    product = await startProduct(['all-in-one'], { DNS_PROVIDER_BASE_URL: provider.baseUrl });
    ada = await createPayingCustomer(product, 'ada', 100);
  }, 300_000);
  afterAll(async () => {
    await product.stop();
    await provider.stop();
  });

  const create = <T>(more: object = {}) =>
    ada.call<T>('POST', `/deployments/${id}/dns/records`, {
      provider: 'cloudflare',
      token: FAKE_TOKEN,
      with_optional: false,
      ...more,
    });

  chapter('are created once the server has an address', async () => {
    const created = await ada.call<DeploymentAnswer>('POST', '/deployments/', { ...draftOf('ada'), domain: DOMAIN });
    id = created.body.id;
    const { instance_ip: address } = await until(
      'DNS_VALIDATION',
      async () => (await ada.call<DeploymentAnswer>('GET', `/deployments/${id}`)).body,
      ({ status }) => status === 'DNS_VALIDATION',
      120_000,
    );
    const found = await ada.call<DnsProviderAnswer>('GET', `/deployments/${id}/dns/provider`);
    expect(found.body).toMatchObject({ domain: DOMAIN, zone: null, connect: null });
    provider.records = [{ id: 1_000_000, type: 'CNAME', name: `admin.${DOMAIN}`, value: 'old.example.net' }];
    const refused = await create<ExistingRecords>();
    expect([refused.status, refused.body.existing]).toMatchObject([409, [{ value: 'old.example.net' }]]);
    const replace = refused.body.existing.map(({ type, name, value }) => ({ type, name, value }));
    const { status, body } = await create<CreatedRecordsAnswer>({ replace });
    expect([status, body.records.map(({ result }) => result)]).toEqual([200, ['replaced']]);
    expect(provider.records).toMatchObject([{ type: 'A', name: `admin.${DOMAIN}`, value: address }]);
  });

  chapter('never contain the token in the database, the log or an email', async () => {
    expect((await create({ token: `${FAKE_TOKEN}-wrong` })).status).toBe(422);
    expect(product.log()).not.toContain(FAKE_TOKEN);
    for (const table of ['audit_records', 'outbox', 'mails', 'work']) {
      const rows = await product.sql<{ row: string }>(`select t::text as row from ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(FAKE_TOKEN);
    }
  });
});
