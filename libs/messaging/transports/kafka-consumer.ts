import type { Clock, Db } from '@moorage/server';
import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
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

/**
 * Consumes the topics as a member of the group until the returned function is called. Whenever a kafkajs consumer ends,
 * a new consumer replaces it. kafkajs gives up after some errors, and may hang without an error after a broker has
 * gone. It therefore never restarts itself here, and a consumer without a sign of life is replaced as well.
 *
 * @returns A function that stops consuming and resolves when the consumer has ended.
 */
export function createKafkaConsumer({
  open,
  group,
  topics,
  db,
  clock,
  arrived,
  onError,
  fine,
  troubled,
}: {
  /** Opens a client after making sure that the topics exist. */
  open: () => Promise<Kafka>;
  group: string;
  topics: readonly string[];
  db: Db;
  clock: Clock;
  arrived: (envelopes: readonly Envelope[]) => Promise<void>;
  onError: OnError;
  fine: () => void;
  troubled: (error: unknown) => void;
}): () => Promise<void> {
  const closing = new AbortController();

  async function consumeUntilLost(): Promise<void> {
    const kafka = await within(clock, OPEN_MS, open(), closing.signal);
    const consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4, restartOnFailure: () => Promise.resolve(false) },
    });
    const lost = new AbortController();
    const ended = AbortSignal.any([lost.signal, closing.signal]);
    let alive_at = clock.localNow();
    const alive = (): void => void (alive_at = clock.localNow());
    const { CRASH, FETCH, GROUP_JOIN, HEARTBEAT } = consumer.events;
    consumer.on(GROUP_JOIN, fine);
    consumer.on(FETCH, alive);
    consumer.on(HEARTBEAT, alive);
    consumer.on(CRASH, ({ payload }) => lost.abort(payload.error));

    async function begin(): Promise<void> {
      await consumer.connect();
      if (ended.aborted) return;
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({ eachBatchAutoResolve: false, eachBatch: (batch) => storeBatch(batch, { ended, alive }) });
    }

    const beginning = begin();
    try {
      await within(clock, OPEN_MS, beginning, closing.signal);
      while (!ended.aborted) {
        await clock.sleep(POLL_INTERVAL_MS, ended);
        if (clock.localNow() - alive_at > HUNG_MS) throw new NoAnswer('consumer not responding');
      }
      if (!closing.signal.aborted) throw lost.signal.reason;
    } finally {
      lost.abort();
      await within(clock, CLOSE_MS, consumer.disconnect()).catch(() => undefined);
      // A consumer that was still connecting may have connected since.
      beginning.then(() => consumer.disconnect()).catch(() => undefined);
    }
  }

  /**
   * Stores a batch, and moves the group's offset only past stored messages. While the database is unavailable, the
   * member stays in the group and retries.
   */
  async function storeBatch(
    consumed: EachBatchPayload,
    { ended, alive }: { ended: AbortSignal; alive: () => void },
  ): Promise<void> {
    const { batch } = consumed;
    const goesOn = (): boolean => consumed.isRunning() && !consumed.isStale() && !ended.aborted;
    for (let from = 0; from < batch.messages.length && goesOn(); from += STORE_AT_ONCE) {
      const messages = batch.messages.slice(from, from + STORE_AT_ONCE);
      const reported = readAll(batch.topic, messages);
      while (!(await stored(reported))) {
        await clock.sleep(STORE_AGAIN_MS, ended);
        if (!goesOn()) return;
        alive();
        await consumed.heartbeat();
      }
      alive();
      consumed.resolveOffset(messages.at(-1)?.offset ?? batch.lastOffset());
      await consumed.heartbeat();
    }
  }

  function readAll(topic: string, messages: readonly KafkaMessage[]): (Envelope | string)[] {
    const read = messages.map(readMessage);
    const reported = read.filter((one) => one !== null);
    if (reported.length < messages.length) {
      const [first] = messages.filter((_message, index) => read[index] === null);
      onError(new Error('messages that are not known events were skipped'), {
        at: 'events.receive',
        topic,
        messages: messages.length - reported.length,
        first_offset: first?.offset ?? '',
      });
    }
    return reported;
  }

  async function stored(reported: readonly (Envelope | string)[]): Promise<boolean> {
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

  const loop = (async () => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const began = clock.localNow();
      try {
        await consumeUntilLost();
      } catch (error) {
        // A single failure is normal while a cluster starts, when its coordinator is loading or a topic has no leader
        // yet.
        if (failures > 0 && !closing.signal.aborted) troubled(error);
      }
      if (clock.localNow() - began > STEADY_MS) failures = 0;
      await clock.sleep(OPEN_AGAIN_MS[Math.min(failures, OPEN_AGAIN_MS.length - 1)] ?? 0, closing.signal);
    }
  })();

  return async () => {
    closing.abort();
    await loop;
  };
}
