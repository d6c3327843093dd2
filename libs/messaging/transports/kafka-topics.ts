import type { Kafka } from 'kafkajs';
import { loadKafkajs } from './kafka-client';

/** A topic for each stream. Who makes them leaves the number of replicas to the brokers' `default.replication.factor`. */
const PARTITIONS = 6;
const DAY_MS = 86_400_000;
/** A day less than events are kept in the database, which stays the longer memory. */
const KEPT_MS = 6 * DAY_MS;
/** As Kafka's own default. Of a record batch, which is what is counted, a tenth is left for what surrounds the messages. */
const BATCH_BYTES = 1_048_588;

export interface Topics {
  /** How many bytes of messages may be sent to them at once. */
  readonly bytes_max: number;
  /** In which an existing one differs from what it should be; null: in nothing that matters. */
  readonly differs: string | null;
}

export const usableBytes = (batch_bytes: number): number => Math.floor(batch_bytes * 0.9);

/** Makes the topics that are missing, and looks at the settings of those that are there. */
export async function ensureTopics(kafka: Kafka, topics: readonly string[]): Promise<Topics> {
  const { ConfigResourceTypes } = await loadKafkajs();
  const admin = kafka.admin();
  await admin.connect();
  try {
    const there = new Set(await admin.listTopics());
    for (const topic of topics.filter((topic) => !there.has(topic))) {
      // false: another process was quicker
      await admin.createTopics({
        waitForLeaders: true,
        topics: [
          {
            topic,
            numPartitions: PARTITIONS,
            configEntries: [
              { name: 'cleanup.policy', value: 'delete' },
              { name: 'retention.ms', value: String(KEPT_MS) },
              { name: 'max.message.bytes', value: String(BATCH_BYTES) },
            ],
          },
        ],
      });
    }
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
    });
    return assess(
      resources.map(({ resourceName, configEntries }) => ({
        topic: resourceName,
        settings: Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
      })),
    );
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/**
 * A topic somebody else made is used as it is, as long as it can be: what it lets go of too early comes by the sweep,
 * a minute late.
 */
export function assess(
  topics: readonly { topic: string; settings: Readonly<Record<string, string | null | undefined>> }[],
): Topics {
  const differences = topics.flatMap(({ topic, settings }) => {
    const policy = settings['cleanup.policy'] ?? 'delete';
    const kept_ms = Number(settings['retention.ms'] ?? KEPT_MS);
    const bytes = Number(settings['max.message.bytes'] ?? BATCH_BYTES);
    return [
      ...(policy === 'delete' ? [] : [`${topic} has cleanup.policy=${policy}, not delete`]),
      ...(kept_ms < 0 || kept_ms >= KEPT_MS ? [] : [`${topic} has retention.ms=${kept_ms}, less than ${KEPT_MS}`]),
      ...(bytes >= BATCH_BYTES ? [] : [`${topic} has max.message.bytes=${bytes}, less than ${BATCH_BYTES}`]),
    ];
  });
  const least = Math.min(
    BATCH_BYTES,
    ...topics.map(({ settings }) => Number(settings['max.message.bytes'] ?? BATCH_BYTES)),
  );
  return { bytes_max: usableBytes(least), differs: differences.length === 0 ? null : differences.join('; ') };
}
