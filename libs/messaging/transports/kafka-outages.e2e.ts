import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Admin, Kafka, logLevel, type Message } from 'kafkajs';
import { boat, envelope, type Started, type TransportFixture, until, upTo } from '@moorage/testing/messaging';
import type { Envelope } from '../types';
import { adaptersOf, type Places } from '@moorage/testing/transports/adapters';
import { makeIdentity } from '@moorage/testing/transports/certificates';
import { type KafkaContainer, startKafka } from '@moorage/testing/transports/servers';
import { onTransports } from '@moorage/testing/transports/transports.suite';

/**
 * Long enough for the sweep, which takes a minute, and for a group of killed members, which takes some seconds more.
 */
const PATIENCE_MS = 150_000;
const TEST_MS = 2 * PATIENCE_MS;
const GROUP = 'moorage.billing';
const TOPIC = 'boat.events';

const clientOf = ({ inside }: KafkaContainer): Kafka =>
  new Kafka({ brokers: [...inside.brokers], logLevel: logLevel.NOTHING });

async function asAdmin<Result>(kafka: KafkaContainer, readAs: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = clientOf(kafka).admin();
  await admin.connect();
  try {
    return await readAs(admin);
  } finally {
    await admin.disconnect();
  }
}

async function put(kafka: KafkaContainer, topic: string, messages: Message[]): Promise<void> {
  const producer = clientOf(kafka).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    for (const message of messages) await producer.send({ topic, messages: [message] });
  } finally {
    await producer.disconnect();
  }
}

const untilEffects = ({ effects }: TransportFixture, id: string, count: number): Promise<void> =>
  until(async () => (await effects('billing', id)).length >= count, PATIENCE_MS);

const fineAgain = ({ transports }: Started): Promise<void> =>
  until(() => transports.events.health().reached && transports.events.health().trouble === null, PATIENCE_MS);

let kafka: KafkaContainer;
beforeAll(async () => {
  kafka = await startKafka();
}, TEST_MS);
afterAll(() => kafka.stop());

