import type { Consumer, Producer } from 'kafkajs';
import kafkajs from 'kafkajs';

/** kafkajs as shown in its documentation, on a separate topic, as the reference for the product's transport. */
export interface RawKafka {
  readonly producer: Producer;
  readonly topic: string;
  /** Registers a listener for the value of each message. */
  heard(listener: (value: string) => void): void;
  close(): Promise<void>;
}

export async function openRawKafka(brokers: string[], topic: string): Promise<RawKafka> {
  const kafka = new kafkajs.Kafka({ clientId: 'bench', brokers, logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 6 }] });
  await admin.disconnect();
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const consumer: Consumer = kafka.consumer({ groupId: `${topic}.raw` });
  let listener: (value: string) => void = () => undefined;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ message }) => listener(message.value?.toString() ?? '') });
  return {
    producer,
    topic,
    heard: (next) => void (listener = next),
    async close() {
      await producer.disconnect();
      await consumer.disconnect();
      await admin.connect();
      await admin.deleteTopics({ topics: [topic] });
      await admin.disconnect();
    },
  };
}
