import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkInvariants } from '@moorage/testing';
import { type Product, startProduct } from '../journeys/product';
import { noonOffset } from '../journeys/first-deployment';
import { type Customer, customers, notExactlyOneServer, orderPangolin, untilAll } from './customers';
import { killedAtAll, placesOf, recorded, stopped } from './kill';

/** Of these every passing is one step of the run. */
export const STEPWISE = [
  'work.claim.committed',
  'run.begin.committed',
  'work.finish',
  'work.finish.effected',
  'work.finish.committed',
];
const LEASE_AND_MORE_MS = 150_000;

let product: Product;
let people: Customer[];

beforeAll(async () => {
  product = await startProduct(['api', 'billing'], { LAB_CLOCK_OFFSET_MS: noonOffset() });
  people = await customers(product, 12);
}, 120_000);
afterAll(() => product.stop());

describe('a provisioner killed on the way to READY', () => {
  it('at every checkpoint it passes: the run finishes after the restart, and the cloud has seen one server for each', async () => {
    let ordered = 0;
    const order = () => orderPangolin(people[ordered % people.length]!, `create-${++ordered}`);

    const first = await recorded(product, 'provisioner');
    await order();
    await untilAll(product, 'READY', 60_000);
    const places = placesOf(await first.passed(), STEPWISE);
    await stopped(first.proc);
    expect(places.length).toBeGreaterThan(40);

    process.stderr.write(`${places.length} places\n${[...new Set(places.map(({ name }) => name))].join(' ')}\n`);
    expect(await killedAtAll(product, 'provisioner', places, order)).toEqual([]);

    await product.spawn('provisioner');
    await untilAll(product, 'READY', LEASE_AND_MORE_MS);
    expect(await notExactlyOneServer(product)).toEqual([]);
    await checkInvariants(product, { now: await nowOf(product), moment: 'always' });
    expect(product.log()).not.toMatch(/canary of the box|PRIVATE KEY/);
    process.stdout.write(
      `killed at ${places.length} places of create: ${[...new Set(places.map(({ name }) => name))].join(', ')}\n`,
    );
  }, 600_000);
});

async function nowOf(product: Product): Promise<number> {
  const [row] = await product.sql<{ at: string }>(
    `select extract(epoch from max(occurred_at)) * 1000 as at from outbox`,
  );
  return Math.round(Number(row?.at ?? 0));
}
