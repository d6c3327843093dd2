import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noonOffset } from '../journeys/first-deployment';
import { type Product, startProduct } from '../journeys/product';
import { type Customer, CANARY, customers, notExactlyOneServer, orderPangolin, untilAll } from './customers';
import { END_OF_STEP, holds, standsAt, STEPWISE, untilQuiet } from './deaths-leave';
import { hunt, huntIdle, stopped, told } from './kill';

let product: Product;
let ada: Customer;
let idle: string[];

beforeAll(async () => {
  product = await startProduct(['api', 'billing'], { LAB_CLOCK_OFFSET_MS: noonOffset() });
  [ada] = (await customers(product, 1)) as [Customer];
}, 120_000);
afterAll(() => product.stop());

describe('a provisioner killed on the way to READY', () => {
  it('has nothing to do: at everything that it looks at again and again', async () => {
    const began = performance.now();
    idle = await huntIdle(product, 'provisioner', 3_000);
    process.stderr.write(`idle ${idle.length} ${Math.round(performance.now() - began)} ms: ${idle.join(' ')}\n`);
  }, 120_000);

  it('at every checkpoint of every step: the next ones finish, and the cloud has seen one server', async () => {
    const began = performance.now();
    const id = await orderPangolin(ada, 'create');
    for (const proc of product.processes) await stopped(proc);
    const status = async (): Promise<string | undefined> =>
      (await product.sql<{ status: string }>('select status from deployments where id = $1', [id]))[0]?.status;
    const deaths = await hunt(product, {
      entry: 'provisioner',
      stepwise: STEPWISE,
      last: END_OF_STEP,
      known: idle.filter((name) => !STEPWISE.includes(name)),
      at: () => standsAt(product),
      over: async () => (await status()) === 'READY',
    });
    process.stderr.write(`create ${deaths.length} ${Math.round(performance.now() - began)} ms: ${told(deaths)}\n`);
    process.stderr.write(deaths.map(({ at, name }) => `${at}: ${name}`).join('\n'));
    await product.spawn('api');
    await product.spawn('billing');
    await product.spawn('provisioner');
    await untilAll(product, 'READY', 10_000);
    await untilQuiet(product);
    expect(await notExactlyOneServer(product)).toEqual([]);
    await holds(product, { canaries: [CANARY] });
    expect(product.log()).not.toMatch(/canary of the box|PRIVATE KEY/);
    process.stderr.write(`after ${Math.round(performance.now() - began)} ms\n`);
  }, 600_000);
});
