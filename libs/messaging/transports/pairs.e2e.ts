import { type KafkaContainer, type RedisContainer, startKafka, startRedis } from '@moorage/testing/transports/servers';
import { adaptersOf } from '@moorage/testing/transports/adapters';
import { transportsSuite } from '@moorage/testing/transports/transports.suite';

/** Runs the suite on every pair that uses a real server besides PostgreSQL. All behave like the pair on PostgreSQL. */
for (const [events, work] of [
  ['kafka', 'postgres'],
  ['postgres', 'bull'],
  ['kafka', 'bull'],
] as const) {
  transportsSuite(`${events} + ${work}`, async (database) => {
    const kafka: KafkaContainer | undefined = events === 'kafka' ? await startKafka() : undefined;
    const redis: RedisContainer | undefined = work === 'bull' ? await startRedis() : undefined;
    return adaptersOf(
      database,
      {
        ...(kafka === undefined ? {} : { kafka: kafka.servers }),
        ...(redis === undefined ? {} : { redis: redis.server }),
      },
      {
        cut() {
          kafka?.line.cut();
          redis?.line.cut();
        },
        async close() {
          await kafka?.stop();
          await redis?.stop();
        },
      },
    );
  });
}
