import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, seededRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { Messaging } from './messaging';
import type { MessagingObserver } from './observer';
import { Outbox } from './outbox';
import { boat, collected, handClock, KNOWN } from '@moorage/testing/messaging';
import { WITH_THE_DATABASE } from './health-reporter';
import type { EventHandlers, WorkHandler } from './types';
import { WorkSchedule } from './work-schedule';

const HOUR = 3_600_000;
const TRIES = 10;

describe('messaging observer', () => {
  let database: TestDatabase;
  let db: Db;
  const observed: unknown[] = [];
  const observer: MessagingObserver = {
    published: (events) => void observed.push(['published', events]),
    handled: ({ event, outcome, took_ms }) => void observed.push([event, outcome, took_ms]),
    worked: ({ kind, outcome, took_ms }) => void observed.push([kind, outcome, took_ms]),
  };
  const clock = Object.assign(handClock(), { every: () => () => Promise.resolve() });
  const random = seededRandom(3);

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open();
  });
  afterAll(() => database.drop());
  beforeEach(() => void observed.splice(0));

  /** Creates a messaging instance. `bring` acts as the work transport. */
  function messagingWith(parts: { handlers?: EventHandlers; paint?: WorkHandler }): {
    messaging: Messaging;
    deliver: (key: string) => Promise<void>;
  } {
    let due: (key: string) => Promise<void> = () => Promise.reject(new Error('nobody listens'));
    const messaging: Messaging = new Messaging({
      db,
      clock,
      random,
      service: 'billing',
      known: KNOWN,
      subscriptions: { billing: ['boat'] },
      handlers: parts.handlers ?? {},
      work: parts.paint === undefined ? {} : { paint: { concurrency: 1, run: parts.paint } },
      transports: {
        events: {
          publish: (batch) => messaging.arrived(batch),
          subscribe: () => Promise.resolve(),
          health: () => WITH_THE_DATABASE,
          close: () => Promise.resolve(),
        },
        work: {
          signal: () => Promise.resolve(),
          listen: async (_kind, _concurrency, called) => void (due = called),
          health: () => WITH_THE_DATABASE,
          close: () => Promise.resolve(),
        },
      },
      onError: collected().onError,
      observer,
    });
    return { messaging, deliver: (key) => due(key) };
  }
  const append = (id: string): Promise<void> =>
    db.tx('append', (tx) => new Outbox({ clock, random }).append(tx, boat(id, 1)));

  it('is notified of publications and of the handling time of events', async () => {
    const { messaging } = messagingWith({ handlers: { 'boat.moved': async () => void (clock.at += 40) } });
    await append('a');
    await messaging.relayTick();
    await messaging.drainTick();
    expect(observed).toEqual([
      ['published', 1],
      ['boat.moved', 'handled', 40],
    ]);
  });

  it('is notified of each failed attempt, and of the attempt after which a delivery is parked', async () => {
    const { messaging } = messagingWith({ handlers: { 'boat.moved': () => Promise.reject(new Error('no')) } });
    await append('b');
    await messaging.relayTick();
    observed.splice(0);
    for (let tried = 0; tried < TRIES; tried++) {
      await messaging.drainTick();
      clock.at += HOUR;
    }
    await messaging.drainTick();
    const retries = Array.from({ length: TRIES - 1 }, () => ['boat.moved', 'retry', 0]);
    expect(observed).toEqual([...retries, ['boat.moved', 'parked', 0]]);
  });

  it('is notified of a work step with its outcome, and of nothing if nothing was due', async () => {
    let fails = false;
    const { messaging, deliver } = messagingWith({
      paint: async () => {
        clock.at += 300;
        if (fails) throw new Error('no');
        fails = true;
        return { retry_at: clock.at, reason: 'a second coat' };
      },
    });
    await messaging.start();
    await db.tx('ask', (tx) => new WorkSchedule({ clock }).schedule(tx, { kind: 'paint', key: 'a', due_at: clock.at }));
    await deliver('a');
    await deliver('a');
    await deliver('b');
    await messaging.stop();
    expect(observed).toEqual([
      ['paint', 'again', 300],
      ['paint', 'retry', 300],
    ]);
  });
});