onTransports(
  'kafka, when it is not well',
  async (database) =>
    adaptersOf(database, { kafka: kafka.servers }, { cut: () => kafka.line.cut(), close: () => Promise.resolve() }),
  (fixture) => {
    const { own, start, effects, sql, reported } = fixture;

    it(
      'delivers everything once and in order when the broker is killed and restarted while events flow',
      async () => {
        const { append } = await start('billing one');
        await start('billing two');
        const boats = upTo(4).map((n) => own(`b${n}`));
        for (const n of upTo(30)) {
          await append(...boats.map((id) => boat(id, n)));
          if (n === 10) await kafka.kill();
          if (n === 20) await kafka.start();
        }
        for (const id of boats) {
          await untilEffects(fixture, id, 30);
          expect(await effects('billing', id)).toEqual(upTo(30));
        }
      },
      TEST_MS,
    );

    it(
      'starts without a broker, logs that, and continues when a broker appears',
      async () => {
        await kafka.kill();
        const billing = await start('billing');
        await billing.append(boat(own('b'), 1), boat(own('b'), 2));
        await until(() => billing.transports.events.health().trouble?.with === 'server', PATIENCE_MS);
        expect(billing.transports.events.health().reached).toBe(false);
        await kafka.start();
        await untilEffects(fixture, own('b'), 2);
        await fineAgain(billing);
        await billing.append(boat(own('b'), 3));
        await untilEffects(fixture, own('b'), 3);
        expect(await effects('billing', own('b'))).toEqual([1, 2, 3]);
      },
      TEST_MS,
    );

    it(
      'continues after a broker that froze for longer than the request timeout',
      async () => {
        const billing = await start('billing');
        await billing.append(boat(own('b'), 1));
        await untilEffects(fixture, own('b'), 1);
        await kafka.pause();
        try {
          await billing.append(boat(own('b'), 2));
          await until(() => billing.transports.events.health().trouble?.with === 'server', PATIENCE_MS);
        } finally {
          await kafka.unpause();
        }
        await untilEffects(fixture, own('b'), 2);
        await fineAgain(billing);
        await billing.append(boat(own('b'), 3));
        await untilEffects(fixture, own('b'), 3);
        expect(await effects('billing', own('b'))).toEqual([1, 2, 3]);
      },
      TEST_MS,
    );

    it(
      'detects connections that no longer deliver',
      async () => {
        const { append } = await start('billing');
        await append(boat(own('b'), 1));
        await untilEffects(fixture, own('b'), 1);
        kafka.line.silence();
        await append(boat(own('b'), 2));
        await untilEffects(fixture, own('b'), 2);
        expect(await effects('billing', own('b'))).toEqual([1, 2]);
      },
      TEST_MS,
    );

    it(
      'has each effect once and in order when every message is published three times in any order',
      async () => {
        const { append, transports } = await start('billing');
        const boats = upTo(3).map((n) => own(`b${n}`));
        await append(...upTo(10).flatMap((n) => boats.map((id) => boat(id, n))));
        for (const id of boats) await untilEffects(fixture, id, 10);
        const rows = await sql<{ envelope: Envelope }>(
          `select envelope from inbox, generate_series(1, 3) where consumer = 'billing' and aggregate_id = any($1) order by random()`,
          [boats],
        );
        expect(rows).toHaveLength(90);
        await transports.events.publish(rows.map((row) => row.envelope));
        await append(...boats.map((id) => boat(id, 11)));
        for (const id of boats) {
          await untilEffects(fixture, id, 11);
          expect(await effects('billing', id)).toEqual(upTo(11));
        }
      },
      TEST_MS,
    );

    it(
      'has each effect once when the topic is read again from its beginning',
      async () => {
        const before = await start('billing');
        await before.append(...upTo(20).map((n) => boat(own('b'), n)));
        await untilEffects(fixture, own('b'), 20);
        await before.stop();
        const ends = (): Promise<string[]> =>
          asAdmin(kafka, async (admin) => (await admin.fetchTopicOffsets(TOPIC)).map(({ high }) => high).sort());
        const places = (): Promise<string[]> =>
          asAdmin(kafka, async (admin) =>
            (await admin.fetchOffsets({ groupId: GROUP, topics: [TOPIC] }))
              .flatMap(({ partitions }) => partitions.map(({ offset }) => offset))
              .sort(),
          );
        await until(
          () =>
            asAdmin(kafka, (admin) => admin.resetOffsets({ groupId: GROUP, topic: TOPIC, earliest: true })).then(
              () => true,
              () => false, // the group is not empty yet
            ),
          PATIENCE_MS,
        );
        expect(await places()).not.toEqual(await ends());
        const { append } = await start('billing');
        await append(boat(own('b'), 21));
        await until(async () => {
          const read = (await places()).filter((place) => Number(place) > 0);
          return read.join() === (await ends()).filter((end) => Number(end) > 0).join();
        }, PATIENCE_MS);
        await untilEffects(fixture, own('b'), 21);
        expect(await effects('billing', own('b'))).toEqual(upTo(21));
      },
      TEST_MS,
    );

    it(
      'continues when its topic is deleted',
      async () => {
        const billing = await start('billing');
        await billing.append(boat(own('b'), 1));
        await untilEffects(fixture, own('b'), 1);
        await asAdmin(kafka, (admin) => admin.deleteTopics({ topics: [TOPIC] }));
        for (const n of upTo(3)) await billing.append(boat(own('b'), n + 1));
        await untilEffects(fixture, own('b'), 4);
        await until(() => asAdmin(kafka, async (admin) => (await admin.listTopics()).includes(TOPIC)), PATIENCE_MS);
        await fineAgain(billing);
        await billing.append(boat(own('b'), 5));
        await untilEffects(fixture, own('b'), 5);
        expect(await effects('billing', own('b'))).toEqual(upTo(5));
      },
      TEST_MS,
    );

    it(
      'skips messages that are not our events',
      async () => {
        const { append } = await start('billing');
        await append(boat(own('b'), 1));
        await untilEffects(fixture, own('b'), 1);
        const ours = { 'moorage-form': '1' };
        const whole = envelope(own('foreign'), 1);
        await put(kafka, TOPIC, [
          { key: own('b'), value: 'not even JSON' },
          { key: own('b'), value: null },
          { key: own('b'), value: '{"event_id": 7}', headers: ours },
          { key: own('b'), value: '[]', headers: ours },
          { key: own('b'), value: 'x'.repeat(1_000_000), headers: ours },
          { key: own('b'), value: JSON.stringify(whole), headers: { 'moorage-form': '99' } },
        ]);
        await append(boat(own('b'), 2));
        await untilEffects(fixture, own('b'), 2);
        expect(await effects('billing', own('b'))).toEqual([1, 2]);
        expect(await sql('select 1 from inbox where aggregate_id = $1', [own('foreign')])).toEqual([]);
        expect(JSON.stringify(reported)).not.toContain('not even JSON');
      },
      TEST_MS,
    );

    it(
      'delivers an event of the maximum size, and an unknown version blocks only its own aggregate',
      async () => {
        const { append } = await start('billing');
        await append({ ...boat(own('large'), 1), data: { text: 'ä'.repeat(130_000) } });
        await append(boat(own('new'), 1, 'boat.moved', 2), boat(own('new'), 2));
        await append(boat(own('b'), 1));
        for (const id of [own('large'), own('b')]) await untilEffects(fixture, id, 1);
        await until(
          async () =>
            (await sql('select 1 from inbox where aggregate_id = $1 and parked_at is not null', [own('new')])).length >
            0,
          PATIENCE_MS,
        );
        expect(await effects('billing', own('new'))).toEqual([]);
      },
      TEST_MS,
    );
  },
);

