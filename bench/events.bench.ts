import { loginUrl, migrate, setLogins } from '@moorage/database';
import {
  type EventHandlers,
  KafkaEventTransport,
  Messaging,
  Outbox,
  PgNotify,
  PostgresWorkTransport,
  type Envelope,
  type NewEvent,
} from '@moorage/messaging';
import { type Db, PostgresDb, startEmbeddedPostgres, systemClock, systemRandom } from '@moorage/server';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openRawKafka, type RawKafka } from './events/raw-kafka';

/**
 * Measures events through Kafka against kafkajs alone, on the same broker and in the same process, alternating.
 *
 * KAFKA_BROKERS=127.0.0.1:9092 npm run bench:events
 *
 * Latency is the time from the commit of an event to the start of its handler, compared with one NOTIFY and with one
 * message produced and consumed. Relay is the number of outbox events sent and marked per second, compared with the
 * same envelopes sent in batches of the same size.
 */
const brokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');
if (brokers.length === 0) {
  console.error('KAFKA_BROKERS is not set: it names the broker to measure with.');
  process.exit(2);
}
const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };
const ROUNDS = 5;
const SAMPLES = 200;
const EVENTS = 10_000;
const BATCH = 500;
const LATENCY_MAX = 1.5;
const RELAY_MIN = 0.8;
const prefix = `bench-${process.pid}.`;
const TEXT = 'x'.repeat(200);
const ENVELOPE: Envelope = {
  event_id: '00000000-0000-4000-8000-000000000001',
  stream: 'boat',
  event_name: 'boat.moved',
  version: 1,
  occurred_at: '2026-12-01T00:00:00.000Z',
  aggregate_id: 'latency',
  sequence: 1,
  correlation_id: '00000000-0000-4000-8000-000000000001',
  data: { n: 1, text: TEXT },
};
const VALUE = JSON.stringify(ENVELOPE);

const folder = await mkdtemp(join(tmpdir(), 'moorage-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ folder, database: 'bench' });
const clock = systemClock();
const random = systemRandom();
const closes: (() => Promise<unknown>)[] = [];
try {
  await measure();
} finally {
  for (const close of closes.reverse()) await close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  await migrate(postgres.url);
  await setLogins(postgres.url, PASSWORDS, random);
  const raw = await openRawKafka(brokers, `${prefix}raw`);
  closes.push(() => raw.close());
  const notify = await notifier();
  let started: (sequence: number) => void = () => undefined;
  const api = await service('api', {});
  await service('billing', { 'boat.moved': async (_tx, { sequence }) => started(sequence) });
  await api.messaging.start();

  async function ours(): Promise<number> {
    const handled = new Promise<void>((resolve) => (started = () => resolve()));
    await api.append([boat('latency', 0)]);
    const committed = performance.now();
    await handled;
    return performance.now() - committed;
  }

  async function reference(): Promise<number> {
    const began = performance.now();
    await notify();
    const heard = new Promise<void>((resolve) => raw.heard(() => resolve()));
    await raw.producer.send({ topic: raw.topic, acks: -1, messages: [{ key: 'latency', value: VALUE }] });
    await heard;
    return performance.now() - began;
  }

  const latencies = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const which of round % 2 === 0 ? (['ours', 'reference'] as const) : (['reference', 'ours'] as const))
      for (let sample = 0; sample < SAMPLES; sample++) {
        const took = await (which === 'ours' ? ours() : reference());
        if (round > 0) latencies[which].push(took);
        await clock.sleep(2 + random.fraction() * 8);
      }
  await api.messaging.stop();
  const p50 = { ours: quantile(latencies.ours, 0.5), reference: quantile(latencies.reference, 0.5) };
  console.log(
    `latency   ours p50 ${p50.ours.toFixed(2)} ms, p99 ${quantile(latencies.ours, 0.99).toFixed(2)} ms; reference p50 ${p50.reference.toFixed(2)} ms, p99 ${quantile(latencies.reference, 0.99).toFixed(2)} ms`,
  );
  verdict('latency', p50.ours / p50.reference, `at most ${LATENCY_MAX.toFixed(2)}`, (ratio) => ratio <= LATENCY_MAX);

  const relaying = await service('api', {});
  const rates = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const rate = { ours: await relayRate(relaying), reference: await rawRate(raw) };
    if (round > 0) {
      rates.ours.push(rate.ours);
      rates.reference.push(rate.reference);
    }
  }
  const rate = { ours: quantile(rates.ours, 0.5), reference: quantile(rates.reference, 0.5) };
  console.log(`relay     ours ${rate.ours.toFixed(0)} events/s; reference ${rate.reference.toFixed(0)} messages/s`);
  verdict('relay', rate.ours / rate.reference, `at least ${RELAY_MIN.toFixed(2)}`, (ratio) => ratio >= RELAY_MIN);
}

