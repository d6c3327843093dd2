import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { LONG_MS } from './kill';

const CLIENTS = 12;
const SECONDS = 10;
const LIVE_EVERY_MS = 25;
const ANSWERED_MS = 250;
/** Header of a client in another network, whose limit the other clients do not use up. */
const NEIGHBOUR = { 'x-forwarded-for': '198.51.100.7' };

let product: Product;
beforeAll(async () => {
  product = await startProduct(['all-in-one'], { TRUSTED_PROXIES: '127.0.0.1' });
}, LONG_MS);
afterAll(() => product.stop(), LONG_MS);

interface Documents {
  readonly documents: readonly { readonly id: number }[];
}

/** S27. One customer's documents must not delay the responses of others. */
describe('documents requested by twelve clients of one account for ten seconds', () => {
  it(
    'leave the event loop free: 99 of 100 health checks respond within 250 ms',
    async () => {
      const ada = await createPayingCustomer(product, 'ada', 20);
      // A separate document for each round, so that there is always a document that has not been rendered yet.
      for (let payment = 0; payment < CLIENTS; payment++) {
        const { body } = await ada.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
          amount_cents: 500,
        });
        await ada.call('POST', `/stripe/test-checkout/${body.session_id}`, { outcome: 'pay' });
      }
      const { documents } = await until(
        'the receipts',
        async () => (await ada.call<Documents>('GET', '/billing/documents?per_page=100')).body,
        (found) => found.documents.length > CLIENTS,
      );
      let stopping = false;
      const statuses = new Map<number, number>();
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let round = 0; !stopping; round++) {
          const { id } = documents[(client + round) % documents.length] ?? { id: 0 };
          const { status } = await ada.call('GET', `/billing/documents/${id}/pdf`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const times: number[] = [];
      const began = performance.now();
      while (performance.now() - began < SECONDS * 1000) {
        const requested = performance.now();
        const live = await fetch(`${product.url}/api/health/live`, { headers: NEIGHBOUR });
        expect(live.status).toBe(200);
        times.push(performance.now() - requested);
        await new Promise((resolve) => setTimeout(resolve, LIVE_EVERY_MS));
      }
      stopping = true;
      await Promise.all(clients);
      times.sort((a, b) => a - b);
      const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
      process.stdout.write(
        `${times.length} health checks: median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; documents ${JSON.stringify([...statuses])}\n`,
      );
      expect(at(0.99)).toBeLessThan(ANSWERED_MS);
      expect([...statuses.keys()].sort()).toEqual([200, 429]);
    },
    LONG_MS,
  );
});
