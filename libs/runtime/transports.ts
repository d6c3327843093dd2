import {
  createPostgresEventTransport,
  createPostgresWorkTransport,
  type EventTransport,
  type OnError,
  type PgNotify,
  type WorkTransport,
} from '@moorage/messaging';
import type { Clock, Db } from '@moorage/server';
import type { Settings } from './settings';

type Choosing = Pick<Settings, 'KAFKA_BROKERS' | 'REDIS_URL'>;

/** What carries events and what carries work: each is PostgreSQL unless a server for it is set. */
export function chosenTransports({ KAFKA_BROKERS, REDIS_URL }: Choosing) {
  return {
    events: KAFKA_BROKERS === undefined ? 'postgresql' : 'kafka',
    work: REDIS_URL === undefined ? 'postgresql' : 'bull',
  } as const;
}

/** Opens the chosen transports, never another in place of one that is missing; settings are refused for it before. */
export function openTransports(
  settings: Choosing,
  parts: { db: Db; clock: Clock; pgNotify: PgNotify; onError: OnError },
): { events: EventTransport; work: WorkTransport } {
  const { events, work } = chosenTransports(settings);
  if (events !== 'postgresql' || work !== 'postgresql') {
    throw new Error(`no such pair of transports in this version: ${events} for events, ${work} for work`);
  }
  return { events: createPostgresEventTransport(parts), work: createPostgresWorkTransport(parts) };
}
