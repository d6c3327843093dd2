import type { Clock, Db } from '@moorage/server';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { eventsByIds } from '../missed-events';
import type { Envelope, OnError } from '../types';
import { readMessage } from './kafka-messages';
import { NoAnswer, within } from './within';

const OPEN_MS = 30_000;
const CLOSE_MS = 5_000;
/** Time after which other members of the group take over the partitions of a killed process. */
const SESSION_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** Maximum time a broker holds an idle fetch. kafkajs sends no heartbeat meanwhile. */
const FETCH_WAIT_MS = 2_000;
/** Time without a response or a batch in progress after which the consumer counts as hung. */
const HUNG_MS = 30_000;
const POLL_INTERVAL_MS = 5_000;
const STORE_AT_ONCE = 500;
const STORE_AGAIN_MS = 1_000;
const OPEN_AGAIN_MS = [200, 1_000, 2_000, 5_000];
const STEADY_MS = 60_000;

export interface KafkaConsumerOptions {
  /** Opens a client after making sure that the topics exist. */
  readonly open: () => Promise<Kafka>;
  readonly group: string;
  readonly topics: readonly string[];
  readonly db: Db;
  readonly clock: Clock;
  readonly arrived: (envelopes: readonly Envelope[]) => Promise<void>;
  readonly onError: OnError;
  readonly fine: () => void;
  readonly troubled: (error: unknown) => void;
}

/** Sign of life of a kafkajs consumer. `ended` is aborted when it is lost or has to close. */
interface Session {
  readonly ended: AbortSignal;
  readonly alive: () => void;
}

/**
 * Consumes the topics as a member of the group, from its construction until it is closed. Whenever a kafkajs consumer
 * ends, a new consumer replaces it. kafkajs gives up after some errors, and may hang without an error after a broker
 * has gone. It therefore never restarts itself here, and a consumer without a sign of life is replaced as well.
 */
export class KafkaConsumer {
  private readonly closing = new AbortController();
  private readonly loop: Promise<void>;

  constructor(private readonly options: KafkaConsumerOptions) {
    this.loop = this.consume();
  }

  /** Stops consuming, and resolves when the consumer has ended. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.loop;
  }

  private async consume(): Promise<void> {
    const { clock, troubled } = this.options;
    const { signal } = this.closing;
    for (let failures = 0; !signal.aborted; failures++) {
      const began = clock.localNow();
      try {
        await this.consumeUntilLost();
      } catch (error) {
        // A single failure is normal while a cluster starts, when its coordinator is loading or a topic has no leader
        // yet.
        if (failures > 0 && !signal.aborted) troubled(error);
      }
      if (clock.localNow() - began > STEADY_MS) failures = 0;
      await clock.sleep(OPEN_AGAIN_MS[Math.min(failures, OPEN_AGAIN_MS.length - 1)] ?? 0, signal);
    }
  }

  private async consumeUntilLost(): Promise<void> {
    const { clock, open, fine } = this.options;
    const closing = this.closing.signal;
    const consumer = this.consumerOf(await within(clock, OPEN_MS, open(), closing));
    const lost = new AbortController();
    const ended = AbortSignal.any([lost.signal, closing]);
    let alive_at = clock.localNow();
    const alive = (): void => void (alive_at = clock.localNow());
    const { CRASH, FETCH, GROUP_JOIN, HEARTBEAT } = consumer.events;
    consumer.on(GROUP_JOIN, fine);
    consumer.on(FETCH, alive);
    consumer.on(HEARTBEAT, alive);
    consumer.on(CRASH, ({ payload }) => lost.abort(payload.error));

    const beginning = this.begin(consumer, { ended, alive });
    try {
      await within(clock, OPEN_MS, beginning, closing);
      while (!ended.aborted) {
        await clock.sleep(POLL_INTERVAL_MS, ended);
        if (clock.localNow() - alive_at > HUNG_MS) throw new NoAnswer('consumer not responding');
      }
      if (!closing.aborted) throw lost.signal.reason;
    } finally {
      lost.abort();
      await within(clock, CLOSE_MS, consumer.disconnect()).catch(() => undefined);
      // A consumer that was still connecting may have connected since.
      beginning.then(() => consumer.disconnect()).catch(() => undefined);
    }
  }

  private consumerOf(kafka: Kafka): Consumer {
    return kafka.consumer({
      groupId: this.options.group,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  private async begin(consumer: Consumer, session: Session): Promise<void> {
    await consumer.connect();
    if (session.ended.aborted) return;
    await consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
    await consumer.run({ eachBatchAutoResolve: false, eachBatch: (batch) => this.storeBatch(batch, session) });
  }

  /**
   * Stores a batch, and moves the group's offset only past stored messages. While the database is unavailable, the
   * member stays in the group and retries.
   */
  private async storeBatch(consumed: EachBatchPayload, { ended, alive }: Session): Promise<void> {
    const { batch } = consumed;
    const goesOn = (): boolean => consumed.isRunning() && !consumed.isStale() && !ended.aborted;
    for (let from = 0; from < batch.messages.length && goesOn(); from += STORE_AT_ONCE) {
      const messages = batch.messages.slice(from, from + STORE_AT_ONCE);
      const reported = this.readAll(batch.topic, messages);
      while (!(await this.store(reported))) {
        await this.options.clock.sleep(STORE_AGAIN_MS, ended);
        if (!goesOn()) return;
        alive();
        await consumed.heartbeat();
      }
      alive();
      consumed.resolveOffset(messages.at(-1)?.offset ?? batch.lastOffset());
      await consumed.heartbeat();
    }
  }

  private readAll(topic: string, messages: readonly KafkaMessage[]): (Envelope | string)[] {
    const read = messages.map(readMessage);
    const reported = read.filter((one) => one !== null);
    if (reported.length < messages.length) {
      const [first] = messages.filter((_message, index) => read[index] === null);
      this.options.onError(new Error('messages that are not known events were skipped'), {
        at: 'events.receive',
        topic,
        messages: messages.length - reported.length,
        first_offset: first?.offset ?? '',
      });
    }
    return reported;
  }

  /** Stores the received events, and returns whether that succeeded. */
  private async store(reported: readonly (Envelope | string)[]): Promise<boolean> {
    const { db, arrived, onError } = this.options;
    try {
      const ids = reported.filter((one) => typeof one === 'string');
      const whole = reported.filter((one) => typeof one !== 'string');
      const fetched = ids.length === 0 ? [] : await db.tx('events.fetch', (tx) => eventsByIds(tx, ids));
      await arrived([...whole, ...fetched]);
      return true;
    } catch (error) {
      onError(error, { at: 'events.receive' });
      return false;
    }
  }
}
