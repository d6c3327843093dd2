import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noonOffset } from '../journeys/first-deployment';
import { until } from '../journeys/customer';
import { type Proc, type Product, startProduct } from '../journeys/product';
import { type Customer, customers, order, serversOf, statusOf, untilAll } from './customers';
import { eventuallyHolds } from './state-after-crash';
import { LONG_MS, stopped } from './kill';
import { stoppedAt } from './stopped-at';

/** Maximum time for another process to finish the work of a stopped process. A lease lasts half a minute. */
const TAKEN_OVER_MS = 180_000;

let product: Product;
let ada: Customer;
let first: Proc;

beforeAll(async () => {
  product = await startProduct(['api', 'billing', 'provisioner'], { LAB_CLOCK_OFFSET_MS: noonOffset() });
  [first] = product.processes.filter(({ entry }) => entry === 'provisioner') as [Proc];
  [ada] = (await customers(product, [50_000])) as [Customer];
}, LONG_MS);
afterAll(async () => {
  first.child.kill('SIGCONT');
  await product.stop();
}, LONG_MS);

/**
 * F14. The operating system stops a process in the middle of a step for longer than its lease, and then continues it.
 */
describe('provisioner that freezes in the middle of a step', () => {
  it.each(['create-server', 'upload-stack', 'start-stack'])(
    'is replaced at %s by another one, and its late work has no effect',
    async (step) => {
      const id = await stoppedAt({ product, process: first, customer: ada }, step);
      const second = await product.spawn('provisioner');
      await until(
        'READY',
        () => statusOf(product, id),
        (status) => status === 'READY',
        TAKEN_OVER_MS,
      );
      // The results of the stopped process come too late, and then it continues to work normally.
      first.child.kill('SIGCONT');
      await stopped(second);
      const another = await order(ada, `after-${step}`);
      await until(
        'READY',
        () => statusOf(product, another),
        (status) => status === 'READY',
        TAKEN_OVER_MS,
      );
      expect([await serversOf(product, id), await serversOf(product, another)]).toEqual([
        { seen: 1, living: 1 },
        { seen: 1, living: 1 },
      ]);
      const timeline = await ada.call<{ step: string; outcome: string }[]>('GET', `/deployments/${id}/steps`);
      const done = timeline.body.filter(({ outcome }) => outcome === 'done').map((row) => row.step);
      expect(done).toContain(step);
      expect(new Set(done).size).toBe(done.length);
    },
    LONG_MS,
  );

  it(
    'leaves ledger and invariants intact',
    async () => {
      await untilAll(product, 'READY', 10_000);
      await eventuallyHolds(product);
    },
    LONG_MS,
  );
});
