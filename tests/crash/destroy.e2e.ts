import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../journeys/product';
import { type Customer, customers, order, serversOf, statusOf, untilAll } from './customers';
import { END_OF_STEP, expectDeaths, eventuallyHolds, standsAt, STEPWISE } from './state-after-crash';
import { doomed, hunt, huntIdle, lifeOf, LONG_MS, PATIENCE_MS, startProductToKill, stopped } from './kill';
import { APPEARANCES } from './places';

const STEPS = ['remove-stack', 'delete-server', 'confirm'].map((step) => `destroy ${step}`);
/** Longer than any of its polling intervals. */
const QUIET_MS = 2_500;

let product: Product;
let ada: Customer;
let id: number;

beforeAll(async () => {
  product = await startProductToKill();
  [ada] = (await customers(product, [2_000])) as [Customer];
  id = await order(ada, 'destroy');
  await untilAll(product, 'READY', 60_000);
  await eventuallyHolds(product);
  for (const proc of product.processes) await stopped(proc);
}, LONG_MS);
afterAll(() => product.stop());

describe('deactivated deployment', () => {
  it(
    'is unchanged by a provisioner that dies at any read-only point',
    async () => {
      const comparisonDue = `update work set due_at = created_at, leased_until = null where kind = 'reconcile-servers'`;
      const names = await huntIdle(product, lifeOf(product, 'provisioner', QUIET_MS), () => product.sql(comparisonDue));
      process.stdout.write(`idle: killed ${names.length} times\n`);
      expect(APPEARANCES.filter((name) => !names.includes(name))).toEqual([]);
      expect(names.length).toBeGreaterThanOrEqual(26);
      expect(await statusOf(product, id)).toBe('READY');
    },
    LONG_MS,
  );

  it(
    'stops costing once when the client repeats a request after the api was killed',
    async () => {
      const path = `/deployments/${id}`;
      const before = await doomed(product, 'api', 'deployments.delete');
      await expect(ada.call('DELETE', path)).rejects.toThrow();
      expect(await before.ended).toBe('SIGKILL');
      expect(await statusOf(product, id)).toBe('READY');

      const after = await doomed(product, 'api', 'deployments.delete.committed');
      await expect(ada.call('DELETE', path)).rejects.toThrow();
      expect(await after.ended).toBe('SIGKILL');
      expect(await statusOf(product, id)).toBe('DESTROYING');

      const api = await product.spawn('api');
      const again = await ada.call<{ detail: string }>('DELETE', path);
      expect([again.status, again.body.detail]).toEqual([409, 'Cannot modify during deactivation']);
      expect((await ada.call<{ status: string }>('GET', path)).body.status).toBe('DESTROYING');
      await stopped(api);
      await expectOneDeletion();
    },
    LONG_MS,
  );

  it(
    'is DESTROYED without leftovers at the cloud however often the provisioner is killed',
    async () => {
      const deaths = await hunt(product, {
        life: lifeOf(product, 'provisioner', PATIENCE_MS),
        stepwise: STEPWISE,
        last: END_OF_STEP,
        known: APPEARANCES,
        at: () => standsAt(product),
        over: async () => (await statusOf(product, id)) === 'DESTROYED',
      });
      expectDeaths(deaths, 'destroy', { atLeast: 38, steps: STEPS });

      await product.spawn('all-in-one');
      await eventuallyHolds(product);
      expect(await serversOf(product, id)).toEqual({ seen: 1, living: 0 });
      expect(await product.sql(`select 1 from secrets where owner = $1`, [`deployment:${id}`])).toEqual([]);
      await expectOneDeletion();
      const listed = (await ada.call('GET', '/deployments')).body;
      expect(listed).toMatchObject([{ id, status: 'DESTROYED', status_label: 'Disabled' }]);
    },
    LONG_MS,
  );
});

/** Checks that there was one removal request, and one refund of the remaining whole hours. */
async function expectOneDeletion(): Promise<void> {
  expect(
    await product.sql(`select event_name from outbox where event_name = 'deployment.deletion_requested'`),
  ).toHaveLength(1);
  const posted = await product.sql<{ type: string }>(
    'select type from ledger_transactions where deployment_id = $1 order by id',
    [id],
  );
  expect(posted.map(({ type }) => type)).toEqual(['charge', 'refund']);
}
