import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Customer, customers, order, serversOf, statusOf } from '../crash/customers';
import { eventuallyHolds } from '../crash/state-after-crash';
import { LONG_MS } from '../crash/kill';
import { until } from '../journeys/customer';
import { type Stack, type StackService, startStack } from './stack';

/** Maximum time for another process to take over. A lease lasts half a minute, a lock of Bull a little longer. */
const TAKEN_OVER_MS = 240_000;

let stack: Stack;
let ada: Customer;
beforeAll(async () => {
  stack = await startStack({ scale: { provisioner: 2 } });
  [ada] = (await customers(stack, [90_000])) as [Customer];
}, LONG_MS);
afterAll(() => stack?.stop(), LONG_MS);

const becomes = (wanted: string, id: number): Promise<string | undefined> =>
  until(
    wanted,
    () => statusOf(stack, id),
    (status) => status === wanted,
    TAKEN_OVER_MS,
  );

describe('Docker stack with a service killed in the middle of a deployment', () => {
  it.each<StackService[][]>([
    [['api']],
    [['provisioner']],
    [['billing']],
    [['redis']],
    [['kafka']],
    [['postgres']],
    [['gateway']],
    [['kafka', 'provisioner']],
  ])(
    '%j: completes the deployment',
    async (services) => {
      const id = await order(ada, services.join('-'));
      await until(
        'begun',
        () => statusOf(stack, id),
        (status) => status !== 'CREATING',
      );
      await stack.kill(...services);
      await becomes('READY', id);
      expect(await serversOf(stack, id)).toEqual({ seen: 1, living: 1 });
      await stack.healthy();
      const deleted = await ada.call('DELETE', `/deployments/${id}`);
      expect(deleted.status).toBe(200);
      await stack.kill(...services);
      await becomes('DESTROYED', id);
      expect(await serversOf(stack, id)).toEqual({ seen: 1, living: 0 });
      await stack.healthy();
    },
    LONG_MS,
  );

  it(
    'handles every event and leaves a balanced ledger in the end',
    async () => {
      await eventuallyHolds(stack);
      expect(await stack.ops('billing:audit', '--whole')).toMatchObject({ code: 0 });
      expect(stack.log()).not.toMatch(/"level":"fatal"/);
    },
    LONG_MS,
  );
});
