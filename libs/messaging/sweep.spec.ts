import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, seededRandom, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { createMessaging, type Messaging } from './messaging';
import { createOutbox } from './outbox';
import { createParked } from './parked';
import { boat, collected, envelope, handClock, KNOWN, makeEffects } from './testing';
import type { Envelope, EventHandlers } from './types';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SUBSCRIPTIONS = { billing: ['boat'], api: ['boat', 'berth'] };

describe('the sweep', () => {
  let database: TestDatabase;
  let db: Db;
  const clock = handClock();
  const outbox = createOutbox({ clock, random: systemRandom() });
  const { told, onError } = collected();
  let carried: Envelope[] = [];
  let signals: string[] = [];

  /** A service whose transports lose everything, unless `carries`. */
  function messaging(
    service: 'billing' | 'api',
    { carries = false, known = KNOWN, handlers = noting(service), relays = true } = {},
  ): Messaging {
    const nothing = (): Promise<void> => Promise.resolve();
    return createMessaging({
      db,
      clock,
      random: seededRandom(4),
      service,
      known,
      subscriptions: SUBSCRIPTIONS,
      handlers,
      work: {},
      relays,
      onError,
      transports: {
        events: {
          publish: async (batch) => void (carries && carried.push(...batch)),
          subscribe: nothing,
          close: nothing,
        },
        work: { signal: async (kind, key) => void signals.push(`${kind} ${key}`), listen: nothing, close: nothing },
      },
    });
  }

  const noting = (consumer: string): EventHandlers => ({
    'boat.moved': async (tx, { aggregate_id, sequence }) =>
      void (await tx.execute('insert into effects (consumer, aggregate_id, sequence) values ($1, $2, $3)', [
        consumer,
        aggregate_id,
        sequence,
      ])),
  });
  const append = (aggregate_id: string, count = 1) =>
    db.tx('append', (tx) =>
      outbox.appendMany(
        tx,
        Array.from({ length: count }, (_, n) => boat(aggregate_id, n)),
      ),
    );
  const effects = async (consumer: string): Promise<string[]> =>
    (
      await database.sql<{ what: string }>(
        `select aggregate_id || sequence as what from effects where consumer = $1 order by place`,
        [consumer],
      )
    ).map(({ what }) => what);
  const count = async (sql: string): Promise<number> => (await database.sql(sql)).length;

  beforeAll(async () => {
    database = await testDatabase();
    await makeEffects(await database.open());
    db = await database.open({ service: 'billing' });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    carried = [];
    signals = [];
    told.splice(0);
    for (const table of ['outbox', 'inbox', 'inbox_positions', 'event_sequences', 'effects', 'work'])
      await database.sql(`delete from ${table}`);
  });

  it('publishes what was left unsent, and brings nothing before a transport had its minute', async () => {
    await append('a');
    const billing = messaging('billing');
    expect(await billing.sweepTick()).toBe(1);
    expect(await count('select 1 from outbox where sent_at is null')).toBe(0);
    expect(await count('select 1 from inbox')).toBe(0);
    expect(await billing.sweepTick()).toBe(0);
  });

  it('brings events that were lost on the way to every subscriber, even to one that is not running', async () => {
    await append('a', 3);
    const billing = messaging('billing');
    await billing.relayTick();
    clock.advance(MINUTE + 1);
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1', 'a2', 'a3']);
    expect(await count(`select 1 from inbox where consumer = 'api'`)).toBe(3);
    await messaging('api').drainTick();
    expect(await effects('api')).toEqual(['a1', 'a2', 'a3']);
    expect(await billing.sweepTick()).toBe(0);
  });

  it('finds on its first pass what was lost days ago, and later looks only at what was sent lately', async () => {
    await append('a');
    await messaging('api').relayTick();
    clock.advance(3 * DAY);
    const billing = messaging('billing');
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1']);
    await append('b');
    await messaging('api').relayTick();
    clock.advance(20 * MINUTE);
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1']);
    clock.advance(41 * MINUTE);
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1', 'b1']);
  });

  it('does not bring again what arrived in time', async () => {
    await append('a', 2);
    const billing = messaging('billing', { carries: true });
    await billing.relayTick();
    await billing.arrived(carried);
    await messaging('api').arrived(carried);
    clock.advance(2 * MINUTE);
    expect(await billing.sweepTick()).toBe(2); // drained, not brought
    expect(await billing.sweepTick()).toBe(0);
  });

  it('signals due work again, for a queue that lost it', async () => {
    await database.sql(
      `insert into work (kind, key, due_at, created_at) values
        ('paint', 'due', to_timestamp($1), now()), ('paint', 'tomorrow', to_timestamp($2), now())`,
      [clock.at / 1000, (clock.at + DAY) / 1000],
    );
    await messaging('billing').sweepTick();
    expect(signals).toEqual(['paint due']);
  });

  it('keeps events and handled deliveries for seven days, then clears them away and gives the late ones theirs first', async () => {
    await append('a', 2);
    const billing = messaging('billing', { carries: true });
    await billing.relayTick();
    await billing.arrived(carried);
    await billing.drainTick();
    clock.advance(7 * DAY - 1);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(2);
    expect(await count(`select 1 from inbox where consumer = 'billing'`)).toBe(2);
    await database.sql(`delete from inbox where consumer = 'api'`); // brought by the sweep, lost once more
    clock.advance(10_000);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(0);
    expect(await count(`select 1 from inbox where consumer = 'billing'`)).toBe(0);
    expect(await count(`select 1 from inbox where consumer = 'api' and handled_at is null`)).toBe(2);
    await messaging('api').drainTick();
    expect(await effects('api')).toEqual(['a1', 'a2']);
    expect(await effects('billing')).toEqual(['a1', 'a2']);
  });

  it('never clears away what was not handled or not sent', async () => {
    await append('a');
    const broken: EventHandlers = { 'boat.moved': () => Promise.reject(new Error('no')) };
    await messaging('billing').arrived([envelope('z', 1)]);
    clock.advance(30 * DAY);
    await messaging('billing', { handlers: broken }).sweepTick();
    expect(await count('select 1 from outbox')).toBe(1);
    expect(await count(`select 1 from inbox where aggregate_id = 'z'`)).toBe(1);
  });

  it('clears away more than one page at a time', async () => {
    for (let n = 0; n < 4; n++) await append(`p${n}`, 300);
    const billing = messaging('billing');
    while ((await billing.relayTick()) > 0);
    clock.advance(8 * DAY);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(0);
  });

  it('lets a service that joined late begin where the kept history begins', async () => {
    await messaging('billing').arrived([envelope('old', 8), envelope('old', 9)]);
    expect(await messaging('billing').drainTick()).toBe(0);
    clock.advance(MINUTE + 1);
    await messaging('billing').sweepTick();
    expect(await effects('billing')).toEqual(['old8', 'old9']);
  });

  it('parks, for people to look, when a service that had begun has lost an event for good; a retry goes on without it', async () => {
    const billing = messaging('billing');
    await billing.arrived([envelope('a', 1)]);
    await billing.drainTick();
    const third = envelope('a', 3);
    await billing.arrived([third, envelope('a', 4)]);
    clock.advance(MINUTE + 1);
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1']);
    const parked = createParked({ db, clock });
    expect(await parked.list()).toMatchObject([
      { event_id: third.event_id, sequence: 3, last_error: 'an earlier event is missing', behind: 1 },
    ]);
    await parked.retry({ consumer: 'billing', event_id: third.event_id, by: 'ops', reason: 'restored from a backup' });
    await billing.drainTick();
    expect(await effects('billing')).toEqual(['a1', 'a3', 'a4']);
  });

  it('waits for an earlier event that is only late', async () => {
    await append('a', 2);
    const billing = messaging('billing', { carries: true });
    await billing.relayTick();
    await billing.arrived(carried.filter(({ sequence }) => sequence === 2));
    await database.sql('update outbox set sent_at = null where sequence = 1');
    clock.advance(5 * MINUTE);
    await billing.sweepTick();
    expect(await count('select 1 from inbox where parked_at is not null')).toBe(0);
    expect(await effects('billing')).toEqual([]);
  });

  it('wakes a parked version as soon as a deploy knows it, also where another one sweeps for all', async () => {
    const sold = envelope('a', 1, { event_name: 'boat.sold' });
    await messaging('billing').arrived([sold, envelope('a', 2)]);
    await messaging('billing').drainTick();
    expect(await count('select 1 from inbox where parked_at is not null')).toBe(1);
    await messaging('billing').sweepTick();
    expect(await count('select 1 from inbox where parked_at is not null')).toBe(1);
    const known = { ...KNOWN, 'boat.sold': { stream: 'boat', version: 1 } };
    await messaging('billing', { known, relays: false }).sweepTick();
    expect(await effects('billing')).toEqual(['a2']);
  });

  describe('parked deliveries', () => {
    const failing: EventHandlers = { 'boat.moved': () => Promise.reject(new RangeError('no')) };
    const parked = () => createParked({ db, clock });

    async function parkOne(aggregate_id: string): Promise<Envelope> {
      const event = envelope(aggregate_id, 1);
      const broken = messaging('billing', { handlers: failing });
      await broken.arrived([event, envelope(aggregate_id, 2)]);
      for (let tries = 0; tries < 10; tries++) {
        await broken.drainTick();
        clock.advance(40 * MINUTE);
      }
      return event;
    }

    it('are listed oldest first, page by page, with what waits behind them', async () => {
      const first = await parkOne('a');
      const second = await parkOne('b');
      const [one] = await parked().list({ limit: 1 });
      expect(one).toMatchObject({
        event_id: first.event_id,
        consumer: 'billing',
        attempts: 10,
        last_error: 'RangeError',
        behind: 1,
      });
      expect(await parked().list({ after: one })).toMatchObject([{ event_id: second.event_id }]);
      expect(await parked().list({ consumer: 'api' })).toEqual([]);
    });

    it('are tried again on request, and the decision is recorded with its reason', async () => {
      const event = await parkOne('a');
      const decision = { consumer: 'billing', event_id: event.event_id, by: 'mira', reason: 'the bug is fixed' };
      expect(await parked().retry(decision)).toBe('done');
      expect(await parked().retry(decision)).toBe('not_parked');
      await messaging('billing').drainTick();
      expect(await effects('billing')).toEqual(['a1', 'a2']);
      expect(
        await database.sql(`select action, subject, facts from audit_records where facts ->> 'event_id' = $1`, [
          event.event_id,
        ]),
      ).toEqual([{ action: 'event.retried', subject: 'boat a 1', facts: { ...decision, event_name: 'boat.moved' } }]);
    });

    it('are all tried again on request: of one consumer, parked since an instant, in order, each on the record', async () => {
      const before = await parkOne('a');
      const since = clock.at;
      const [second, third] = [await parkOne('c'), await parkOne('b')];
      // a later one of the same aggregate, parked too
      await database.sql(
        `update inbox set parked_at = $1 where consumer = 'billing' and aggregate_id = 'b' and sequence = 2`,
        [new Date(clock.at).toISOString()],
      );
      const decision = { consumer: 'billing', since, by: 'mira', reason: 'the bug is fixed' };
      expect(await parked().retryAll({ ...decision, consumer: 'api' })).toEqual({ retried: 0, left: false });
      expect(await parked().retryAll(decision)).toEqual({ retried: 3, left: false });
      expect(await parked().retryAll(decision)).toEqual({ retried: 0, left: false });
      expect((await parked().list()).map(({ event_id }) => event_id)).toEqual([before.event_id]);
      await messaging('billing').drainTick();
      expect((await effects('billing')).sort()).toEqual(['b1', 'b2', 'c1', 'c2']);
      const records = await database.sql<{ subject: string; facts: object }>(
        `select subject, facts from audit_records where action = 'event.retried' and facts ->> 'reason' = $1
           and (facts ->> 'event_id' = any($2) or subject = 'boat b 2') order by id`,
        [decision.reason, [second.event_id, third.event_id]],
      );
      expect(records.map(({ subject }) => subject)).toEqual(['boat b 1', 'boat b 2', 'boat c 1']);
      expect(records[0]?.facts).toMatchObject({ by: 'mira', reason: 'the bug is fixed', consumer: 'billing' });
    });

    it('that are too many for one call are left for the next', async () => {
      await database.sql(
        `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at, parked_at)
         select 'billing', gen_random_uuid(), 'boat', 'boat.moved', 'many-' || n, 1, '{}', $1, $1, $1 from generate_series(1, 1003) n`,
        [new Date(clock.at).toISOString()],
      );
      const decision = { consumer: 'billing', since: 0, by: 'mira', reason: 'the bug is fixed' };
      expect(await parked().retryAll(decision)).toEqual({ retried: 1_000, left: true });
      expect(await parked().retryAll(decision)).toEqual({ retried: 3, left: false });
    });

    it('are skipped on request: never handled, and what waited behind goes on', async () => {
      const event = await parkOne('a');
      const decision = { consumer: 'billing', event_id: event.event_id, by: 'mira', reason: 'the boat was sold' };
      expect(await parked().skip(decision)).toBe('done');
      expect(await parked().skip(decision)).toBe('not_parked');
      await messaging('billing').drainTick();
      expect(await effects('billing')).toEqual(['a2']);
      expect(await parked().list()).toEqual([]);
    });

    it('cannot be skipped over an earlier event that has come after all', async () => {
      const billing = messaging('billing');
      await billing.arrived([envelope('a', 1)]);
      await billing.drainTick();
      const third = envelope('a', 3);
      await billing.arrived([third]);
      clock.advance(MINUTE + 1);
      await billing.sweepTick();
      await billing.arrived([envelope('a', 2)]);
      const decision = { consumer: 'billing', event_id: third.event_id, by: 'mira', reason: 'hurry' };
      expect(await parked().skip(decision)).toBe('not_first');
      expect(await parked().retry(decision)).toBe('done');
      await billing.drainTick();
      expect(await effects('billing')).toEqual(['a1', 'a2', 'a3']);
    });

    it('are nothing that an event of another consumer, or none at all, could be taken for', async () => {
      const event = await parkOne('a');
      const wrong = { consumer: 'api', event_id: event.event_id, by: 'mira', reason: 'mistaken' };
      expect(await parked().skip(wrong)).toBe('not_parked');
      expect(await parked().retry({ ...wrong, event_id: '00000000-0000-4000-8000-999999999999' })).toBe('not_parked');
    });
  });
});
