import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { type Service, SERVICES } from '@moorage/database';
import {
  BullWorkTransport,
  KafkaEventTransport,
  type Envelope,
  type EventTransport,
  type WorkTransport,
} from '@moorage/messaging';
import { startKafkaOf, startRedisOf } from '@moorage/testing/transports/servers';
import { type Db, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { stackFiles } from './stack-files';

const LONG_MS = 300_000;
const PATIENCE_MS = 120_000;
const clock = systemClock();
const { secrets } = stackFiles({ mode: 'demo', answers: {}, random: systemRandom() });

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = await database.open();
});
afterAll(() => database.drop());

async function until<T>(what: string, prompt: () => Promise<T>, wanted: (value: T) => boolean): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!wanted(await prompt())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

describe('Redis of the Docker stack', () => {
  let redis: Awaited<ReturnType<typeof startRedisOf>>;
  const opened: WorkTransport[] = [];
  beforeAll(async () => {
    redis = await startRedisOf(secrets['redis.conf'] ?? '');
  }, LONG_MS);
  afterAll(async () => {
    for (const transport of opened) await transport.close();
    await redis.stop();
  }, LONG_MS);

  const transportOf = (service: Service): WorkTransport => {
    const transport = new BullWorkTransport({
      db,
      clock,
      server: {
        url: redis.url.replace('redis://', `redis://${service}@`),
        password: secrets[`redis_password_${service}`] ?? '',
      },
    });
    opened.push(transport);
    return transport;
  };
  /** Returns Redis' response to a command of a service. */
  const run = (service: Service, ...command: string[]): Promise<string> =>
    redis.cli([
      '--user',
      service,
      '--pass',
      secrets[`redis_password_${service}`] ?? '',
      '--no-auth-warning',
      ...command,
    ]);

  it.each<[string, Service, string, Service]>([
    ['its own work to the provisioner', 'provisioner', 'run', 'provisioner'],
    ['the check of a server from the api to the provisioner', 'api', 'check-vps', 'provisioner'],
    ['its own work to the api', 'api', 'send-mail', 'api'],
  ])('brings %s', async (_, caller, kind, worker) => {
    const arrived: string[] = [];
    const from = transportOf(caller);
    await transportOf(worker).listen(kind, 1, async (key) => void arrived.push(key));
    await until(
      'Redis',
      () => Promise.resolve(from.health().reached),
      (reached) => reached,
    );
    await from.signal(kind, 'now', clock.localNow());
    await from.signal(kind, 'soon', clock.localNow() + 500);
    await until(
      'the work',
      () => Promise.resolve([...arrived].sort().join()),
      (keys) => keys === 'now,soon',
    );
  });

  it('responds to billing, which has no work', async () => {
    const billing = transportOf('billing');
    await until(
      'Redis',
      () => Promise.resolve(billing.health()),
      ({ reached, trouble }) => reached && trouble === null,
    );
  });

  it.each<[string, Service, string[]]>([
    ['read the queue of outgoing emails', 'provisioner', ['lrange', 'moorage:send-mail:wait', '0', '-1']],
    ['queue an email', 'provisioner', ['lpush', 'moorage:send-mail:wait', '1']],
    ['start a run', 'api', ['lpush', 'moorage:run:wait', '1']],
    ['start a run', 'billing', ['lpush', 'moorage:run:wait', '1']],
    ['read a queue', 'billing', ['lrange', 'moorage:run:wait', '0', '-1']],
    ['store its own keys', 'api', ['set', 'mine', '1']],
    ['list all keys', 'api', ['keys', '*']],
    ['delete everything', 'provisioner', ['flushall']],
    ['change the server configuration', 'api', ['config', 'set', 'requirepass', '']],
    ['publish to other queues', 'provisioner', ['publish', 'moorage:send-mail:delayed', '1']],
  ])('does not let it %s: %s', async (_, service, command) => {
    expect(await run(service, ...command)).toContain('NOPERM');
  });

  it('lets the queue board of the api read every queue', async () => {
    expect(await run('api', 'lrange', 'moorage:run:wait', '0', '-1')).not.toContain('NOPERM');
  });
});

