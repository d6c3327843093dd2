import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, MALFORMED } from './malformed';
import { type Product, startProduct } from './product';

describe.each(['all-in-one', 'api'] as const)('built product as %s', (process) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct([process]);
  }, 120_000);
  afterAll(() => product.stop());

  it.each(MALFORMED.map((request) => [request.what, request] as const))(
    'rejects %s with a message',
    async (_, request) => {
      expect(await faultsOf(product.url, request)).toEqual([]);
    },
  );
});
