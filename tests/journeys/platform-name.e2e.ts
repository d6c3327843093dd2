import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { DeploymentAnswer, DeploymentDnsAnswer } from '@moorage/contracts';
import { chapters } from './chapters';
import { type Person, until } from './customer';
import { draftOf } from './first-deployment';
import { createPayingCustomer } from './paying-customer';
import { type Product, startProduct } from './product';

/** An order without a domain in the sandbox, as a newcomer places it. */
describe('deployment without an own domain', () => {
  let product: Product;
  let ada: Person;
  let id: number;
  const chapter = chapters(300_000, () => Promise.resolve(product.log().slice(-4_000)));
  beforeAll(async () => {
    product = await startProduct(['all-in-one']);
    ada = await createPayingCustomer(product, 'ada', 100);
  }, 300_000);
  afterAll(() => product.stop());

  const read = async (): Promise<DeploymentAnswer> =>
    (await ada.call<DeploymentAnswer>('GET', `/deployments/${id}`)).body;
  const reaches = (status: string, when: (one: DeploymentAnswer) => boolean = () => true) =>
    until(status, read, (one) => one.status === status && when(one), 120_000);

  chapter('becomes ready under a name of the platform', async () => {
    const order = { ...draftOf('ada'), domain: '', client_name: 'Harbour Shop' };
    const created = await ada.call<DeploymentAnswer>('POST', '/deployments/', order);
    expect([created.status, created.body.domain]).toEqual([201, 'harbour-shop.apps.sandbox.localhost']);
    id = created.body.id;
    await reaches('READY');
    const { body } = await ada.call<DeploymentDnsAnswer>('GET', `/deployments/${id}/dns`);
    expect(body).toMatchObject({ managed: true, all_right: true });
  });

  chapter('changes to an own domain', async () => {
    const changed = await ada.call('PUT', `/deployments/${id}/domain`, { domain: 'own.sandbox.localhost' });
    expect(changed.status).toBe(200);
    await reaches('READY', ({ domain }) => domain === 'own.sandbox.localhost');
    const { body } = await ada.call<DeploymentDnsAnswer>('GET', `/deployments/${id}/dns`);
    expect(body).toMatchObject({ managed: false, all_right: true });
  });

  chapter('can be deleted', async () => {
    expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
    await reaches('DESTROYED');
  });
});
