import { PgNotify } from '../pg-notify';
import { PostgresEventTransport } from './postgres-event-transport';
import { PostgresWorkTransport } from './postgres-work-transport';
import { transportsSuite } from '@moorage/testing/transports/transports.suite';

transportsSuite('postgres + postgres', async (database) => ({
  async open({ db, clock, onError }) {
    const pgNotify = new PgNotify({ db, clock, onError });
    return {
      pgNotify,
      events: new PostgresEventTransport({ db, clock, pgNotify, onError, poll_interval_ms: 300 }),
      work: new PostgresWorkTransport({ db, clock, pgNotify, onError }),
    };
  },
  interrupt: async () =>
    void (await database.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )),
  close: () => Promise.resolve(),
}));
