import { PgNotify } from '../../pg-notify';
import type { Clock, Db } from '@moorage/server';
import type { TestDatabase } from '@moorage/testing';
import type { EventTransport, OnError, WorkTransport } from '../../types';
import { BullWorkTransport } from '../bull-work-transport';
import { KafkaEventTransport } from '../kafka-event-transport';
import { PostgresEventTransport } from '../postgres-event-transport';
import { PostgresWorkTransport } from '../postgres-work-transport';
import type { KafkaServers, RedisServer } from '../servers';
import type { Adapters } from '../transports.suite';

interface Process {
  readonly db: Db;
  readonly clock: Clock;
  readonly onError: OnError;
}

/** Servers of each half of a pair. A process that opens later uses the values at that time. */
export interface Places {
  kafka?: KafkaServers;
  redis?: RedisServer;
  /** Prefix of the names of topics and groups. */
  prefix?: string;
}

/** Returns the adapters of `places`, and PostgreSQL's adapters for missing places. */
export function adaptersOf(
  database: TestDatabase,
  places: Places,
  { cut, close }: { cut: () => void; close: () => Promise<void> },
): Adapters {
  const eventsOf = (pgNotify: PgNotify, { db, clock, onError }: Process): EventTransport =>
    places.kafka === undefined
      ? new PostgresEventTransport({ db, clock, pgNotify, onError, poll_interval_ms: 300 })
      : new KafkaEventTransport({ servers: places.kafka, db, clock, onError, prefix: places.prefix ?? '' });
  const workOf = (pgNotify: PgNotify, { db, clock, onError }: Process): WorkTransport =>
    places.redis === undefined
      ? new PostgresWorkTransport({ db, clock, pgNotify, onError })
      : new BullWorkTransport({ server: places.redis, db, clock, onError });
  return {
    async open(process) {
      const pgNotify = new PgNotify(process);
      return { pgNotify, events: eventsOf(pgNotify, process), work: workOf(pgNotify, process) };
    },
    async interrupt() {
      cut();
      await database.sql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    },
    close,
  };
}
