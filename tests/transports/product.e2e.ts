import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type KafkaContainer, type RedisContainer, startKafka, startRedis } from '@moorage/testing/transports/servers';
import { type Customer, customers, order, serversOf, statusOf } from '../crash/customers';
import { eventuallyHolds } from '../crash/state-after-crash';
import { LONG_MS, stopped } from '../crash/kill';
import { stoppedAt } from '../crash/stopped-at';
import { firstDeployment, noonOffset } from '../journeys/first-deployment';
import { until } from '../journeys/customer';
import { type Entry, type Product, startProduct } from '../journeys/product';

/** Maximum time for another process to finish the work of a stopped process. A lease lasts half a minute. */
const TAKEN_OVER_MS = 180_000;
const STANDS_STILL_MS = 60_000;

let kafka: KafkaContainer;
let redis: RedisContainer;
let product: Product;

beforeAll(async () => {
  kafka = await startKafka({ login: { mechanism: 'scram-sha-512', username: 'moorage', password: 'kafka-canary' } });
  redis = await startRedis({ password: 'redis-canary' });
}, LONG_MS);
afterEach(async () => {
  for (const { child } of product.processes) child.kill('SIGCONT');
  await product.stop();
}, LONG_MS);
afterAll(async () => {
  await kafka.stop();
  await redis.stop();
}, LONG_MS);

async function start(entries: readonly Entry[]): Promise<void> {
  product = await startProduct(entries, {
    LAB_CLOCK_OFFSET_MS: noonOffset(),
    KAFKA_BROKERS: kafka.servers.brokers.join(),
    KAFKA_USERNAME: 'moorage',
    KAFKA_PASSWORD: 'kafka-canary',
    REDIS_URL: redis.server.url,
    REDIS_PASSWORD: 'redis-canary',
  });
}

const ready = (id: number, patience_ms?: number) =>
  until(
    'READY',
    () => statusOf(product, id),
    (status) => status === 'READY',
    patience_ms,
  );

/** The product as it is installed with Kafka and Redis, both of which require a password. */
describe('three processes on Kafka and Bull', () => {
  it(
    'take a user from sign-up to a destroyed deployment',
    async () => {
      await start(['api', 'provisioner', 'billing']);
      await firstDeployment(product, 'ada');
      expect(product.log()).toContain('"events":"kafka","work":"bull"');
      expect(product.log()).not.toMatch(/canary|correct horse|PRIVATE KEY|wait in the database/);
      expect(await product.ops('billing:audit')).toMatchObject({ code: 0 });
    },
    LONG_MS,
  );

  it(
    'continue and lose nothing when broker and Redis are killed during a run',
    async () => {
      await start(['api', 'provisioner', 'billing']);
      const [ada] = (await customers(product, [50_000])) as [Customer];
      const before = await order(ada, 'before');
      await until(
        'begun',
        () => statusOf(product, before),
        (status) => status !== 'PENDING',
      );
      await Promise.all([kafka.kill(), redis.kill()]);
      // Accepted nevertheless, and waits.
      const during = await order(ada, 'during');
      await Promise.all([kafka.start(), redis.start()]);
      for (const id of [before, during]) await ready(id, TAKEN_OVER_MS);
      expect(await serversOf(product, during)).toEqual({ seen: 1, living: 1 });
      expect(product.log()).toMatch(/"KAFKA_BROKERS: [^"]+; events wait in the database"/);
      expect(product.log()).toMatch(/"REDIS_URL: [^"]+; work waits in the database"/);
      expect(product.log()).not.toMatch(/canary/);
      await eventuallyHolds(product);
    },
    LONG_MS,
  );

  it(
    'finish the work of a provisioner that freezes for a minute and resumes without harm',
    async () => {
      await start(['api', 'provisioner', 'billing']);
      const first = product.processes.find(({ entry }) => entry === 'provisioner');
      if (first === undefined) throw new Error('no provisioner');
      const [ada] = (await customers(product, [50_000])) as [Customer];
      const id = await stoppedAt({ product, process: first, customer: ada }, 'create-server');
      const stood = Date.now();
      const second = await product.spawn('provisioner');
      await ready(id, TAKEN_OVER_MS);
      await new Promise((resolve) => setTimeout(resolve, stood + STANDS_STILL_MS - Date.now()));
      first.child.kill('SIGCONT');
      await stopped(second);
      const another = await order(ada, 'after');
      await ready(another, TAKEN_OVER_MS);
      for (const one of [id, another]) expect(await serversOf(product, one)).toEqual({ seen: 1, living: 1 });
      await eventuallyHolds(product);
    },
    LONG_MS,
  );
});
