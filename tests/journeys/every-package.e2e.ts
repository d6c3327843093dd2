import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PackageConfigAnswer } from '@moorage/contracts';
import { createPayingCustomer } from './paying-customer';
import { type Person, until } from './customer';
import { type Product, startProduct } from './product';

/** Packages visible to customers, by folder. */
const PACKAGES = readdirSync('infra/packages').filter((name) => !name.startsWith('test-'));

/** Values a customer enters where a package requires them. */
const VALUES: Readonly<Record<string, string>> = {
  DOMAIN: 'domain',
  EMAIL: 'ada@example.com',
  ADMIN_USERNAME: 'ada@example.com',
  ADMIN_PASSWORD: 'Harbour-Light-7-North',
  CROWDSEC_ENROLLMENT_KEY: 'clx1y2z3a4b5c6d7e8f9g0h1i',
  STATIC_PAGE_SUBDOMAIN: 'www',
  OPENAI_API_KEY: 'sk-proj-0123456789abcdefghij',
  MAXMIND_LICENSE_KEY: 'maxmind_0123456789',
  CLIENT_ID: '77-harbour.apps.example.com',
  CLIENT_SECRET: 'GOCSPX-0123456789',
  KOMODO_HOST_IP: '8.8.4.4',
  KOMODO_PASSKEY: 'passkey-0123456789',
};
/** Package that is ordered with its optional values too. */
const LARGEST = 'pangolin-ai';
const FIELDS: Readonly<Record<string, string>> = {
  EMAIL: 'admin_email',
  CLIENT_ID: 'oauth_client_id',
  CLIENT_SECRET: 'oauth_client_secret',
};

interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly failure_reason: string | null;
}

describe('every package in the sandbox, from order to deletion', () => {
  let product: Product;
  let ada: Person;
  beforeAll(async () => {
    product = await startProduct(['all-in-one']);
    ada = await createPayingCustomer(product, 'ada', 100);
  }, 300_000);
  afterAll(() => product.stop());

  const becomes = (id: number, ...wanted: string[]): Promise<Deployment> =>
    until(
      wanted.join(' or '),
      async () => (await ada.call<Deployment>('GET', `/deployments/${id}`)).body,
      ({ status }) => wanted.includes(status) || status.endsWith('FAILED'),
    );

  it.each(PACKAGES)(
    '%s: is ordered, READY, restarted and deleted',
    async (name) => {
      const { body: config } = await ada.call<PackageConfigAnswer>('GET', `/deployments/packages/${name}/config`);
      const requested = config.details.flatMap(({ required_env, optional_env }) =>
        [...required_env, ...(name === LARGEST ? optional_env : [])].map((entry) =>
          typeof entry === 'string' ? entry : entry.name,
        ),
      );
      const values = requested.map((env) => [FIELDS[env] ?? env.toLowerCase(), VALUES[env]]);
      const order = {
        package: name,
        server_type: 'new',
        cloud_provider: 'hetzner',
        region: 'fsn1',
        instance_type: 'cpx22',
        support_level: 1,
        ...Object.fromEntries(values),
        domain: `${name}.sandbox.localhost`,
      };
      const created = await ada.call<Deployment>('POST', '/deployments/', order);
      expect([created.status, created.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
      const { id } = created.body;

      expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY', failure_reason: null });
      const dns = await ada.call<{ all_right: boolean; records: { name: string; required: boolean }[] }>(
        'GET',
        `/deployments/${id}/dns`,
      );
      expect(dns.body).toMatchObject({ all_right: true });
      expect(dns.body.records.find(({ required: must }) => must)?.name).toBe(config.default_admin_subdomain);

      expect((await ada.call('POST', `/deployments/${id}/restart`)).status).toBeLessThan(300);
      expect(await becomes(id, 'READY')).toMatchObject({ status: 'READY', failure_reason: null });

      expect((await ada.call('DELETE', `/deployments/${id}`)).body).toMatchObject({ status: 'DESTROYING' });
      expect(await becomes(id, 'DESTROYED')).toMatchObject({ status: 'DESTROYED', failure_reason: null });
      expect(
        await product.sql(
          `select 1 from sandbox_servers where state <> 'gone' and labels ->> 'deployment' = (select ref from deployments where id = $1)`,
          [id],
        ),
      ).toEqual([]);
    },
    300_000,
  );

  it('leaves no secret in the log', () => {
    expect(product.log()).not.toMatch(
      /Harbour-Light|clx1y2z3a4b5|sk-proj-0123|maxmind_0123|GOCSPX-0123|passkey-0123|PRIVATE KEY/,
    );
  });
});
