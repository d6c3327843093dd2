import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Checkpoints, type Db, seededRandom, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { Outbox } from './outbox';
import { Relay } from './relay';
import { boat, collected, KNOWN, until } from '@moorage/testing/messaging';
import { WITH_THE_DATABASE } from './health-reporter';
import { Messaging } from './messaging';
import type { Envelope } from './types';

describe('relay', () => {
  let database: TestDatabase;
  let db: Db;
  let published: Envelope[] = [];
  const clock = systemClock();
  const outbox = new Outbox({ clock, random: systemRandom() });
  const transport = { publish: async (batch: readonly Envelope[]) => void published.push(...batch) };
  const append = (...ids: string[]) =>
    db.tx('append', (tx) =>
      outbox.appendMany(
        tx,
        ids.map((id) => boat(id, 0)),
      ),
    );
  const unsent = async () => (await database.sql('select 1 from outbox where sent_at is null')).length;

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ connections_max: 12 });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    published = [];
    await database.sql('delete from outbox');
    await database.sql('delete from event_sequences');
  });

  /** Runs the relays concurrently until all events are sent. */
  async function drive(...relays: Relay[]): Promise<void> {
    let done = false;
    const loops = relays.map(async (relay) => {
      while (!done) await relay.tick().catch(() => 0);
    });
    await until(async () => (await unsent()) === 0, 60_000);
    done = true;
    await Promise.all(loops);
  }

  it('publishes pending events of every shard in bounded batches and marks them as sent', async () => {
    const relay = new Relay({ db, clock, transport, batch: 10 });
    await append(...Array.from({ length: 40 }, () => 'one'));
    const shards = await relay.shards();
    expect(shards).toHaveLength(1);
    expect(await relay.publish(shards)).toEqual({ sent: 10, more: shards });
    expect(await relay.tick()).toBe(10);
    expect(published.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await unsent()).toBe(20);
  });

  it('skips a shard that another relay is processing', async () => {
    let enter: () => void = () => undefined;
    let leave: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    const slow = new Relay({
      db,
      clock,
      transport: {
        publish: async () => {
          enter();
          await left;
        },
      },
    });
    await append('one');
    const first = slow.tick();
    await entered;
    await append('one');
    expect(await new Relay({ db, clock, transport }).tick()).toBe(0);
    leave();
    expect(await first).toBe(1);
    expect(published).toEqual([]);
    expect(await unsent()).toBe(1);
  });

  it('sends the next batch while another is under way, and none of the same shards', async () => {
    await append(...Array.from({ length: 40 }, (_, n) => `boat ${n}`));
    const started: Envelope[][] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const nothing = {
      health: () => WITH_THE_DATABASE,
      close: () => Promise.resolve(),
    };
    const messaging = new Messaging({
      db,
      clock,
      random: systemRandom(),
      service: 'api',
      known: KNOWN,
      subscriptions: {},
      handlers: {},
      work: {},
      transports: {
        events: {
          ...nothing,
          publish: async (batch) => {
            started.push([...batch]);
            await held;
          },
          subscribe: () => Promise.resolve(),
        },
        work: { ...nothing, signal: () => Promise.resolve(), listen: () => Promise.resolve() },
      },
      onError: collected().onError,
    });
    await messaging.start();
    await until(() => started.length === 2);
    expect(new Set(started.flat().map(({ event_id }) => event_id)).size).toBe(40);
    expect(await unsent()).toBe(40);
    release();
    await until(async () => (await unsent()) === 0);
    await messaging.stop();
    expect(started).toHaveLength(2);
  });

  it('sends an event that committed after events with higher ids', async () => {
    const relay = new Relay({ db, clock, transport });
    let wrote: () => void = () => undefined;
    let release: () => void = () => undefined;
    const hasWritten = new Promise<void>((resolve) => (wrote = resolve));
    const held = new Promise<void>((resolve) => (release = resolve));
    const late = db.tx('late', async (tx) => {
      await outbox.append(tx, boat('late', 0));
      wrote();
      await held;
    });
    await hasWritten;
    await append('early', 'early');
    await drive(relay);
    expect(published.map(({ aggregate_id }) => aggregate_id)).toEqual(['early', 'early']);
    release();
    await late;
    await drive(relay);
    expect(published.map(({ aggregate_id }) => aggregate_id)).toEqual(['early', 'early', 'late']);
  });

  it('keeps unpublished events and publishes them later', async () => {
    await append('one', 'two');
    const broken = new Relay({ db, clock, transport: { publish: () => Promise.reject(new Error('no broker')) } });
    await expect(broken.tick()).rejects.toThrow('no broker');
    expect(await unsent()).toBe(2);
    await drive(new Relay({ db, clock, transport }));
    expect(published).toHaveLength(2);
  });

  it('property: two relays beside writers publish every event, none after a later event of its aggregate', async () => {
    const random = seededRandom(5);
    const relays = await Promise.all(
      [1, 2].map(async () => new Relay({ db: await database.open(), clock, transport, batch: 20 })),
    );
    const writers = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 60; n++) {
        await append(...Array.from({ length: 3 }, () => `b${Math.floor(random.fraction() * 6)}`));
      }
    });
    const writing = Promise.all(writers);
    await Promise.all([drive(...relays), writing]);
    await drive(...relays);
    expect(new Set(published.map(({ event_id }) => event_id)).size).toBe(720);
    const last = new Map<string, number>();
    for (const { aggregate_id, sequence } of published) {
      const before = last.get(aggregate_id) ?? 0;
      if (sequence <= before) continue; // repeated delivery is allowed, early delivery is not
      expect(sequence).toBe(before + 1);
      last.set(aggregate_id, sequence);
    }
  });

  it('repeats sent events in the same order after a crash before marking them', async () => {
    let deaths = 0;
    const checkpoints: Checkpoints = {
      at: (place) =>
        place === 'relay.publish.sent' && deaths++ < 2 ? Promise.reject(new Error('dead')) : Promise.resolve(),
    };
    const dying = new Relay({ db: await database.open({ checkpoints }), clock, transport });
    await append('one', 'one');
    await drive(dying);
    expect(published.map(({ sequence }) => sequence)).toEqual([1, 2, 1, 2, 1, 2]);
  });
});