describe('Kafka of the Docker stack', () => {
  let kafka: Awaited<ReturnType<typeof startKafkaOf>>;
  const opened: EventTransport[] = [];
  const arrived = { api: new Set<string>(), provisioner: new Set<string>(), billing: new Set<string>() };
  beforeAll(async () => {
    kafka = await startKafkaOf({
      properties: secrets['kafka.properties'] ?? '',
      admin: secrets['kafka-admin.properties'] ?? '',
      access: readFileSync('infra/docker/kafka/access.sh', 'utf8'),
    });
  }, LONG_MS);
  afterAll(async () => {
    for (const transport of opened) await transport.close();
    await kafka.stop();
  }, LONG_MS);

  const transportOf = (service: Service): EventTransport => {
    const transport = new KafkaEventTransport({
      db,
      clock,
      servers: {
        brokers: kafka.brokers,
        login: { mechanism: 'plain', username: service, password: secrets[`kafka_password_${service}`] ?? '' },
      },
    });
    opened.push(transport);
    return transport;
  };
  const envelope = (stream: string, n: number): Envelope => ({
    event_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    stream,
    event_name: `${stream}.tried`,
    version: 1,
    occurred_at: '2026-12-01T00:00:00.000Z',
    aggregate_id: '1',
    sequence: n,
    correlation_id: 'c',
    data: {},
  });

  let subscribing: Promise<void> | undefined;
  /**
   * Runs within a test, because Jest does not allow modules, such as the Kafka client, to load after a hook has ended.
   */
  const subscribed = (): Promise<void> => (subscribing ??= subscribeAll());
  async function subscribeAll(): Promise<void> {
    for (const service of SERVICES)
      await transportOf(service).subscribe(service, [...SUBSCRIPTIONS[service]], async (envelopes) => {
        for (const { stream, sequence } of envelopes) arrived[service].add(`${stream} ${sequence}`);
      });
  }

  /** Retries until the topics exist. */
  const publish = (from: EventTransport, envelopes: Envelope[]): Promise<boolean> =>
    until(
      'the brokers',
      () =>
        from.publish(envelopes).then(
          () => true,
          () => false,
        ),
      (published) => published,
    );
  const arrival = (service: Service, what: string): Promise<boolean> =>
    until(
      `${what} at the ${service}`,
      () => Promise.resolve(arrived[service].has(what)),
      (has) => has,
    );

  // Runs before a member that is subscribed to its own streams leads the group.
  it.each<[string, Service, string, Service, string]>([
    ['a stream it may only publish to', 'billing', 'payment', 'billing', 'READ .*Topic:LITERAL:payment.events'],
    ['a stream that is not its own', 'provisioner', 'payment', 'provisioner', '.*Topic:LITERAL:payment.events'],
    ["another service's offset in a stream", 'provisioner', 'deployment', 'api', '.*Group:LITERAL:moorage.api'],
  ])(
    'does not let it read %s: %s',
    async (_, service, stream, group, operation) => {
      const read: Envelope[] = [];
      const reader = transportOf(service);
      await publish(transportOf('api'), [envelope(stream, 10 + opened.length)]);
      await reader.subscribe(group, [stream], async (envelopes) => void read.push(...envelopes));
      await until(
        'the refusal',
        () => kafka.exec(['cat', '/tmp/broker.log']),
        (log) => new RegExp(`User:${service} is Denied operation = ${operation}`).test(log),
      );
      await reader.close();
      expect(read).toEqual([]);
    },
    LONG_MS,
  );

  it.each(['api', 'billing'] as const)(
    'delivers publications of the %s to every subscribed service',
    async (publisher) => {
      await subscribed();
      const n = SERVICES.indexOf(publisher) + 1;
      await publish(transportOf(publisher), [envelope('deployment', n), envelope('payment', n)]);
      for (const service of SERVICES) await arrival(service, `deployment ${n}`);
      await arrival('api', `payment ${n}`);
    },
    LONG_MS,
  );

  it('does not let the provisioner publish', async () => {
    for (const stream of ['deployment', 'payment'])
      await expect(transportOf('provisioner').publish([envelope(stream, 9)])).rejects.toThrow();
  });
});
