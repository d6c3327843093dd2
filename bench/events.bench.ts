import { loginUrl, migrate, setLogins } from '@moorage/database';
import {
  type Envelope,
  type EventHandlers,
  type EventTransport,
  KafkaEventTransport,
  Messaging,
  type NewEvent,
  Outbox,
  PgNotify,
  PostgresEventTransport,
  PostgresWorkTransport,
} from '@moorage/messaging';
import { type Db, PostgresDb, startEmbeddedPostgres, systemClock, systemRandom } from '@moorage/server';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openRawKafka, type RawKafka } from './events/raw-kafka';
import { type Figure, figure, quantile, report } from './measure';

/**
 * Measures events through PostgreSQL alone, and through Kafka against kafkajs alone, on the same broker and in the same
 * process, alternating.
 *
 *   npm run bench -- events                                   PostgreSQL alone
 *   KAFKA_BROKERS=127.0.0.1:9092 npm run bench -- events      both
 *
 * Latency is the median time from the commit of an event to the start of its handler. Through Kafka it is compared with
 * one NOTIFY and one message produced and consumed, and through PostgreSQL with a limit in milliseconds. Relay is the
 * number of outbox events sent and marked per second, compared with the same envelopes sent in batches of the same
 * size.
 */
const brokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');
const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };
const ROUNDS = 5;
const SAMPLES = 200;
const EVENTS = 10_000;
const BATCH = 500;
const POSTGRES_P50_MAX_MS = 5;
const KAFKA_LATENCY_MAX = 1.5;
const RELAY = { floor: 0.6, aim: 0.8 };
const prefix = `bench-${process.pid}.`;
const TEXT = 'x'.repeat(200);
/** An event that the api may write and billing reads, so that grants and row policies are part of the measurement. */
const EVENT = { stream: 'deployment', event_name: 'deployment.created', version: 1 };
const ENVELOPE: Envelope = {
  ...EVENT,
  event_id: '00000000-0000-4000-8000-000000000001',
  occurred_at: '2026-12-01T00:00:00.000Z',
  aggregate_id: 'latency',
  sequence: 1,
  correlation_id: '00000000-0000-4000-8000-000000000001',
  data: { n: 1, text: TEXT },
};
const VALUE = JSON.stringify(ENVELOPE);

type Transport = (parts: { db: Db; pgNotify: PgNotify }) => EventTransport;

interface Bench {
  readonly db: Db;
  readonly messaging: Messaging;
  readonly outbox: Outbox;
}

const onError = (error: unknown): void => console.error(error);
const clock = systemClock();
const random = systemRandom();
const throughPostgres: Transport = ({ db, pgNotify }) => new PostgresEventTransport({ db, clock, pgNotify, onError });
const throughKafka: Transport = ({ db }) =>
  new KafkaEventTransport({ servers: { brokers }, db, clock, onError, prefix });

const folder = await mkdtemp(join(tmpdir(), 'moorage-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ folder, database: 'bench' });
const closes: (() => Promise<unknown>)[] = [];
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  for (const close of closes.reverse()) await close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  await migrate(postgres.url);
  await setLogins(postgres.url, PASSWORDS, random);
  const figures = [await postgresLatency(), ...(brokers.length === 0 ? [] : await kafkaFigures())];
  if (brokers.length === 0)
    console.log('kafka_latency and kafka_relay: skipped, because KAFKA_BROKERS does not name a broker');
  return report('events', figures);
}

async function postgresLatency(): Promise<Figure> {
  const { ours, stop } = await latencyThrough(throughPostgres);
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const samples = await sampled(ours);
    if (round > 0) rounds.push(quantile(samples, 0.5));
  }
  await stop();
  console.log(`PostgreSQL alone: p50 ${quantile(rounds, 0.5).toFixed(2)} ms, at most ${POSTGRES_P50_MAX_MS} ms`);
  return figure('postgres_latency_ms', rounds, { limit: POSTGRES_P50_MAX_MS });
}

async function kafkaFigures(): Promise<Figure[]> {
  const raw = await openRawKafka(brokers, `${prefix}raw`);
  closes.push(() => raw.close());
  return [await kafkaLatency(raw), await kafkaRelay(raw)];
}

