import type { Clock, Db } from '@moorage/server';
import type { Kafka, Producer } from 'kafkajs';
import { HealthReporter } from '../health-reporter';
import {
  type Envelope,
  type EventTransport,
  type OnError,
  type OnOutage,
  TransportAway,
  type TransportHealth,
} from '../types';
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

export interface KafkaEventTransportOptions {
  readonly servers: KafkaServers;
  readonly db: Db;
  readonly clock: Clock;
  readonly onError?: OnError;
  readonly onOutage?: OnOutage;
  /** Prefix of the names of topics and groups. */
  readonly prefix?: string;
}

/**
 * Sends events through Kafka, with a topic `<stream>.events` for each stream, the aggregate's id as the key and one
 * consumer group per service. Brokers acknowledge a message when all replicas have it. A consumer's offset moves when
 * its inbox has stored the message. The sweep recovers what a topic loses.
 */
export class KafkaEventTransport implements EventTransport {
  private readonly reporter: HealthReporter;
  private readonly prefix: string;
  private readonly closing = new AbortController();
  private readonly consumers: KafkaConsumer[] = [];
  private kafka: Promise<Kafka> | undefined;
  private producer: Promise<Producer> | undefined;
  /** Topics known to exist. */
  private known = new Set<string>();
  private bytes_max = usableBytes(Infinity);
  private failures = 0;

  constructor(private readonly options: KafkaEventTransportOptions) {
    this.reporter = new HealthReporter(options.onOutage ?? (() => undefined));
    this.prefix = options.prefix ?? '';
  }

  async publish(batch: readonly Envelope[]): Promise<void> {
    const { signal } = this.closing;
    if (signal.aborted) throw new TransportAway('the transport is closed');
    const producer = this.currentProducer();
    try {
      await within(this.options.clock, PUBLISH_MS, this.send(producer, batch), signal);
      this.failures = 0;
      this.reporter.fine('publish');
    } catch (error) {
      const isCurrent = this.forgetProducer(producer);
      const trouble = outageOf(error);
      if (trouble === null) throw error;
      // Batches that were under way with the same producer fail with it, which is one failure.
      if (isCurrent) this.failures++;
      // A single failure is normal when a leader moves.
      if (this.failures > 1) this.reporter.troubled(trouble, 'publish');
      throw new TransportAway(trouble.detail);
    }
  }

  async subscribe(
    consumer: string,
    streams: readonly string[],
    arrived: (envelopes: readonly Envelope[]) => Promise<void>,
  ): Promise<void> {
    if (streams.length === 0) return;
    const { db, clock, onError = () => undefined } = this.options;
    const topics = streams.map((stream) => this.topicOf(stream));
    this.consumers.push(
      new KafkaConsumer({
        open: () => this.openWithTopics(topics),
        group: `${this.prefix}moorage.${consumer}`,
        topics,
        db,
        clock,
        arrived,
        onError: (error, facts) => onError(error, { ...facts, consumer }),
        fine: () => this.reporter.fine('consume'),
        troubled: (error) => {
          const trouble = outageOf(error);
          if (trouble === null) onError(error, { at: 'events.consume', consumer });
          else this.reporter.troubled(trouble, 'consume');
        },
      }),
    );
  }

  health(): TransportHealth {
    return this.reporter.health();
  }

  async close(): Promise<void> {
    this.closing.abort();
    const last = this.producer;
    this.producer = undefined;
    const ends = this.consumers.splice(0).map((consumer) => consumer.close());
    if (last !== undefined) ends.push(last.then((open) => open.disconnect()));
    await within(this.options.clock, CLOSE_MS, Promise.all(ends)).catch(() => undefined);
  }

  private client(): Promise<Kafka> {
    return (this.kafka ??= openKafka(this.options.servers, 'moorage'));
  }

  private topicOf(stream: string): string {
    return `${this.prefix}${stream}.events`;
  }

  /** Returns the client after checking all topics again. */
  private async openWithTopics(topics: readonly string[]): Promise<Kafka> {
    this.known = new Set();
    await this.haveTopics(topics);
    return this.client();
  }

  private async haveTopics(topics: readonly string[]): Promise<void> {
    if (topics.every((topic) => this.known.has(topic))) return;
    const found = await ensureTopics(await this.client(), topics);
    for (const topic of topics) this.known.add(topic);
    this.bytes_max = Math.min(this.bytes_max, found.bytes_max);
    if (found.differs === null) this.reporter.fine(`topics ${topics.join()}`);
    else this.reporter.troubled({ with: 'topics', detail: found.differs }, `topics ${topics.join()}`);
  }

  private currentProducer(): Promise<Producer> {
    if (this.producer === undefined) {
      this.producer = this.connectProducer();
      this.producer.catch(() => undefined); // reported by the batches that wait for it
    }
    return this.producer;
  }

  private async connectProducer(): Promise<Producer> {
    const { Partitioners } = await loadKafkajs();
    const fresh = (await this.client()).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await fresh.connect();
    return fresh;
  }

  private async send(producer: Promise<Producer>, batch: readonly Envelope[]): Promise<void> {
    await this.haveTopics([...new Set(batch.map(({ stream }) => this.topicOf(stream)))]);
    const open = await producer;
    const messages = batch.map((envelope) => messageOf(envelope, this.topicOf(envelope.stream), this.bytes_max));
    for (const part of partsOf(messages, this.bytes_max)) {
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
   * Discards a producer after a failure, and returns whether it was the current one. A kafkajs producer may then have sequence numbers that differ from the
   * broker's and be refused forever, while a new producer starts afresh. Messages sent twice arrive twice, and the
   * inbox ignores the repetition.
   */
  private forgetProducer(failed: Promise<Producer>): boolean {
    if (this.producer !== failed) return false;
    this.producer = undefined;
    this.known = new Set();
    void failed.then((open) => open.disconnect()).catch(() => undefined);
    return true;
  }
}
