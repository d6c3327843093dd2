import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock, type Db, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { Messaging } from '../messaging';
import type { PgNotify } from '../pg-notify';
import { Outbox } from '../outbox';
import {
  boat,
  collected,
  KNOWN,
  makeEffects,
  type ProcessOptions,
  type Started,
  type TransportFixture,
} from '../testing';
import type { EventHandlers, EventTransport, NewEvent, OnError, WorkTransport } from '../types';
import type { WorkKind } from '../work';
import { WorkSchedule } from '../work-schedule';
import { eventSituations } from './transports.events.suite';
import { workSituations } from './transports.work.suite';

/** One pair of transports, as a process opens them. `interrupt` cuts their connections from outside. */
export interface Adapters {
  open(process: { db: Db; clock: Clock; onError: OnError; name: string }): Promise<{
    events: EventTransport;
    work: WorkTransport;
    pgNotify: PgNotify;
  }>;
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

const SUBSCRIPTIONS = { api: ['boat'], billing: ['boat'], provisioner: ['berth'] };

/** Required behaviour of every pair of transports. */
export function transportsSuite(name: string, make: (database: TestDatabase) => Promise<Adapters>): void {
  onTransports(name, make, (fixture) => {
    eventSituations(fixture);
    workSituations(fixture);
    endSituations(fixture);
  });
}

/** Runs tests on a pair of transports, with real services on the connections of several processes. */
export function onTransports(
  name: string,
  make: (database: TestDatabase) => Promise<Adapters>,
  situations: (fixture: TransportFixture) => void,
): void {
  describe(`transports: ${name}`, () => {
    const clock = systemClock();
    const { reported, onError } = collected();
    let database: TestDatabase;
    let adapters: Adapters;
    const stops = new Set<() => Promise<void>>();
    let round = 0;
    const own = (word: string): string => `${round}-${word}`;

    beforeAll(async () => {
      database = await testDatabase();
      await makeEffects(await database.open());
      adapters = await make(database);
    });
    beforeEach(() => {
      round++;
      reported.splice(0);
    });
    afterEach(async () => {
      for (const stop of [...stops].reverse()) await stop();
    });
    afterAll(async () => {
      await adapters.close();
      await database.drop();
    });

    const noting = (by: string): EventHandlers => ({
      'boat.moved': async (tx, { aggregate_id, sequence }) =>
        void (await tx.execute('insert into effects (consumer, aggregate_id, sequence, by) values ($1, $2, $3, $4)', [
          by.split(' ')[0] ?? by,
          aggregate_id,
          sequence,
          by,
        ])),
    });

    async function start(by: string, options: ProcessOptions = {}): Promise<Started> {
      const service = by.split(' ')[0] as 'api' | 'billing' | 'provisioner';
      const db = await database.open({
        onError,
        ...(options.checkpoints === undefined ? {} : { checkpoints: options.checkpoints }),
      });
      const transports = await adapters.open({ db, clock, onError, name: by });
      const messaging = new Messaging({
        db,
        clock,
        random: systemRandom(),
        service,
        known: KNOWN,
        subscriptions: SUBSCRIPTIONS,
        handlers: options.handlers ?? noting(by),
        work: options.work ?? {},
        transports,
        pgNotify: transports.pgNotify,
        onError,
        ...(options.lease_ms === undefined ? {} : { lease_ms: options.lease_ms }),
      });
      await messaging.start();
      const stop = async (): Promise<void> => {
        if (!stops.delete(stop)) return;
        await messaging.stop();
        await transports.pgNotify.close();
        await db.close();
      };
      stops.add(stop);
      const outbox = new Outbox({ clock, random: systemRandom(), pgNotify: transports.pgNotify });
      const schedule = new WorkSchedule({ clock, transport: transports.work, onError });
      return {
        db,
        messaging,
        transports,
        append: (...events: NewEvent[]) => db.tx('append', (tx) => outbox.appendMany(tx, events)),
        scheduleWork: (kind: string, key: string, in_ms = 0) =>
          db.tx('ask', async (tx) => schedule.schedule(tx, { kind, key, due_at: (await clock.now(tx)) + in_ms })),
        stop,
      };
    }

    const effects = async (consumer: string, aggregate_id: string): Promise<number[]> =>
      (
        await database.sql<{ sequence: string }>(
          'select sequence from effects where consumer = $1 and aggregate_id = $2 order by place',
          [consumer, aggregate_id],
        )
      ).map(({ sequence }) => Number(sequence));

    situations({
      clock,
      own,
      start,
      noting,
      effects,
      sql: <R extends object>(text: string, params?: readonly unknown[]) => database.sql<R>(text, params),
      interrupt: () => adapters.interrupt(),
      reported,
    });
  });
}

function endSituations({ own, start, sql }: TransportFixture): void {
  it('finishes current work on stop and starts nothing afterwards', async () => {
    const kind = own('kind');
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run: WorkKind['run'] = async () => {
      enter();
      await ended;
      return { done: true };
    };
    const { scheduleWork, append, messaging } = await start('provisioner', {
      work: { [kind]: { concurrency: 1, run } },
    });
    await scheduleWork(kind, 'one');
    await entered;
    await scheduleWork(kind, 'two');
    const stopped = messaging.stop();
    end();
    await stopped;
    await append(boat(own('s'), 1));
    expect(await sql('select key, leased_until from work where kind = $1', [kind])).toEqual([
      { key: 'two', leased_until: null },
    ]);
  });
}