interface Bench {
  readonly messaging: Messaging;
  append(events: readonly NewEvent[]): Promise<void>;
}

async function service(name: 'api' | 'billing', handlers: EventHandlers) {
  const onError = (error: unknown): void => console.error(error);
  const db: Db = await PostgresDb.open({
    url: loginUrl(postgres.url, name, PASSWORDS[name]),
    application_name: name,
    onError,
  });
  const pgNotify = new PgNotify({ db, clock, onError });
  const messaging = new Messaging({
    db,
    clock,
    random,
    pgNotify,
    onError,
    service: name,
    known: { 'boat.moved': { stream: 'boat', version: 1 } },
    subscriptions: { billing: ['boat'] },
    handlers,
    work: {},
    relays: name === 'api',
    transports: {
      events: new KafkaEventTransport({ servers: { brokers }, db, clock, onError, prefix }),
      work: new PostgresWorkTransport({ db, clock }),
    },
  });
  if (name === 'billing') await messaging.start();
  closes.push(async () => {
    await messaging.stop();
    await pgNotify.close();
    await db.close();
  });
  const outbox = new Outbox({ clock, random, pgNotify });
  const bench: Bench = { messaging, append: (events) => db.tx('append', (tx) => outbox.appendMany(tx, events)) };
  return bench;
}

/** Sends one notification and waits until another connection receives it. */
async function notifier(): Promise<() => Promise<void>> {
  const [from, to] = [new pg.Client(postgres.url), new pg.Client(postgres.url)];
  for (const client of [from, to]) {
    await client.connect();
    closes.push(() => client.end());
  }
  await to.query('listen bench');
  return async () => {
    const heard = new Promise<void>((resolve) => to.once('notification', () => resolve()));
    await from.query("select pg_notify('bench', '1')");
    await heard;
  };
}

async function relayRate(bench: Bench): Promise<number> {
  for (let from = 0; from < EVENTS; from += BATCH)
    await bench.append(Array.from({ length: BATCH }, (_, index) => boat(`b${index % 50}`, from + index)));
  const began = performance.now();
  for (let sent = 0; sent < EVENTS;) sent += await bench.messaging.relayTick();
  return EVENTS / ((performance.now() - began) / 1_000);
}

async function rawRate({ producer, topic }: RawKafka): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < EVENTS; from += BATCH)
    await producer.sendBatch({
      acks: -1,
      topicMessages: [
        {
          topic,
          messages: Array.from({ length: BATCH }, (_, index) => ({ key: `b${index % 50}`, value: VALUE })),
        },
      ],
    });
  return EVENTS / ((performance.now() - began) / 1_000);
}

function boat(aggregate_id: string, n: number): NewEvent {
  return { stream: 'boat', event_name: 'boat.moved', version: 1, aggregate_id, data: { n, text: TEXT } };
}

function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

function verdict(what: string, ratio: number, requested: string, met: (ratio: number) => boolean): void {
  console.log(
    `${what.padEnd(9)} ${ratio.toFixed(2)}x of the reference, ${requested}: ${met(ratio) ? 'met' : 'MISSED'}`,
  );
}