async function kafkaLatency(raw: RawKafka): Promise<Figure> {
  const notify = await notifier();
  const { ours, stop } = await latencyThrough(throughKafka);

  async function reference(): Promise<number> {
    const began = performance.now();
    await notify();
    const heard = new Promise<void>((resolve) => raw.heard(() => resolve()));
    await raw.producer.send({ topic: raw.topic, acks: -1, messages: [{ key: 'latency', value: VALUE }] });
    await heard;
    return performance.now() - began;
  }

  const p50 = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const which of round % 2 === 0 ? (['ours', 'reference'] as const) : (['reference', 'ours'] as const)) {
      const samples = await sampled(which === 'ours' ? ours : reference);
      if (round > 0) p50[which].push(quantile(samples, 0.5));
    }
  await stop();
  console.log(
    `Kafka: p50 ${quantile(p50.ours, 0.5).toFixed(2)} ms, reference ${quantile(p50.reference, 0.5).toFixed(2)} ms, at most ${KAFKA_LATENCY_MAX} times as long`,
  );
  const ratios = p50.ours.map((time, round) => time / at(p50.reference, round));
  return figure('kafka_latency', ratios, { limit: KAFKA_LATENCY_MAX });
}

async function kafkaRelay(raw: RawKafka): Promise<Figure> {
  const relaying = await service('api', throughKafka, {});
  await relaying.messaging.start();
  const rates = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const rate = { ours: await relayRate(relaying), reference: await rawRate(raw) };
    if (round > 0) {
      rates.ours.push(rate.ours);
      rates.reference.push(rate.reference);
    }
  }
  await relaying.messaging.stop();
  console.log(
    `Kafka relay: ${quantile(rates.ours, 0.5).toFixed(0)} events/s, reference ${quantile(rates.reference, 0.5).toFixed(0)} messages/s`,
  );
  const ratios = rates.ours.map((rate, round) => rate / at(rates.reference, round));
  return figure('kafka_relay', ratios, RELAY);
}

/** Starts a service that publishes and one that handles. `ours` measures one event in milliseconds. */
async function latencyThrough(
  transport: Transport,
): Promise<{ ours: () => Promise<number>; stop: () => Promise<void> }> {
  let started: () => void = () => undefined;
  const api = await service('api', transport, {});
  const billing = await service('billing', transport, { [EVENT.event_name]: async () => started() });
  await billing.messaging.start();
  await api.messaging.start();
  return {
    async ours() {
      const handled = new Promise<void>((resolve) => (started = resolve));
      await api.db.tx('append', (tx) => api.outbox.append(tx, eventOf('latency', 0)));
      const committed = performance.now();
      await handled;
      return performance.now() - committed;
    },
    async stop() {
      await api.messaging.stop();
      await billing.messaging.stop();
    },
  };
}

async function sampled(measureOne: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    times.push(await measureOne());
    await clock.sleep(2 + random.fraction() * 8);
  }
  return times;
}

async function service(name: 'api' | 'billing', transport: Transport, handlers: EventHandlers): Promise<Bench> {
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
    known: { [EVENT.event_name]: EVENT },
    subscriptions: { billing: [EVENT.stream] },
    handlers,
    work: {},
    relays: name === 'api',
    transports: { events: transport({ db, pgNotify }), work: new PostgresWorkTransport({ db, clock }) },
  });
  closes.push(async () => {
    await messaging.stop();
    await pgNotify.close();
    await db.close();
  });
  return { db, messaging, outbox: new Outbox({ clock, random, pgNotify }) };
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

/** Appends events in one transaction, and measures from its commit until all are sent and marked. */
async function relayRate({ db, outbox }: Bench): Promise<number> {
  await db.tx('append', async (tx) => {
    for (let from = 0; from < EVENTS; from += BATCH)
      await outbox.appendMany(
        tx,
        Array.from({ length: BATCH }, (_, index) => eventOf(`b${index % 50}`, from + index)),
      );
  });
  const began = performance.now();
  while (await hasUnsent(db)) await clock.sleep(5);
  return EVENTS / ((performance.now() - began) / 1_000);
}

async function hasUnsent(db: Db): Promise<boolean> {
  const rows = await db.read('unsent', (tx) => tx.query('select id from outbox where sent_at is null limit 1'));
  return rows.length > 0;
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

function eventOf(aggregate_id: string, n: number): NewEvent {
  return { ...EVENT, aggregate_id, data: { n, text: TEXT } };
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError('no such value');
  return value;
}
