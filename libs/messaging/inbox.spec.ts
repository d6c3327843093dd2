import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { correlated, correlationId, type Db, seededRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import * as fc from 'fast-check';
import { Inbox, ForgedEnvelopes, UNKNOWN_EVENT } from './inbox';
import { collected, envelope, handClock, KNOWN, makeEffects, sent } from '@moorage/testing/messaging';
import type { Envelope, EventHandler, EventHandlers, KnownEvents } from './types';

const MINUTE = 60_000;

describe('inbox', () => {
  let database: TestDatabase;
  let db: Db;
  const clock = handClock();
  const { reported, onError } = collected();
  const note: EventHandler = async (tx, { aggregate_id, sequence }) => {
    await tx.execute('insert into effects (consumer, aggregate_id, sequence) values ($1, $2, $3)', [
      'billing',
      aggregate_id,
      sequence,
    ]);
  };

  function inboxWith(handlers: EventHandlers, known: KnownEvents = KNOWN): Inbox {
    return new Inbox({ db, clock, random: seededRandom(1), consumer: 'billing', known, handlers, onError });
  }

  /** Delivers events that the outbox contains. */
  const deliver = async (inbox: Inbox, envelopes: readonly Envelope[]) => inbox.arrived(await sent(db, envelopes));
  const noting = (): Inbox => inboxWith({ 'boat.moved': note });
  const effects = async (aggregate_id: string): Promise<number[]> =>
    (
      await database.sql<{ sequence: string }>('select sequence from effects where aggregate_id = $1 order by place', [
        aggregate_id,
      ])
    ).map(({ sequence }) => Number(sequence));
  const row = async (event_id: string) => {
    const [found] = await database.sql<{
      attempts: number;
      due_at: number;
      parked_at: number | null;
      handled_at: number | null;
      last_error: string | null;
    }>('select attempts, due_at, parked_at, handled_at, last_error from inbox where event_id = $1', [event_id]);
    return found;
  };

  beforeAll(async () => {
    database = await testDatabase();
    await makeEffects(await database.open());
    db = await database.open();
  });
  afterAll(() => database.drop());
  beforeEach(() => void reported.splice(0));

  it('handles arrivals in order, each event once', async () => {
    const inbox = noting();
    const events = [1, 2, 3].map((sequence) => envelope('a', sequence));
    expect(await deliver(inbox, events)).toEqual([{ stream: 'boat', aggregate_id: 'a' }]);
    expect(await inbox.drain('boat', 'a')).toBe(3);
    expect(await deliver(inbox, events)).toEqual([]);
    expect(await inbox.drain('boat', 'a')).toBe(0);
    expect(await effects('a')).toEqual([1, 2, 3]);
  });

  it('handles an event, and reports its failure, under its correlation id', async () => {
    const under: (string | undefined)[] = [];
    const inbox = new Inbox({
      db,
      clock,
      random: seededRandom(1),
      consumer: 'billing',
      known: KNOWN,
      handlers: {
        'boat.moved': (tx) => {
          under.push(correlationId());
          tx.afterCommit(() => void under.push(correlationId()));
          return under.length > 2 ? Promise.reject(new Error('too often')) : Promise.resolve();
        },
      },
      onError: () => void under.push(correlationId()),
    });
    await deliver(
      inbox,
      [1, 2].map((n) => ({ ...envelope('traced', n), correlation_id: `request-${n}` })),
    );
    await correlated('another', () => inbox.drain('boat', 'traced'));
    expect(under).toEqual(['request-1', 'request-1', 'request-2', 'request-2']);
  });

  const genuine = envelope('forged', 1, { data: { n: 1, of: 'harbour' } });
  it.each<[string, Partial<Envelope>]>([
    ['that is not in the outbox', { event_id: '99999999-0000-4000-8000-000000000000' }],
    ['with other data than in the outbox', { data: { n: 2, of: 'harbour' } }],
    ['with an event that the outbox holds under another name', { event_name: 'boat.painted' }],
    ['with an event of another stream', { stream: 'payment' }],
    ['with an event of another aggregate', { aggregate_id: 'another' }],
    ['with an event of another position', { sequence: 2 }],
  ])('rejects an envelope %s, reports it and accepts the others', async (_, changes) => {
    const inbox = noting();
    await sent(db, [genuine]);
    const [other] = await sent(db, [envelope(`beside ${JSON.stringify(changes)}`, 1)]);
    if (other === undefined) throw new Error('nothing was sent');
    const { stream, aggregate_id } = other;
    expect(await inbox.arrived([{ ...genuine, ...changes }, other])).toEqual([{ stream, aggregate_id }]);
    expect(reported).toEqual([
      { error: expect.any(ForgedEnvelopes), facts: { at: 'inbox.arrive', consumer: 'billing', forged: 1 } },
    ]);
    expect(await row(changes.event_id ?? genuine.event_id)).toBeUndefined();
  });

  it('does not report a parked event as forged if its outbox row is gone when it arrives again', async () => {
    const inbox = inboxWith({ 'boat.moved': () => Promise.reject(new Error('no')) });
    const event = envelope('retired', 1);
    await deliver(inbox, [event]);
    await database.sql('delete from outbox where event_id = $1', [event.event_id]);
    expect(await inbox.arrived([event])).toEqual([]);
    expect(reported).toEqual([]);
  });

  it('waits for the event that fills a gap', async () => {
    const inbox = noting();
    const [one, two, three] = [envelope('gap', 1), envelope('gap', 2), envelope('gap', 3)];
    await deliver(inbox, [three, one]);
    expect(await inbox.drain('boat', 'gap')).toBe(1);
    await deliver(inbox, [two]);
    expect(await inbox.drain('boat', 'gap')).toBe(2);
    expect(await effects('gap')).toEqual([1, 2, 3]);
  });

  it('property: for any order, batches and duplicates, every event is handled once and in order', async () => {
    let run = 0;
    const inbox = noting();
    const arrivals = fc
      .tuple(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(7), { maxLength: 8 }), fc.infiniteStream(fc.nat()))
      .map(([count, doubles, keys]) => {
        const all = [...Array.from({ length: count }, (_, index) => index + 1), ...doubles.map((n) => (n % count) + 1)];
        return all.map((sequence) => ({ sequence, key: keys.next().value ?? 0 })).sort((a, b) => a.key - b.key);
      });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), async (order, size) => {
        const aggregate = `law-${++run}`;
        const events = new Map(order.map(({ sequence }) => [sequence, envelope(aggregate, sequence)]));
        const list = order.map(({ sequence }) => events.get(sequence) ?? envelope(aggregate, sequence));
        for (let from = 0; from < list.length; from += size) {
          await deliver(inbox, list.slice(from, from + size));
          await inbox.drain('boat', aggregate);
        }
        expect(await effects(aggregate)).toEqual([...events.keys()].sort((a, b) => a - b));
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('skips events without a handler, many at a time', async () => {
    const inbox = noting();
    const events = Array.from({ length: 50 }, (_, index) =>
      envelope('quiet', index + 1, index === 44 ? {} : { event_name: 'boat.painted' }),
    );
    await deliver(inbox, events);
    const step = await inbox.step({ stream: 'boat', aggregate_id: 'quiet' });
    expect(step).toEqual({ events: 20, then: 'more' });
    expect(await inbox.drain('boat', 'quiet')).toBe(30);
    expect(await effects('quiet')).toEqual([45]);
  });

  it('rolls back all changes of a throwing handler and retries after a second', async () => {
    let fails = true;
    const inbox = inboxWith({
      'boat.moved': async (tx, event) => {
        await note(tx, event);
        if (fails) throw Object.assign(new Error('the password is hunter2'), { code: 'HARBOUR_FULL' });
      },
    });
    const event = envelope('thrown', 1);
    await deliver(inbox, [event]);
    expect(await inbox.drain('boat', 'thrown')).toBe(0);
    expect(await effects('thrown')).toEqual([]);
    expect(await row(event.event_id)).toMatchObject({ attempts: 1, parked_at: null, last_error: 'Error HARBOUR_FULL' });
    expect(reported).toMatchObject([{ facts: { at: 'inbox.drain', consumer: 'billing', event_name: 'boat.moved' } }]);
    fails = false;
    expect(await inbox.drain('boat', 'thrown')).toBe(0);
    clock.advance(1_500);
    expect(await inbox.drain('boat', 'thrown')).toBe(1);
    expect(await effects('thrown')).toEqual([1]);
  });

  it('parks after ten attempts over about an hour, blocking only that aggregate', async () => {
    const inbox = inboxWith({
      'boat.moved': async (tx, event) => {
        if (event.aggregate_id === 'poison') throw new TypeError('never');
        await note(tx, event);
      },
    });
    const poison = envelope('poison', 1);
    await deliver(inbox, [poison, envelope('poison', 2)]);
    const began = clock.at;
    for (let tries = 0; (await row(poison.event_id))?.parked_at === null && tries < 200; tries++) {
      await inbox.tick();
      const next = (await row(poison.event_id))?.due_at ?? clock.at;
      clock.advance(Math.max(0, next - clock.at));
    }
    expect(await row(poison.event_id)).toMatchObject({ attempts: 10, last_error: 'TypeError' });
    expect(reported).toHaveLength(10);
    expect(clock.at - began).toBeGreaterThan(40 * MINUTE);
    expect(clock.at - began).toBeLessThan(75 * MINUTE);
    await deliver(inbox, [envelope('healthy', 1)]);
    expect(await inbox.tick()).toBe(1);
    expect(await effects('healthy')).toEqual([1]);
    expect(await effects('poison')).toEqual([]);
  });

  it.each([
    ['a later version', { event_name: 'boat.painted', version: 3 }],
    ['a name of a newer deploy', { event_name: 'boat.sold' }],
    ['a name that every object has', { event_name: 'constructor' }],
  ])('parks %s at once', async (name, changes) => {
    const inbox = noting();
    const event = envelope(name, 2, changes);
    await deliver(inbox, [envelope(name, 1), event, envelope(name, 3)]);
    expect(await inbox.drain('boat', name)).toBe(1);
    expect(await row(event.event_id)).toMatchObject({ attempts: 0, handled_at: null, last_error: UNKNOWN_EVENT });
    expect((await row(event.event_id))?.parked_at).toBe(clock.at);
    expect(await effects(name)).toEqual([1]);
  });

  it('accepts an earlier version than the newest known version', async () => {
    const inbox = inboxWith({ 'boat.painted': note });
    await deliver(inbox, [envelope('older', 1, { event_name: 'boat.painted', version: 1 })]);
    expect(await inbox.drain('boat', 'older')).toBe(1);
    expect(await effects('older')).toEqual([1]);
  });

  it('passes validated data to handlers, and never data that its schema rejects', async () => {
    const seen: unknown[] = [];
    const known: KnownEvents = {
      'boat.moved': {
        stream: 'boat',
        version: 1,
        data: {
          parse: (data) => {
            const { n } = data as { n: unknown };
            if (typeof n !== 'number') throw new TypeError('n is no number');
            return { n: n * 2 };
          },
        },
      },
    };
    const inbox = inboxWith({ 'boat.moved': async (_tx, { data }) => void seen.push(data) }, known);
    const wrong = envelope('schema', 2, { data: { n: 'two' } });
    await deliver(inbox, [envelope('schema', 1), wrong]);
    expect(await inbox.drain('boat', 'schema')).toBe(1);
    expect(seen).toEqual([{ n: 2 }]);
    expect(await row(wrong.event_id)).toMatchObject({ attempts: 1, last_error: 'TypeError' });
  });

  it('leaves an aggregate to the process that handles it, which is no failure', async () => {
    let enter: () => void = () => undefined;
    let leave: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    const slow = inboxWith({
      'boat.moved': async (tx, event) => {
        await note(tx, event);
        enter();
        await left;
      },
    });
    await deliver(slow, [envelope('busy', 1)]);
    const first = slow.drain('boat', 'busy');
    await entered;
    expect(await noting().step({ stream: 'boat', aggregate_id: 'busy' })).toEqual({ events: 0, then: 'busy' });
    leave();
    expect(await first).toBe(1);
    expect(await effects('busy')).toEqual([1]);
  });

  it('remembers handled events and does not store one that returns after its row was removed', async () => {
    const inbox = noting();
    const event = envelope('replayed', 1);
    await deliver(inbox, [event]);
    await inbox.drain('boat', 'replayed');
    await database.sql('delete from inbox where event_id = $1', [event.event_id]);
    expect(await deliver(inbox, [event])).toEqual([]);
    expect(await row(event.event_id)).toBeUndefined();
  });

  it('drains the oldest first and lists no aggregate whose next event is missing', async () => {
    const inbox = noting();
    await inbox.tick();
    await deliver(inbox, [
      envelope('late', 1, { occurred_at: '2026-11-30T12:00:00.000Z' }),
      envelope('early', 1, { occurred_at: '2026-11-30T11:00:00.000Z' }),
      envelope('headless', 2, { occurred_at: '2026-11-30T10:00:00.000Z' }),
    ]);
    expect((await inbox.due(10)).map(({ aggregate_id }) => aggregate_id)).toEqual(['early', 'late']);
  });
});
