import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../journeys/product';
import { type Customer, customers, order, serversOf, statusOf, untilAll } from './customers';
import { END_OF_STEP, expectDeaths, eventuallyHolds, standsAt, STEPWISE } from './state-after-crash';
import { type Death, doomed, hunt, lifeOf, LONG_MS, PATIENCE_MS, startProductToKill, stopped } from './kill';
import { APPEARANCES } from './places';

const STEPS = [
  'create-server',
  'wait-for-ssh',
  'preflight',
  'bootstrap',
  'upload-stack',
  'start-stack',
  'check-health',
  'validate-dns',
  'issue-certificate',
  'finish',
].map((step) => `create ${step}`);

let product: Product;
let ada: Customer;

beforeAll(async () => {
  product = await startProductToKill();
  [ada] = (await customers(product, [2_000])) as [Customer];
  for (const proc of product.processes) await stopped(proc);
}, LONG_MS);
afterAll(() => product.stop());

describe('order', () => {
  let id: number;

  it(
    'is placed once when repeated after the api was killed before or after the commit',
    async () => {
      const before = await doomed(product, 'api', 'deployments.create');
      await expect(order(ada, 'create')).rejects.toThrow();
      expect(await before.ended).toBe('SIGKILL');
      expect(await product.sql('select 1 from deployments')).toHaveLength(0);

      const after = await doomed(product, 'api', 'deployments.create.committed');
      await expect(order(ada, 'create')).rejects.toThrow();
      expect(await after.ended).toBe('SIGKILL');
      const [created] = await product.sql<{ id: number }>('select id from deployments');

      const api = await product.spawn('api');
      id = await order(ada, 'create');
      expect(id).toBe(created?.id);
      await stopped(api);
      expect(await product.sql(`select 1 from outbox where event_name = 'deployment.created'`)).toHaveLength(1);
    },
    LONG_MS,
  );

  it(
    'becomes READY with one server however often the provisioner is killed',
    async () => {
      const deaths: Death[] = await hunt(product, {
        life: lifeOf(product, 'provisioner', PATIENCE_MS),
        stepwise: STEPWISE,
        last: END_OF_STEP,
        known: APPEARANCES,
        at: () => standsAt(product),
        over: async () => (await statusOf(product, id)) === 'READY',
      });
      expectDeaths(deaths, 'create', { atLeast: 75, steps: STEPS });

      await product.spawn('all-in-one');
      await untilAll(product, 'READY', 10_000);
      await eventuallyHolds(product);
      expect(await serversOf(product, id)).toEqual({ seen: 1, living: 1 });
      const charges = await product.sql(`select deployment_id from ledger_transactions where type = 'charge'`);
      expect(charges).toEqual([{ deployment_id: id }]);
    },
    LONG_MS,
  );
});
