import { readFileSync } from 'node:fs';
import {
  BullWorkTransport,
  KafkaEventTransport,
  PostgresEventTransport,
  PostgresWorkTransport,
  type EventTransport,
  type KafkaServers,
  type OnError,
  type OnOutage,
  type PgNotify,
  type RedisServer,
  type TransportHealth,
  type Outage,
  WITH_THE_DATABASE,
  type WorkTransport,
} from '@moorage/messaging';
import type { Clock, Db, Log } from '@moorage/server';
import { SettingsError } from './read-settings';
import type { Settings } from './settings';

export type TransportSettings = Pick<
  Settings,
  | 'KAFKA_BROKERS'
  | 'KAFKA_USERNAME'
  | 'KAFKA_PASSWORD'
  | 'KAFKA_SASL_MECHANISM'
  | 'KAFKA_TLS'
  | 'KAFKA_TLS_CA_FILE'
  | 'REDIS_URL'
  | 'REDIS_PASSWORD'
  | 'REDIS_TLS_CA_FILE'
>;

/** Returns the chosen transports of events and of work, which are PostgreSQL unless a server is set. */
export function chosenTransports({ KAFKA_BROKERS, REDIS_URL }: Pick<Settings, 'KAFKA_BROKERS' | 'REDIS_URL'>) {
  return {
    events: KAFKA_BROKERS === undefined ? 'postgresql' : 'kafka',
    work: REDIS_URL === undefined ? 'postgresql' : 'bull',
  } as const;
}

/** Settings to check when a transport is in trouble. */
const SETTINGS_OF: Readonly<Record<'events' | 'work', Readonly<Record<Outage['with'], string>>>> = {
  events: {
    server: 'KAFKA_BROKERS',
    login: 'KAFKA_USERNAME, KAFKA_PASSWORD, KAFKA_SASL_MECHANISM',
    certificate: 'KAFKA_TLS, KAFKA_TLS_CA_FILE',
    topics: 'KAFKA_BROKERS',
  },
  work: {
    server: 'REDIS_URL',
    login: 'REDIS_URL, REDIS_PASSWORD',
    certificate: 'REDIS_URL, REDIS_TLS_CA_FILE',
    topics: 'REDIS_URL',
  },
};

/** State of this process's transports. */
export abstract class TransportState {
  /** Names of the chosen transports. */
  abstract readonly chosen: ReturnType<typeof chosenTransports>;
  /**
   * Returns whether each transport has reached its server since this process started. A transport that fails later
   * reconnects automatically.
   */
  abstract readonly reached: () => boolean;
  /** Returns current problems as sentences that begin with the settings concerned. */
  abstract readonly troubles: () => string[];
  /** Returns each transport separately. */
  abstract readonly each: () => {
    readonly carries: keyof Transports;
    readonly transport: string;
    readonly reached: boolean;
    readonly trouble: string | null;
  }[];
}

export interface Transports {
  readonly events: EventTransport;
  readonly work: WorkTransport;
}

/**
 * Opens the chosen transports, and never substitutes another. Their servers need not be running, because undelivered
 * events and work wait in the database, and a log line names the setting concerned.
 *
 * @throws SettingsError when the file of a certificate authority cannot be read.
 */
export function openTransports(
  settings: TransportSettings,
  parts: { db: Db; clock: Clock; pgNotify: PgNotify; onError: OnError; log: Log },
): Transports {
  const kafka = kafkaServersOf(settings);
  const redis = redisServerOf(settings);
  const telling = (of: keyof Transports): OnOutage => {
    const [what, waits] = of === 'events' ? ['Kafka', 'events wait'] : ['Redis', 'work waits'];
    return (trouble) =>
      trouble === null
        ? parts.log.info(`${what} available`)
        : parts.log.warn(`${SETTINGS_OF[of][trouble.with]}: ${trouble.detail}; ${waits} in the database`);
  };
  return {
    events:
      kafka === null
        ? new PostgresEventTransport(parts)
        : new KafkaEventTransport({ ...parts, servers: kafka, onOutage: telling('events') }),
    work:
      redis === null
        ? new PostgresWorkTransport(parts)
        : new BullWorkTransport({ ...parts, server: redis, onOutage: telling('work') }),
  };
}

/** Returns the state of transports, with their troubles as sentences for operators. */
export function transportState(
  settings: Pick<Settings, 'KAFKA_BROKERS' | 'REDIS_URL'>,
  transports: Readonly<Record<keyof Transports, { health(): TransportHealth }>>,
): TransportState {
  const chosen = chosenTransports(settings);
  const each: TransportState['each'] = () =>
    (['events', 'work'] as const).map((carries) => {
      const { reached, trouble } = transports[carries].health();
      const sentence = trouble === null ? null : `${SETTINGS_OF[carries][trouble.with]}: ${trouble.detail}`;
      return { carries, transport: chosen[carries], reached, trouble: sentence };
    });
  return {
    chosen,
    each,
    reached: () => each().every(({ reached }) => reached),
    troubles: () => each().flatMap(({ trouble }) => (trouble === null ? [] : [trouble])),
  };
}

const WITH_DATABASE = { health: () => WITH_THE_DATABASE };
export const TRANSPORTS_ON_POSTGRESQL: TransportState = transportState(
  { KAFKA_BROKERS: undefined, REDIS_URL: undefined },
  { events: WITH_DATABASE, work: WITH_DATABASE },
);

function kafkaServersOf(settings: TransportSettings): KafkaServers | null {
  const { KAFKA_BROKERS: brokers, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
  if (brokers === undefined) return null;
  return {
    brokers,
    ...(settings.KAFKA_TLS === 'off' ? {} : { tls: authority(settings, 'KAFKA_TLS_CA_FILE') }),
    ...(username === undefined || password === undefined
      ? {}
      : { login: { mechanism: settings.KAFKA_SASL_MECHANISM, username, password } }),
  };
}

/**
 * Returns the Redis server of the settings, or null without REDIS_URL.
 *
 * @throws SettingsError when the file of the certificate authority cannot be read.
 */
export function redisServerOf(settings: TransportSettings): RedisServer | null {
  const { REDIS_URL: url, REDIS_PASSWORD: password } = settings;
  if (url === undefined) return null;
  return { url, ...(password === undefined ? {} : { password }), ...authority(settings, 'REDIS_TLS_CA_FILE') };
}

function authority(settings: TransportSettings, name: 'KAFKA_TLS_CA_FILE' | 'REDIS_TLS_CA_FILE'): { ca?: string } {
  const path = settings[name];
  if (path === undefined) return {};
  try {
    return { ca: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new SettingsError(`${name}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}
