import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Checkpoints, type Clock, type Db, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { createMessaging } from './messaging';
import type { Notices } from './notices';
import { createOutbox } from './outbox';
import { boat, collected, KNOWN, makeEffects, until } from './testing';
import type { Envelope, EventHandlers, EventTransport, NewEvent, OnError, WorkTransport } from './types';
import type { WorkKind } from './work';
import { createWorkSchedule } from './work-schedule';

/** One pair of transports, as a process opens them. `interrupt` cuts their connections from outside. */
export interface Adapters {
  open(process: { db: Db; clock: Clock; onError: OnError; name: string }): Promise<{
    events: EventTransport;
    work: WorkTransport;
    notices: Notices;
  }>;
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

const SUBSCRIPTIONS = { api: ['boat'], billing: ['boat'], provisioner: ['berth'] };

/** What every pair of transports must do, with real services in several processes' worth of connections. */
export function transportsSuite(name: string, make: (database: TestDatabase) => Promise<Adapters>): void {
  describe(`transports: ${name}`, () => {
    const clock = systemClock();
    const { told, onError } = collected();
    let database: TestDatabase;
    let adapters: Adapters;
    const stops: (() => Promise<void>)[] = [];
    let round = 0;
    /** Aggregates and keys of this test alone. */
    const own = (word: string): string => `${round}-${word}`;

    beforeAll(async () => {
      database = await testDatabase();
      await makeEffects(await database.open());
      adapters = await make(database);
    });
    beforeEach(() => {
      round++;
      told.splice(0);
    });
    afterEach(async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
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

    /** `by` is `service process`: two of one service share its inbox and its work. */
    async function start(
      by: string,
      options: { handlers?: EventHandlers; work?: Record<string, WorkKind>; checkpoints?: Checkpoints } = {},
    ) {
      const service = by.split(' ')[0] as 'api' | 'billing' | 'provisioner';
      const db = await database.open({
        service,
        onError,
        ...(options.checkpoints === undefined ? {} : { checkpoints: options.checkpoints }),
      });
      const transports = await adapters.open({ db, clock, onError, name: by });
      const messaging = createMessaging({
        db,
        clock,
        random: systemRandom(),
        service,
        known: KNOWN,
        subscriptions: SUBSCRIPTIONS,
        handlers: options.handlers ?? noting(by),
        work: options.work ?? {},
        transports,
        notices: transports.notices,
        onError,
      });
      await messaging.start();
      stops.push(async () => {
        await messaging.stop();
        await transports.notices.close();
        await db.close();
      });
      const outbox = createOutbox({ clock, random: systemRandom(), notices: transports.notices });
      const schedule = createWorkSchedule({ clock, transport: transports.work, onError });
      return {
        db,
        messaging,
        transports,
        append: (...events: NewEvent[]) => db.tx('append', (tx) => outbox.appendMany(tx, events)),
        ask: (kind: string, key: string, in_ms = 0) =>
          db.tx('ask', async (tx) => schedule.schedule(tx, { kind, key, due_at: (await clock.now(tx)) + in_ms })),
      };
    }

    const effects = async (consumer: string, aggregate_id: string): Promise<number[]> =>
      (
        await database.sql<{ sequence: string }>(
          'select sequence from effects where consumer = $1 and aggregate_id = $2 order by place',
          [consumer, aggregate_id],
        )
      ).map(({ sequence }) => Number(sequence));
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

    /** Throws once at the nth passing of the place. */
    function failingAt(place: string, nth = 1): Checkpoints & { failed(): boolean } {
      let passes = 0;
      return {
        at: (passed) =>
          passed === place && ++passes === nth ? Promise.reject(new Error(`crash at ${place}`)) : Promise.resolve(),
        failed: () => passes >= nth,
      };
    }

    describe('events', () => {
      it('bring the whole envelope to every service that reads the stream, and to no other', async () => {
        const got: Record<string, Envelope[]> = { api: [], billing: [], provisioner: [] };
        const keeping = (service: string): EventHandlers => ({
          'boat.moved': async (_tx, envelope) => void got[service]?.push(envelope),
        });
        const { append } = await start('api', { handlers: keeping('api') });
        await start('billing', { handlers: keeping('billing') });
        await start('provisioner', { handlers: keeping('provisioner') });
        const data = { text: 'Grüße, "Ω" \\ \n\u2028', large: 'ä'.repeat(100_000), none: null, list: [1, { a: 0.5 }] };
        await append({ ...boat(own('a'), 0), data, correlation_id: 'request-1' });
        await until(() => got.api?.length === 1 && got.billing?.length === 1);
        const [row] = await database.sql<{ event_id: string; occurred_at: number }>(
          'select event_id, occurred_at from outbox where aggregate_id = $1',
          [own('a')],
        );
        const expected: Envelope = {
          event_id: row?.event_id ?? '',
          stream: 'boat',
          event_name: 'boat.moved',
          version: 1,
          occurred_at: new Date(row?.occurred_at ?? 0).toISOString(),
          aggregate_id: own('a'),
          sequence: 1,
          correlation_id: 'request-1',
          data,
        };
        expect(got).toEqual({ api: [expected], billing: [expected], provisioner: [] });
      });

      it('are handled in order and once by two processes of one service, with two relays', async () => {
        const first = await start('billing one');
        const second = await start('billing two');
        const boats = upTo(8).map((n) => own(`b${n}`));
        await Promise.all(
          [first, second, first, second].map(async ({ append }) => {
            for (let n = 0; n < 25; n++) await append(...boats.map((id) => boat(id, n)));
          }),
        );
        for (const id of boats) {
          await until(async () => (await effects('billing', id)).length >= 100);
          expect(await effects('billing', id)).toEqual(upTo(100));
        }
      });

      it.each(['inbox.drain.handled', 'inbox.drain.committed', 'relay.publish.sent', 'relay.publish.committed'])(
        'have their effect once when the process dies at %s',
        async (place) => {
          const checkpoints = failingAt(place, 2);
          const { append } = await start('billing', { checkpoints });
          for (let n = 1; n <= 3; n++) {
            await append(boat(own('c'), n));
            await until(async () => (await effects('billing', own('c'))).length >= n);
          }
          expect(checkpoints.failed()).toBe(true);
          expect(await effects('billing', own('c'))).toEqual([1, 2, 3]);
        },
      );

      it('have their effect once when the transport brings them three times', async () => {
        const { append, transports } = await start('billing');
        await append(boat(own('d'), 0), boat(own('d'), 1));
        await until(async () => (await effects('billing', own('d'))).length === 2);
        const envelopes = await database.sql<{ envelope: Envelope }>(
          'select envelope from inbox where aggregate_id = $1 order by sequence desc',
          [own('d')],
        );
        for (let times = 0; times < 3; times++) await transports.events.publish(envelopes.map((row) => row.envelope));
        await append(boat(own('d'), 2));
        await until(async () => (await effects('billing', own('d'))).length >= 3);
        expect(await effects('billing', own('d'))).toEqual([1, 2, 3]);
      });

      it('come again when their arrival could not be stored', async () => {
        const checkpoints = failingAt('inbox.arrive');
        const { append } = await start('billing', { checkpoints });
        await append(boat(own('e'), 0));
        await until(async () => (await effects('billing', own('e'))).length === 1);
        expect(checkpoints.failed()).toBe(true);
      });

      it('wait for a service that is not running', async () => {
        const api = await start('api');
        await api.append(...upTo(30).map((n) => boat(own('f'), n)));
        await until(async () => (await effects('api', own('f'))).length === 30);
        await start('billing');
        await until(async () => (await effects('billing', own('f'))).length === 30);
        expect(await effects('billing', own('f'))).toEqual(upTo(30));
      });

      it('pass by an aggregate whose head fails', async () => {
        const poison = own('poison');
        const handlers: EventHandlers = {
          'boat.moved': async (tx, envelope) => {
            if (envelope.aggregate_id === poison) throw new Error('never');
            await noting('billing')['boat.moved']?.(tx, envelope);
          },
        };
        const { append } = await start('billing', { handlers });
        await append(...upTo(5).map((n) => boat(poison, n)));
        await append(...upTo(5).map((n) => boat(own('g'), n)));
        await until(async () => (await effects('billing', own('g'))).length === 5);
        expect(await effects('billing', poison)).toEqual([]);
      });

      it('go on after the connection was cut', async () => {
        const { append } = await start('billing');
        await append(boat(own('h'), 0));
        await until(async () => (await effects('billing', own('h'))).length === 1);
        await adapters.interrupt();
        await until(() =>
          append(boat(own('h'), 1)).then(
            () => true,
            () => false,
          ),
        );
        await until(async () => (await effects('billing', own('h'))).length >= 2);
        expect(await effects('billing', own('h'))).toEqual([1, 2]);
      });
    });

    describe('work', () => {
      const noteWork =
        (by: string): WorkKind['run'] =>
        async ({ key }) => ({
          done: true,
          commit: async (tx) =>
            void (await tx.execute(
              'insert into effects (consumer, aggregate_id, sequence, by) values ($1, $2, 1, $3)',
              ['work', key, by],
            )),
        });
      const left = async (kind: string): Promise<number> =>
        (await database.sql('select 1 from work where kind = $1', [kind])).length;

      it('runs at once when it is due now, and not before it is due', async () => {
        const ran: Record<string, number> = {};
        const kind = own('kind');
        const run: WorkKind['run'] = async ({ key }) => {
          ran[key] = performance.now();
          return { done: true };
        };
        const { ask } = await start('provisioner', { work: { [kind]: { concurrency: 2, run } } });
        const asked = performance.now();
        await ask(kind, 'later', 700);
        await ask(kind, 'now');
        await until(() => ran.now !== undefined);
        expect(ran.later).toBeUndefined();
        await until(() => ran.later !== undefined);
        expect((ran.later ?? 0) - asked).toBeGreaterThanOrEqual(690);
        await until(async () => (await left(kind)) === 0);
      });

      it('runs each step once among two processes, and no more at a time than a kind may', async () => {
        const kind = own('kind');
        let running = 0;
        let most = 0;
        const limited = (by: string): WorkKind => ({
          concurrency: 3,
          run: async (claim, signal) => {
            most = Math.max(most, ++running);
            await clock.sleep(2);
            running--;
            return noteWork(by)(claim, signal);
          },
        });
        const first = await start('provisioner one', { work: { [kind]: limited('one') } });
        await start('provisioner two', { work: { [kind]: limited('two') } });
        const keys = upTo(120).map((n) => own(`k${n}`));
        for (const key of keys) await first.ask(kind, key);
        await until(async () => (await left(kind)) === 0);
        for (const key of keys) expect(await effects('work', key)).toEqual([1]);
        expect(most).toBeLessThanOrEqual(6);
        expect(most).toBeGreaterThan(1);
      });

      it.each(['work.claim.committed', 'work.finish', 'work.finish.effected', 'work.finish.committed'])(
        'has its effect once when the process dies at %s',
        async (place) => {
          const kind = own('kind');
          const checkpoints = failingAt(place);
          const { ask, db } = await start('provisioner', {
            checkpoints,
            work: { [kind]: { concurrency: 1, run: noteWork('p') } },
          });
          await ask(kind, own('k'));
          await until(() => checkpoints.failed());
          // a dead process leaves its lease behind; it lapses here
          if (place === 'work.claim.committed')
            await db.tx('lapse', (tx) => tx.execute('update work set leased_until = due_at where kind = $1', [kind]));
          await until(async () => (await left(kind)) === 0);
          expect(await effects('work', own('k'))).toEqual([1]);
        },
      );

      it('runs once however often it is signalled', async () => {
        const kind = own('kind');
        const { ask, transports } = await start('provisioner', {
          work: { [kind]: { concurrency: 4, run: noteWork('p') } },
        });
        await ask(kind, own('k'));
        for (let times = 0; times < 5; times++) await transports.work.signal(kind, own('k'), clock.wall());
        await until(async () => (await left(kind)) === 0);
        for (let times = 0; times < 5; times++) await transports.work.signal(kind, own('k'), clock.wall());
        await ask(kind, own('after'));
        await until(async () => (await effects('work', own('after'))).length === 1);
        expect(await effects('work', own('k'))).toEqual([1]);
      });

      it('is found by the sweep when its signal was lost', async () => {
        const kind = own('kind');
        const { db, messaging } = await start('provisioner', {
          work: { [kind]: { concurrency: 1, run: noteWork('p') } },
        });
        const silent = createWorkSchedule({ clock });
        await db.tx('ask', async (tx) => silent.schedule(tx, { kind, key: own('k'), due_at: await clock.now(tx) }));
        await messaging.sweepTick();
        await until(async () => (await left(kind)) === 0);
        expect(await effects('work', own('k'))).toEqual([1]);
      });

      it('costs no worker while it waits: 200 that wait leave 5 workers free for the next', async () => {
        const kind = own('kind');
        const run: WorkKind['run'] = async (claim, signal) =>
          claim.key.startsWith('waits')
            ? { again_at: clock.wall() + 60_000, because: 'no DNS yet' }
            : noteWork('p')(claim, signal);
        const { ask } = await start('provisioner', { work: { [kind]: { concurrency: 5, run } } });
        await Promise.all(upTo(200).map((n) => ask(kind, `waits ${n}`)));
        await until(
          async () =>
            (await database.sql('select 1 from work where kind = $1 and because is not null', [kind])).length === 200,
        );
        const asked = performance.now();
        await ask(kind, own('next'));
        await until(async () => (await effects('work', own('next'))).length === 1);
        expect(performance.now() - asked).toBeLessThan(1_000);
      });

      it('goes on after the connection was cut', async () => {
        const kind = own('kind');
        const { ask } = await start('provisioner', { work: { [kind]: { concurrency: 1, run: noteWork('p') } } });
        await ask(kind, own('before'));
        await until(async () => (await left(kind)) === 0);
        await adapters.interrupt();
        await until(() =>
          ask(kind, own('after')).then(
            () => true,
            () => false,
          ),
        );
        await until(async () => (await left(kind)) === 0);
        expect(await effects('work', own('after'))).toEqual([1]);
      });
    });

    it('stop lets what runs end, and nothing starts afterwards', async () => {
      const kind = own('kind');
      let enter: () => void = () => undefined;
      const entered = new Promise<void>((resolve) => (enter = resolve));
      const run: WorkKind['run'] = async () => {
        enter();
        await clock.sleep(100);
        return { done: true };
      };
      const { ask, append, messaging } = await start('provisioner', { work: { [kind]: { concurrency: 1, run } } });
      await ask(kind, 'one');
      await entered;
      await ask(kind, 'two');
      await messaging.stop();
      await append(boat(own('s'), 1));
      expect(await database.sql('select key, leased_until from work where kind = $1', [kind])).toEqual([
        { key: 'two', leased_until: null },
      ]);
    });
  });
}
