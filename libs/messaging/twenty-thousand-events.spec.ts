import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Checkpoints, type Db, seededRandom, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { Messaging } from './messaging';
import { PgNotify } from './pg-notify';
import { Outbox } from './outbox';
import { PostgresEventTransport } from './transports/postgres-event-transport';
import { PostgresWorkTransport } from './transports/postgres-work-transport';
import { boat, KNOWN, makeEffects, until } from '@moorage/testing/messaging';

const EVENTS = 20_000;
const WRITERS = 8;
const AGGREGATES = 400;
const CRASHES = 1_000;
const PER_TRANSACTION = 8;

/**
 * Places where a crash can happen. Inside a transaction the connection is cut as well. `cuts` is the last statement of
 * that connection, so the cut may also hit another connection of the same process at the same place.
 */
const PLACES: Readonly<Record<string, { cuts?: string }>> = {
  'relay.publish': {},
  'relay.publish.sent': { cuts: 'select now()%' },
  'relay.publish.committed': {},
  'inbox.arrive': {},
  'inbox.arrive.committed': {},
  'inbox.drain': {},
  'inbox.drain.handled': { cuts: 'insert into effects%' },
  'inbox.drain.committed': {},
};

describe('20 000 events from 8 writers with 2 relays and 1 000 crashes', () => {
  let database: TestDatabase;
  let writing: Db;
  let writersNotices: PgNotify;
  const processes: { messaging: Messaging; pgNotify: PgNotify; db: Db }[] = [];
  const clock = systemClock();
  const random = seededRandom(20_000);
  const crashes = new Map<string, number>();
  let crashed = 0;

  /** Spreads crashes over the whole run. Each passing draws with the probability that the remaining crashes require. */
  function crashing(process: string, progress: () => number): Checkpoints {
    return {
      async at(place) {
        const known = PLACES[place];
        if (known === undefined || crashed >= CRASHES) return;
        const owed = (CRASHES * (progress() + EVENTS / 50)) / EVENTS - crashed;
        if (random.fraction() > Math.min(0.5, Math.max(0.005, owed / 40))) return;
        crashed++;
        crashes.set(place, (crashes.get(place) ?? 0) + 1);
        if (known.cuts !== undefined) await cut(process, known.cuts);
        throw new Error(`crash at ${place}`);
      },
    };
  }

  const cut = (process: string, statement: string): Promise<unknown> =>
    database.sql(
      `select pg_terminate_backend(pid) from (
        select pid from pg_stat_activity
        where application_name = $1 and state = 'idle in transaction' and ltrim(query, E'\\n ') like $2 limit 1
      ) one`,
      [process, statement],
    );

  let handled = 0;
  async function start(name: string): Promise<void> {
    const onError = (): void => undefined; // crashes are the subject of this test
    const checkpoints = crashing(name, () => handled);
    const db = await database.open({
      service: 'billing',
      application_name: name,
      checkpoints,
      connections_max: 8,
      onError,
    });
    const pgNotify = new PgNotify({ db, clock, onError });
    const messaging = new Messaging({
      db,
      clock,
      random: systemRandom(),
      service: 'billing',
      known: KNOWN,
      subscriptions: { billing: ['boat'] },
      work: {},
      pgNotify,
      onError,
      handlers: {
        'boat.moved': async (tx, { aggregate_id, sequence }) => {
          await tx.execute('insert into effects (consumer, aggregate_id, sequence, by) values ($1, $2, $3, $4)', [
            'billing',
            aggregate_id,
            sequence,
            name,
          ]);
          handled++;
        },
      },
      transports: {
        events: new PostgresEventTransport({ db, clock, pgNotify, onError, poll_interval_ms: 2_000 }),
        work: new PostgresWorkTransport({ db, clock }),
      },
    });
    await messaging.start();
    processes.push({ messaging, pgNotify, db });
  }

  beforeAll(async () => {
    database = await testDatabase();
    await makeEffects(await database.open());
    writing = await database.open({ connections_max: WRITERS, application_name: 'writers' });
    writersNotices = new PgNotify({ db: writing, clock });
    await start('one');
    await start('two');
  });
  afterAll(async () => {
    for (const { messaging, pgNotify } of processes) {
      await messaging.stop();
      await pgNotify.close();
    }
    await writersNotices.close();
    await database.drop();
  });

  it('run every handler once, in order per aggregate', async () => {
    const outbox = new Outbox({ clock, random: systemRandom(), pgNotify: writersNotices });
    const began = performance.now();
    let left = EVENTS / PER_TRANSACTION;
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (left-- > 0) {
          const events = Array.from({ length: PER_TRANSACTION }, (_, n) =>
            boat(String(Math.floor(random.fraction() * AGGREGATES)), n),
          );
          await writing.tx('write', (tx) => outbox.appendMany(tx, events));
        }
      }),
    );
    const written = performance.now() - began;
    const done = async (): Promise<boolean> =>
      (await database.sql<{ n: number }>('select count(*)::int as n from inbox where handled_at is not null'))[0]?.n ===
      EVENTS;
    await until(async () => handled >= EVENTS && (await done()), 280_000);
    const took = performance.now() - began;

    const [totals] = await database.sql<{ effects: number; different: number; aggregates: number }>(
      `select count(*)::int as effects, count(distinct (aggregate_id, sequence))::int as different,
        count(distinct aggregate_id)::int as aggregates from effects`,
    );
    expect(totals).toEqual({ effects: EVENTS, different: EVENTS, aggregates: AGGREGATES });
    const disorder = await database.sql(
      `select * from (select aggregate_id, sequence, row_number() over (partition by aggregate_id order by place) as place
       from effects) e where place <> sequence`,
    );
    expect(disorder).toEqual([]);
    expect(await database.sql('select 1 from outbox where sent_at is null')).toEqual([]);
    expect(await database.sql('select 1 from inbox where parked_at is not null')).toEqual([]);
    expect(crashed).toBe(CRASHES);
    expect([...crashes.keys()].sort()).toEqual(Object.keys(PLACES).sort());
    const by = await database.sql<{ by: string; n: number }>('select by, count(*)::int as n from effects group by by');
    expect(by).toHaveLength(2);
    process.stdout.write(
      `${EVENTS} events, ${crashed} crashes: written at ${Math.round((EVENTS / written) * 1000)}/s, ` +
        `all handled after ${(took / 1000).toFixed(1)} s (${Math.round((EVENTS / took) * 1000)}/s), ` +
        `crashes ${JSON.stringify(Object.fromEntries(crashes))}\n`,
    );
  }, 300_000);
});
