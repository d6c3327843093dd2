import type { Kafka } from 'kafkajs';
import { loadKafkajs } from './kafka-client';

/** Partitions of each stream's topic. The number of replicas is left to the brokers' `default.replication.factor`. */
const PARTITIONS = 6;
const DAY_MS = 86_400_000;
/** Retention of topics, a day less than that of events in the database, so that the database keeps events longer. */
const RETENTION_MS = 6 * DAY_MS;
/** Kafka's default maximum size of a record batch. A tenth of it is reserved for the overhead around messages. */
const BATCH_BYTES = 1_048_588;

export interface Topics {
  /** Maximum bytes of messages per send. */
  readonly bytes_max: number;
  /** Differences between an existing topic and the required settings, or null if nothing relevant differs. */
  readonly differs: string | null;
}

/** Returns the part of a batch that messages may fill. */
export const usableBytes = (batch_bytes: number): number => Math.floor(batch_bytes * 0.9);

/** Creates missing topics, and checks the settings of existing topics. */
export async function ensureTopics(kafka: Kafka, topics: readonly string[]): Promise<Topics> {
  const { ConfigResourceTypes } = await loadKafkajs();
  const admin = kafka.admin();
  await admin.connect();
  try {
    const there = new Set(await admin.listTopics());
    for (const topic of topics.filter((topic) => !there.has(topic))) {
      // Returns false if another process was quicker.
      await admin.createTopics({
        waitForLeaders: true,
        topics: [
          {
            topic,
            numPartitions: PARTITIONS,
            configEntries: [
              { name: 'cleanup.policy', value: 'delete' },
              { name: 'retention.ms', value: String(RETENTION_MS) },
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
 * Compares the settings of topics with the required settings. A topic created by others is used as it is wherever
 * possible. If it deletes events too early, the sweep delivers them a minute late.
 */
export function assess(
  topics: readonly { topic: string; settings: Readonly<Record<string, string | null | undefined>> }[],
): Topics {
  const differences = topics.flatMap(({ topic, settings }) => {
    const policy = settings['cleanup.policy'] ?? 'delete';
    const retention_ms = Number(settings['retention.ms'] ?? RETENTION_MS);
    const bytes = Number(settings['max.message.bytes'] ?? BATCH_BYTES);
    return [
      ...(policy === 'delete' ? [] : [`${topic} has cleanup.policy=${policy}, not delete`]),
      ...(retention_ms < 0 || retention_ms >= RETENTION_MS
        ? []
        : [`${topic} has retention.ms=${retention_ms}, less than ${RETENTION_MS}`]),
      ...(bytes >= BATCH_BYTES ? [] : [`${topic} has max.message.bytes=${bytes}, less than ${BATCH_BYTES}`]),
    ];
  });
  const least = Math.min(
    BATCH_BYTES,
    ...topics.map(({ settings }) => Number(settings['max.message.bytes'] ?? BATCH_BYTES)),
  );
  return { bytes_max: usableBytes(least), differs: differences.length === 0 ? null : differences.join('; ') };
}
