import type { Clock, Db } from '@moorage/server';
import type { Kafka, Producer } from 'kafkajs';
import { createHealthReporter } from '../health-reporter';
import { type Envelope, type EventTransport, type OnError, type OnOutage, TransportAway } from '../types';
import { loadKafkajs, openKafka, outageOf } from './kafka-client';
import { KafkaConsumer } from './kafka-consumer';
import { messageOf, partsOf } from './kafka-messages';
import { ensureTopics, usableBytes } from './kafka-topics';
import type { KafkaServers } from './servers';
import { within } from './within';

/**
 * Maximum time a relay waits while it holds its shards. It is less than the database lets the relay's session stay
 * idle.
 */
const PUBLISH_MS = 20_000;
const SEND_MS = 10_000;
const CLOSE_MS = 5_000;

/**
 * Sends events through Kafka, with a topic `<stream>.events` for each stream, the aggregate's id as the key and one
 * consumer group per service. Brokers acknowledge a message when all replicas have it. A consumer's offset moves when
 * its inbox has stored the message. The sweep recovers what a topic loses.
 */
export function createKafkaEventTransport({
  servers,
  db,
  clock,
  onError = () => undefined,
  onOutage = () => undefined,
  prefix = '',
}: {
  servers: KafkaServers;
  db: Db;
  clock: Clock;
  onError?: OnError;
  onOutage?: OnOutage;
  /** Prefix of the names of topics and groups. */
  prefix?: string;
}): EventTransport {
  const { health, fine, troubled } = createHealthReporter(onOutage);
  const closing = new AbortController();
  const consumers: KafkaConsumer[] = [];
  const topicOf = (stream: string): string => `${prefix}${stream}.events`;
  let kafka: Promise<Kafka> | undefined;
  let producer: Promise<Producer> | undefined;
  /** Topics known to exist. */
  let known = new Set<string>();
  let bytes_max = usableBytes(Infinity);
  let failures = 0;

  const client = (): Promise<Kafka> => (kafka ??= openKafka(servers, 'moorage'));

  async function haveTopics(topics: readonly string[]): Promise<void> {
    if (topics.every((topic) => known.has(topic))) return;
    const found = await ensureTopics(await client(), topics);
    for (const topic of topics) known.add(topic);
    bytes_max = Math.min(bytes_max, found.bytes_max);
    if (found.differs === null) fine(`topics ${topics.join()}`);
    else troubled({ with: 'topics', detail: found.differs }, `topics ${topics.join()}`);
  }

  async function connected(): Promise<Producer> {
    const { Partitioners } = await loadKafkajs();
    const fresh = (await client()).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await fresh.connect();
    return fresh;
  }

  async function send(batch: readonly Envelope[]): Promise<void> {
    await haveTopics([...new Set(batch.map(({ stream }) => topicOf(stream)))]);
    const open = await (producer ??= connected());
    const messages = batch.map((envelope) => messageOf(envelope, topicOf(envelope.stream), bytes_max));
    for (const part of partsOf(messages, bytes_max)) {
      await open.sendBatch({
        acks: -1,
        timeout: SEND_MS,
        topicMessages: [...new Set(part.map(({ topic }) => topic))].map((topic) => ({
          topic,
          messages: part.filter((message) => message.topic === topic),
        })),
      });
    }
  }

  /**
   * Discards the producer after a failure. A kafkajs producer may then have sequence numbers that differ from the
   * broker's and be refused forever, while a new producer starts afresh. Messages sent twice arrive twice, and the
   * inbox ignores the repetition.
   */
  function forgetProducer(): void {
    const last = producer;
    producer = undefined;
    known = new Set();
    void last?.then((open) => open.disconnect()).catch(() => undefined);
  }

  return {
    async publish(batch) {
      if (closing.signal.aborted) throw new TransportAway('the transport is closed');
      try {
        await within(clock, PUBLISH_MS, send(batch), closing.signal);
        failures = 0;
        fine('publish');
      } catch (error) {
        forgetProducer();
        const trouble = outageOf(error);
        if (trouble === null) throw error;
        // A single failure is normal when a leader moves.
        if (++failures > 1) troubled(trouble, 'publish');
        throw new TransportAway(trouble.detail);
      }
    },
    async subscribe(consumer, streams, arrived) {
      if (streams.length === 0) return;
      const topics = streams.map(topicOf);
      consumers.push(
        new KafkaConsumer({
          open: async () => {
            known = new Set();
            await haveTopics(topics);
            return client();
          },
          group: `${prefix}moorage.${consumer}`,
          topics,
          db,
          clock,
          arrived,
          onError: (error, facts) => onError(error, { ...facts, consumer }),
          fine: () => fine('consume'),
          troubled: (error) => {
            const trouble = outageOf(error);
            if (trouble === null) onError(error, { at: 'events.consume', consumer });
            else troubled(trouble, 'consume');
          },
        }),
      );
    },
    health,
    async close() {
      closing.abort();
      const last = producer;
      producer = undefined;
      const ends = consumers.splice(0).map((consumer) => consumer.close());
      if (last !== undefined) ends.push(last.then((open) => open.disconnect()));
      await within(clock, CLOSE_MS, Promise.all(ends)).catch(() => undefined);
    },
  };
}
