import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { DeploymentAnswer, SignInAnswer, VpsCheckAnswer } from '@moorage/contracts';
import { chapters } from './chapters';
import { type Person, until } from './customer';
import { draftOf } from './first-deployment';
import { createPayingCustomer } from './paying-customer';
import { type Product, startProduct } from './product';

const ADDRESS = '198.19.200.7';

/** An order on a simulated own server in the sandbox, from its check to its release. */
describe('simulated own server', () => {
  let product: Product;
  let ada: Person;
  let bert: Person;
  let id: number;
  const chapter = chapters(300_000, () => Promise.resolve(product.log().slice(-4_000)));
  beforeAll(async () => {
    product = await startProduct(['all-in-one']);
    ada = await createPayingCustomer(product, 'ada', 100);
    bert = await createPayingCustomer(product, 'bert', 0);
  }, 300_000);
  afterAll(() => product.stop());

  const check = (who: Person, ip_address: string) =>
    who.call<VpsCheckAnswer & { code?: string }>('POST', '/servers/validate-vps', { ip_address });
  const reaches = (status: string) =>
    until(
      status,
      async () => (await ada.call<DeploymentAnswer>('GET', `/deployments/${id}`)).body,
      (one) => one.status === status,
    );
  const machine = async () =>
    (
      await product.sql<{ keys: string; projects: object }>(
        `select convert_from(decode(host #>> '{files,/root/.ssh/authorized_keys,data}', 'base64'), 'UTF8') as keys,
           host -> 'projects' as projects from sandbox_servers where address = $1::inet`,
        [ADDRESS],
      )
    )[0];

  chapter('passes the check of the customer who uses it first, and of nobody else', async () => {
    const passed = await check(ada, ADDRESS);
    expect([passed.status, passed.body.state]).toEqual([200, 'passed']);
    expect(passed.body.results.map(({ name, level }) => `${name} ${level}`)).toEqual(
      expect.arrayContaining(['connectivity ok', 'key ok', 'in_use ok']),
    );
    expect((await check(bert, ADDRESS)).body.code).toBe('VPS_REFUSED');
    // Addresses of simulated providers are no own servers.
    expect((await check(ada, '198.19.7.7')).body.code).toBe('FIELDS_INVALID');
  });

  chapter('becomes ready and says that it is simulated', async () => {
    const { cloud_provider: _, region: __, instance_type: ___, ...draft } = draftOf('ada');
    const order = { ...draft, server_type: 'vps', vps_ip_address: ADDRESS };
    const created = await ada.call<DeploymentAnswer>('POST', '/deployments/', order);
    expect([created.status, created.body.sandbox]).toEqual([201, true]);
    id = created.body.id;
    const { sign_in } = (await reaches('READY')) as DeploymentAnswer & { sign_in: SignInAnswer[] };
    const page = await fetch(sign_in[0]?.open_link ?? '', { headers: { accept: 'text/html' } }).catch(() => null);
    // Not every machine resolves names below .localhost.
    if (page !== null) expect(page.status).toBe(200);
    expect(sign_in[0]?.open_link).toMatch(/^http:\/\/.*ada\.sandbox\.localhost:/);
  });

  chapter('restarts', async () => {
    const restarted = await ada.call<DeploymentAnswer>('POST', `/deployments/${id}/restart`);
    expect([restarted.status, restarted.body.status]).toEqual([200, 'RESTARTING']);
    await reaches('READY');
  });

  chapter('is left as it was', async () => {
    expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
    await reaches('DESTROYED');
    expect(await machine()).toEqual({ keys: '', projects: {} });
  });
});
