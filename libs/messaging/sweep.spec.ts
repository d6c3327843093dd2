import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, seededRandom, systemRandom } from '@moorage/server';
import { recordStatements, rowsRead, testDatabase, type TestDatabase } from '@moorage/testing';
import { Messaging } from './messaging';
import { Outbox } from './outbox';
import { type Audit, Parked, type DecisionRecord } from './parked';
import {
  boat,
  collected,
  envelope,
  failingAt,
  handClock,
  KNOWN,
  makeEffects,
  stored,
} from '@moorage/testing/messaging';
import type { Subscriptions } from './sweep';
import type { Envelope, EventHandlers } from './types';
import { WITH_THE_DATABASE } from './health-reporter';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SUBSCRIPTIONS = { billing: ['boat'], api: ['boat', 'berth'] };

describe('recovery sweep', () => {
  let database: TestDatabase;
  let db: Db;
  const clock = handClock();
  const outbox = new Outbox({ clock, random: systemRandom() });
  const { reported, onError } = collected();
  let carried: Envelope[] = [];
  let signals: string[] = [];

  /** Creates a service with transports that lose everything unless `carries` is set. */
  function messaging(
    service: 'billing' | 'api',
    {
      carries = false,
      known = KNOWN,
      handlers = noting(service),
      relays = true,
      subscriptions = SUBSCRIPTIONS,
      kinds = [],
      db: of = db,
    }: {
      carries?: boolean;
      known?: typeof KNOWN;
      handlers?: EventHandlers;
      relays?: boolean;
      subscriptions?: Subscriptions;
      kinds?: string[];
      db?: Db;
    } = {},
  ): Messaging {
    const nothing = (): Promise<void> => Promise.resolve();
    return new Messaging({
      db: of,
      clock,
      random: seededRandom(4),
      service,
      known,
      subscriptions,
      handlers,
      work: Object.fromEntries(
        kinds.map((kind) => [kind, { concurrency: 1, run: () => Promise.resolve({ done: true } as const) }]),
      ),
      relays,
      onError,
      transports: {
        events: {
          publish: async (batch) => void (carries && carried.push(...batch)),
          subscribe: nothing,
          health: () => WITH_THE_DATABASE,
          close: nothing,
        },
        work: {
          signal: async (kind, key) => void signals.push(`${kind} ${key}`),
          listen: nothing,
          health: () => WITH_THE_DATABASE,
          close: nothing,
        },
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
    db = await database.open();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    carried = [];
    signals = [];
    reported.splice(0);
    for (const table of [
      'outbox',
      'inbox',
      'inbox_positions',
      'inbox_watermarks',
      'event_sequences',
      'effects',
      'work',
    ])
      await database.sql(`delete from ${table}`);
  });

  it('publishes unsent events, and redelivers nothing before a transport had a minute', async () => {
    await append('a');
    const billing = messaging('billing');
    expect(await billing.sweepTick()).toBe(1);
    expect(await count('select 1 from outbox where sent_at is null')).toBe(0);
    expect(await count('select 1 from inbox')).toBe(0);
    expect(await billing.sweepTick()).toBe(0);
  });

  it('redelivers lost events to every subscriber, even if it is not running', async () => {
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

  it('finds lost events, however long ago they were sent', async () => {
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
    expect(await effects('billing')).toEqual(['a1', 'b1']);
  });

  describe('position up to which every subscriber has all events', () => {
    const watermark = async (): Promise<number | undefined> =>
      (
        await database.sql<{ no: number }>(
          `select through_no::int as no from inbox_watermarks where consumer = 'billing' and stream = 'boat'`,
        )
      )[0]?.no;
    const numbers = async (): Promise<number[]> =>
      (
        await database.sql<{ no: number }>(
          'select sent_no::int as no from outbox where sent_at is not null order by sent_no',
        )
      ).map(({ no }) => no);

    /** Opens a relay transaction that has marked the aggregate's events as sent and has not committed. */
    async function relayOf(aggregate_id: string) {
      const client = await (await database.open({ connections_max: 1 })).connect();
      await client.query('begin');
      await client.query(
        `select pg_advisory_xact_lock(hashtextextended('moorage.relay', shard)) from outbox where aggregate_id = $1`,
        [aggregate_id],
      );
      await client.query('update outbox set sent_at = to_timestamp($1) where aggregate_id = $2', [
        clock.at / 1000,
        aggregate_id,
      ]);
      return client;
    }

    it('advances to events sent a minute ago', async () => {
      await append('a', 2);
      const billing = messaging('billing');
      await billing.relayTick();
      await billing.sweepTick();
      expect(await watermark()).toBeUndefined();
      clock.advance(MINUTE + 1);
      await append('b');
      await billing.sweepTick();
      const [, second, third] = await numbers();
      expect(await watermark()).toBe(second);
      clock.advance(MINUTE + 1);
      await billing.sweepTick();
      expect(await watermark()).toBe(third);
    });

    it('does not pass events of an open transaction, which are found once it commits', async () => {
      await append('a');
      await append('b');
      const relay = await relayOf('a');
      try {
        const billing = messaging('billing', { carries: true });
        await database.sql(`update outbox set sent_at = to_timestamp($1) where aggregate_id = 'b'`, [clock.at / 1000]);
        clock.advance(MINUTE + 1);
        for (let tick = 0; tick < 3; tick++) {
          // The open transaction holds a lower number than the events that are redelivered.
          await billing.sweepTick();
          expect(await effects('billing')).toEqual(['b1']);
          expect(await watermark()).toBeUndefined();
          clock.advance(MINUTE);
        }
        await relay.query('commit');
        await billing.sweepTick();
        expect(await effects('billing')).toEqual(['b1', 'a1']);
        expect(await watermark()).toBe((await numbers()).at(-1));
      } finally {
        await relay.end();
      }
    });

    it('advances to the number drawn at the previous tick under constant sending', async () => {
      const sender = async (id: string) => {
        await append(id);
        const client = await relayOf(id);
        return async () => {
          await client.query('commit');
          await client.end();
        };
      };
      const billing = messaging('billing', { carries: true });
      let end = await sender('n0');
      for (let tick = 1; tick <= 3; tick++) {
        clock.advance(MINUTE + 1);
        await billing.sweepTick();
        const next = await sender(`n${tick}`);
        await end();
        end = next;
      }
      expect(await watermark()).toBe((await numbers())[1]);
      await end();
      clock.advance(MINUTE + 1);
      await billing.sweepTick();
      expect(await watermark()).toBe((await numbers()).at(-1));
      expect(await effects('billing')).toEqual(['n01', 'n11', 'n21', 'n31']);
    });

    it.each(['sweep.missed.committed', 'sweep.missed'])(
      'loses nothing when the process ends at %s, page after page',
      async (place) => {
        for (let n = 0; n < 3; n++) await append(`p${n}`, 300);
        while ((await messaging('api').relayTick()) > 0);
        clock.advance(MINUTE + 1);
        let ended = 0;
        for (let nth = 1; nth <= 4; nth++) {
          const checkpoints = failingAt(place, nth);
          const dying = await database.open({ checkpoints });
          await messaging('billing', { db: dying })
            .sweepTick()
            .catch(() => undefined);
          ended += checkpoints.failed() ? 1 : 0;
        }
        await messaging('billing').sweepTick();
        expect(ended).toBe(4);
        expect(await count(`select 1 from inbox where consumer = 'billing'`)).toBe(900);
        expect(await count(`select 1 from inbox where consumer = 'api'`)).toBe(900);
        expect(await watermark()).toBe((await numbers()).at(-1));
      },
    );

    it('starts at the beginning of a stream that a service newly reads', async () => {
      await append('a');
      const billing = messaging('billing');
      await billing.relayTick();
      clock.advance(MINUTE + 1);
      await billing.sweepTick();
      const subscriptions = { ...SUBSCRIPTIONS, provisioner: ['boat'] };
      await messaging('billing', { subscriptions }).sweepTick();
      expect(await count(`select 1 from inbox where consumer = 'provisioner'`)).toBe(1);
    });

    it('is advanced by one sweep at a time', async () => {
      await append('a');
      const billing = messaging('billing');
      await billing.relayTick();
      clock.advance(MINUTE + 1);
      const other = await (await database.open()).connect();
      try {
        await other.query(`begin; select pg_advisory_xact_lock(hashtextextended('moorage.sweep', 0))`);
        expect(await billing.sweepTick()).toBe(0);
        await other.query('rollback');
        expect(await billing.sweepTick()).toBeGreaterThan(0);
      } finally {
        await other.end();
      }
    });

    it('limits a tick to the same number of rows for a thousand or ten thousand stored events', async () => {
      const billing = messaging('billing', { carries: true });
      const history = async (from: number, to: number) => {
        await database.sql(
          `insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data, sent_at)
           select gen_random_uuid(), 'boat', 'boat.moved', 1, 'h' || n, 1, 1, 'c', $1, '{}', $1 from generate_series($2::int, $3::int) n`,
          [new Date(clock.at).toISOString(), from, to],
        );
        await database.sql(
          `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, handled_at, due_at)
           select consumer, event_id, stream, event_name, aggregate_id, sequence, '{}', sent_at, sent_at, sent_at
           from outbox, unnest('{api,billing}'::text[]) consumer on conflict do nothing`,
        );
        await database.sql(
          `insert into inbox_positions select consumer, stream, aggregate_id, sequence from inbox on conflict do nothing`,
        );
        clock.advance(MINUTE + 1);
        await billing.sweepTick();
        await database.sql('vacuum analyze outbox, inbox, inbox_positions');
      };
      const rowsOfATick = async (): Promise<number> => {
        await append('new', 20);
        await billing.relayTick();
        clock.advance(MINUTE + 1);
        const recording = recordStatements();
        await billing.sweepTick();
        recording.stop();
        const client = await (await database.open()).connect();
        try {
          return await rowsRead(client, recording.statements());
        } finally {
          await client.end();
        }
      };
      await history(1, 1_000);
      const few = await rowsOfATick();
      await history(1_001, 10_000);
      const many = await rowsOfATick();
      expect([few, many]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(few).toBeGreaterThan(20);
      expect(many).toBeLessThanOrEqual(few * 1.1);
    });
  });

  it('does not redeliver events that arrived in time', async () => {
    await append('a', 2);
    const billing = messaging('billing', { carries: true });
    await billing.relayTick();
    await billing.arrived(carried);
    await messaging('api').arrived(carried);
    clock.advance(2 * MINUTE);
    expect(await billing.sweepTick()).toBe(2); // drained, not redelivered
    expect(await billing.sweepTick()).toBe(0);
  });

  it('signals its due work again for a queue that lost it', async () => {
    await database.sql(
      `insert into work (kind, key, due_at, created_at) values
        ('paint', 'due', to_timestamp($1), now()), ('sail', 'of another', to_timestamp($1), now()), ('paint', 'tomorrow', to_timestamp($2), now())`,
      [clock.at / 1000, (clock.at + DAY) / 1000],
    );
    await messaging('billing', { kinds: ['paint'] }).sweepTick();
    expect(signals).toEqual(['paint due']);
  });

  it('removes events and handled deliveries after seven days, and delivers late events first', async () => {
    await append('a', 2);
    const billing = messaging('billing', { carries: true });
    await billing.relayTick();
    await billing.arrived(carried);
    await billing.drainTick();
    clock.advance(7 * DAY - 1);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(2);
    expect(await count(`select 1 from inbox where consumer = 'billing'`)).toBe(2);
    await database.sql(`delete from inbox where consumer = 'api'`); // redelivered by the sweep, then lost again
    clock.advance(10_000);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(0);
    expect(await count(`select 1 from inbox where consumer = 'billing'`)).toBe(0);
    expect(await count(`select 1 from inbox where consumer = 'api' and handled_at is null`)).toBe(2);
    await messaging('api').drainTick();
    expect(await effects('api')).toEqual(['a1', 'a2']);
    expect(await effects('billing')).toEqual(['a1', 'a2']);
  });

  it('never removes unhandled or unsent events', async () => {
    await append('a');
    const broken: EventHandlers = { 'boat.moved': () => Promise.reject(new Error('no')) };
    await stored(db, 'billing', [envelope('z', 1)]);
    clock.advance(30 * DAY);
    await messaging('billing', { handlers: broken }).sweepTick();
    expect(await count('select 1 from outbox')).toBe(1);
    expect(await count(`select 1 from inbox where aggregate_id = 'z'`)).toBe(1);
  });

  it('removes more than one page at a time', async () => {
    for (let n = 0; n < 4; n++) await append(`p${n}`, 300);
    const billing = messaging('billing');
    while ((await billing.relayTick()) > 0);
    clock.advance(8 * DAY);
    await billing.sweepTick();
    expect(await count('select 1 from outbox')).toBe(0);
  });

  it('starts a service that joined late at the beginning of the stored history', async () => {
    await stored(db, 'billing', [envelope('old', 8), envelope('old', 9)]);
    expect(await messaging('billing').drainTick()).toBe(0);
    clock.advance(MINUTE + 1);
    await messaging('billing').sweepTick();
    expect(await effects('billing')).toEqual(['old8', 'old9']);
  });

  it('parks a permanently lost event of a started service for review, and a retry continues without it', async () => {
    const billing = messaging('billing');
    await stored(db, 'billing', [envelope('a', 1)]);
    await billing.drainTick();
    const third = envelope('a', 3);
    await stored(db, 'billing', [third, envelope('a', 4)]);
    clock.advance(MINUTE + 1);
    await billing.sweepTick();
    expect(await effects('billing')).toEqual(['a1']);
    const parked = new Parked({ db, clock, audit: () => Promise.resolve() });
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

  it('resumes a parked version once a deploy knows it, also if another service sweeps for all', async () => {
    const sold = envelope('a', 1, { event_name: 'boat.sold' });
    await stored(db, 'billing', [sold, envelope('a', 2)]);
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
    const records: DecisionRecord[] = [];
    const audit: Audit = async (_, record) => void records.push(record);
    const parked = () => new Parked({ db, clock, audit });
    beforeEach(() => void records.splice(0));

    async function parkOne(aggregate_id: string): Promise<Envelope> {
      const event = envelope(aggregate_id, 1);
      const broken = messaging('billing', { handlers: failing });
      await stored(db, 'billing', [event, envelope(aggregate_id, 2)]);
      for (let tries = 0; tries < 10; tries++) {
        await broken.drainTick();
        clock.advance(40 * MINUTE);
      }
      return event;
    }

    it('are listed oldest first, page by page, with the number of events behind them', async () => {
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

    it('are retried on request, and the decision is recorded with its reason', async () => {
      const event = await parkOne('a');
      const decision = { consumer: 'billing', event_id: event.event_id, by: 'mira', reason: 'the bug is fixed' };
      expect(await parked().retry(decision)).toBe('done');
      expect(await parked().retry(decision)).toBe('not_parked');
      await messaging('billing').drainTick();
      expect(await effects('billing')).toEqual(['a1', 'a2']);
      expect(records).toEqual([
        {
          action: 'event.retried',
          subject: 'boat a 1',
          facts: { ...decision, event_name: 'boat.moved' },
          at: clock.at,
        },
      ]);
    });

    it('are all retried on request for one consumer from a given time, in order, each audited', async () => {
      const before = await parkOne('a');
      const since = clock.at;
      await parkOne('c');
      await parkOne('b');
      // A later event of the same aggregate, also parked.
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
      expect(records.map(({ subject }) => subject)).toEqual(['boat b 1', 'boat b 2', 'boat c 1']);
      expect(records[0]?.facts).toMatchObject({ by: 'mira', reason: 'the bug is fixed', consumer: 'billing' });
    });

    it('beyond the limit of one call are left for the next', async () => {
      await database.sql(
        `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at, parked_at)
         select 'billing', gen_random_uuid(), 'boat', 'boat.moved', 'many-' || n, 1, '{}', $1, $1, $1 from generate_series(1, 1003) n`,
        [new Date(clock.at).toISOString()],
      );
      const decision = { consumer: 'billing', since: 0, by: 'mira', reason: 'the bug is fixed' };
      expect(await parked().retryAll(decision)).toEqual({ retried: 1_000, left: true });
      expect(await parked().retryAll(decision)).toEqual({ retried: 3, left: false });
    });

    it('are skipped on request, never handled, and events behind them continue', async () => {
      const event = await parkOne('a');
      const decision = { consumer: 'billing', event_id: event.event_id, by: 'mira', reason: 'the boat was sold' };
      expect(await parked().skip(decision)).toBe('done');
      expect(await parked().skip(decision)).toBe('not_parked');
      await messaging('billing').drainTick();
      expect(await effects('billing')).toEqual(['a2']);
      expect(await parked().list()).toEqual([]);
    });

    it('cannot be skipped past an earlier event that has since arrived', async () => {
      const billing = messaging('billing');
      await stored(db, 'billing', [envelope('a', 1)]);
      await billing.drainTick();
      const third = envelope('a', 3);
      await stored(db, 'billing', [third]);
      clock.advance(MINUTE + 1);
      await billing.sweepTick();
      await stored(db, 'billing', [envelope('a', 2)]);
      const decision = { consumer: 'billing', event_id: third.event_id, by: 'mira', reason: 'hurry' };
      expect(await parked().skip(decision)).toBe('not_first');
      expect(await parked().retry(decision)).toBe('done');
      await billing.drainTick();
      expect(await effects('billing')).toEqual(['a1', 'a2', 'a3']);
    });

    it('are not confused with an event of another consumer or with a missing event', async () => {
      const event = await parkOne('a');
      const wrong = { consumer: 'api', event_id: event.event_id, by: 'mira', reason: 'mistaken' };
      expect(await parked().skip(wrong)).toBe('not_parked');
      expect(await parked().retry({ ...wrong, event_id: '00000000-0000-4000-8000-999999999999' })).toBe('not_parked');
    });
  });
});