const others: Places = {};
onTransports(
  'kafka, with a topic that somebody else made',
  async (database) => adaptersOf(database, others, { cut: () => kafka.line.cut(), close: () => Promise.resolve() }),
  (fixture) => {
    it(
      'logs which settings differ, and delivers events anyway',
      async () => {
        Object.assign(others, { kafka: kafka.servers, prefix: 'theirs.' });
        await asAdmin(kafka, (admin) =>
          admin.createTopics({
            waitForLeaders: true,
            topics: [
              {
                topic: `theirs.${TOPIC}`,
                numPartitions: 1,
                configEntries: [
                  { name: 'cleanup.policy', value: 'compact' },
                  { name: 'max.message.bytes', value: '2000' },
                ],
              },
            ],
          }),
        );
        const { append, transports } = await fixture.start('billing');
        const id = fixture.own('b');
        await append({ ...boat(id, 1), data: { text: 'x'.repeat(5_000) } }, ...upTo(40).map((n) => boat(id, n + 1)));
        await untilEffects(fixture, id, 41);
        expect(await fixture.effects('billing', id)).toEqual(upTo(41));
        expect(transports.events.health().trouble).toEqual({
          with: 'topics',
          detail: expect.stringContaining('cleanup.policy=compact'),
        });
      },
      TEST_MS,
    );
  },
);

const MECHANISMS = ['scram-sha-512', 'plain'] as const;
for (const mechanism of MECHANISMS) {
  const places: Places = {};
  let guarded: KafkaContainer;
  onTransports(
    `kafka by ${mechanism} over TLS`,
    async (database) => {
      guarded = await startKafka({
        login: { mechanism, username: 'moorage', password: 'right-secret' },
        tls: await makeIdentity(),
      });
      return adaptersOf(database, places, { cut: () => guarded.line.cut(), close: () => guarded.stop() });
    },
    (fixture) => {
      const { own, start, effects, reported } = fixture;

      it.each([
        [
          'login',
          'a wrong password',
          async () => ({ ...guarded.servers, login: { mechanism, username: 'moorage', password: 'wrong-secret' } }),
        ],
        [
          'certificate',
          'another authority',
          async () => ({ ...guarded.servers, tls: { ca: (await makeIdentity()).ca } }),
        ],
        ['certificate', 'the public authorities alone', async () => ({ ...guarded.servers, tls: {} })],
      ] as const)(
        'logs %s with %s, and loses nothing until it is correct',
        async (trouble, _with, wrong) => {
          places.kafka = await wrong();
          const mistaken = await start('billing');
          await mistaken.append(boat(own('b'), 1), boat(own('b'), 2));
          await until(() => mistaken.transports.events.health().trouble?.with === trouble, PATIENCE_MS);
          expect(mistaken.transports.events.health().reached).toBe(false);
          await mistaken.stop();
          places.kafka = guarded.servers;
          const { append } = await start('billing');
          await append(boat(own('b'), 3));
          await untilEffects(fixture, own('b'), 3);
          expect(await effects('billing', own('b'))).toEqual([1, 2, 3]);
          expect(JSON.stringify(reported)).not.toContain('secret');
        },
        TEST_MS,
      );
    },
  );
}
