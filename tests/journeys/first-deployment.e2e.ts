import { describe, expect, it } from '@jest/globals';
import { firstDeployment, linesOf, noonOffset } from './first-deployment';
import { type Entry, type Product, startProduct } from './product';

const ARRANGEMENTS: readonly (readonly [string, readonly Entry[]])[] = [
  ['everything in one process', ['all-in-one']],
  ['three processes on PostgreSQL alone', ['api', 'provisioner', 'billing']],
  ['two provisioners and two billing runners', ['api', 'provisioner', 'provisioner', 'billing', 'billing']],
];

const SHAPE = {
  level: expect.stringMatching(/^(info|warn)$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  service: expect.any(String),
  message: expect.any(String),
};

describe('from sign-up to a destroyed deployment', () => {
  it.each(ARRANGEMENTS)(
    'works with %s',
    async (_, entries) => {
      const product = await startProduct(entries, { LAB_CLOCK_OFFSET_MS: noonOffset() });
      try {
        await firstDeployment(product, 'ada');
        // Secrets of a run never reach a log, and every invariant of the ledger holds.
        expect(product.log()).not.toMatch(/correct horse|PRIVATE KEY/);
        for (const line of linesOf(product)) expect(line).toMatchObject(SHAPE);
        if (!entries.includes('all-in-one'))
          expect(linesOf(product)).toHaveLength(product.log().trim().split('\n').length);
        expect(await product.ops('billing:audit')).toMatchObject({ code: 0 });
        await endsCleanly(product);
      } finally {
        await product.stop();
      }
    },
    600_000,
  );
});

async function endsCleanly(product: Product): Promise<void> {
  for (const { child } of product.processes) child.kill('SIGTERM');
  expect(await Promise.all(product.processes.map((proc) => proc.ended))).toEqual(product.processes.map(() => 0));
}
