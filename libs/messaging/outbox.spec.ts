import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { correlated, type Db, seededRandom, systemClock, systemRandom, type Tx } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { PgNotify } from './pg-notify';
import { Outbox, OUTBOX_CHANNEL } from './outbox';
import { until } from '@moorage/testing/messaging';
import type { NewEvent } from './types';

const clock = systemClock();

function step(aggregate_id: string, n = 0): NewEvent {
  return { stream: 'deployment', event_name: 'deployment.moved', version: 1, aggregate_id, data: { n } };
}

describe('outbox', () => {
  let database: TestDatabase;
  let db: Db;
  const outbox = new Outbox({ clock, random: systemRandom() });
  const written = (aggregate_id: string) =>
    database.sql<{ sequence: string; n: number }>(
      `select sequence, (data->>'n')::int as n from outbox where aggregate_id = $1 order by id`,
      [aggregate_id],
    );

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ connections_max: 12 });
  });
  afterAll(() => database.drop());

  it('assigns id, time and position to an event', async () => {
    const at = await db.tx('one', async (tx) => {
      await outbox.append(tx, { ...step('100'), correlation_id: 'request-7' });
      return clock.now(tx);
    });
    const [row] = await database.sql(`select * from outbox where aggregate_id = '100'`);
    expect(row).toMatchObject({
      stream: 'deployment',
      event_name: 'deployment.moved',
      version: 1,
      sequence: '1',
      correlation_id: 'request-7',
      occurred_at: at,
      data: { n: 0 },
      sent_at: null,
    });
  });

  it('correlates an event without a cause with itself', async () => {
    await db.tx('one', (tx) => outbox.append(tx, step('101')));
    const [row] = await database.sql<{ event_id: string; correlation_id: string }>(
      `select event_id, correlation_id from outbox where aggregate_id = '101'`,
    );
    expect(row?.correlation_id).toBe(row?.event_id);
  });

  it('correlates an event with the request that appends it', async () => {
    await correlated('request-8', () => db.tx('one', (tx) => outbox.append(tx, step('108'))));
    expect(await database.sql(`select correlation_id from outbox where aggregate_id = '108'`)).toEqual([
      { correlation_id: 'request-8' },
    ]);
  });

  it('reuses the number of a rolled-back event', async () => {
    await db.tx('one', (tx) => outbox.append(tx, step('102', 1)));
    await expect(
      db.tx('two', async (tx) => {
        await outbox.append(tx, step('102', 2));
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    await db.tx('three', (tx) => outbox.append(tx, step('102', 3)));
    expect(await written('102')).toEqual([
      { sequence: '1', n: 1 },
      { sequence: '2', n: 3 },
    ]);
  });

  it('keeps the order of a list for each aggregate, whatever lies between', async () => {
    await db.tx('one', (tx) => outbox.append(tx, step('a', 0)));
    const list = [step('b', 1), step('a', 2), step('b', 3), step('c', 4), step('a', 5), step('a', 6)];
    await db.tx('list', (tx) => outbox.appendMany(tx, list));
    expect(await written('a')).toEqual([
      { sequence: '1', n: 0 },
      { sequence: '2', n: 2 },
      { sequence: '3', n: 5 },
      { sequence: '4', n: 6 },
    ]);
    expect(await written('b')).toEqual([
      { sequence: '1', n: 1 },
      { sequence: '2', n: 3 },
    ]);
  });

  it('makes a second writer of an aggregate wait for the first, so that no later event is visible before the earlier', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let firstWrote: () => void = () => undefined;
    const wrote = new Promise<void>((resolve) => (firstWrote = resolve));
    const first = db.tx('first', async (tx) => {
      await outbox.append(tx, step('w', 1));
      firstWrote();
      await held;
    });
    await wrote;
    let secondDone = false;
    const second = db.tx('second', (tx) => outbox.append(tx, step('w', 2))).then(() => (secondDone = true));
    await db.tx('another', (tx) => outbox.append(tx, step('elsewhere', 1)));
    expect(secondDone).toBe(false);
    expect(await written('w')).toEqual([]);
    release();
    await Promise.all([first, second]);
    expect((await written('w')).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('has no gaps and rising ids per sequence after 300 transactions of 12 writers, a third of them rolled back', async () => {
    const random = seededRandom(7);
    const aggregates = ['p', 'q', 'r', 's'];
    const jobs = Array.from({ length: 300 }, () => ({
      fails: random.fraction() < 1 / 3,
      events: Array.from({ length: 1 + Math.floor(random.fraction() * 4) }, () =>
        step(aggregates[Math.floor(random.fraction() * 4)] ?? 'p'),
      ),
    }));
    const writers = Array.from({ length: 12 }, async () => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
        const { events, fails } = job;
        await db
          .tx('job', async (tx: Tx) => {
            await outbox.appendMany(tx, events);
            if (fails) throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'));
      }
    });
    await Promise.all(writers);
    for (const aggregate of aggregates) {
      const rows = await written(aggregate);
      expect(rows.length).toBeGreaterThan(50);
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, index) => index + 1));
    }
  });

  it('rejects data that no transport could carry', async () => {
    const huge = { ...step('huge'), data: { text: 'x'.repeat(300_000) } };
    await expect(db.tx('huge', (tx) => outbox.append(tx, huge))).rejects.toThrow('too large for an event');
  });

  describe('notifications', () => {
    let pgNotify: PgNotify;
    const received: string[] = [];

    beforeAll(async () => {
      pgNotify = new PgNotify({ db, clock });
      await pgNotify.listen(OUTBOX_CHANNEL, { onNotify: (payload) => void received.push(payload) });
    });
    afterAll(() => pgNotify.close());

    it('wake the relays after the commit, never for a rolled-back event', async () => {
      const waking = new Outbox({ clock, random: systemRandom(), pgNotify });
      await db
        .tx('rolled back', async (tx) => {
          await waking.append(tx, step('n'));
          throw new Error('no');
        })
        .catch(() => undefined);
      await db.tx('quiet', async (tx) => {
        await waking.append(tx, step('n'));
        expect(received).toEqual([]);
      });
      await until(() => received.length > 0);
      expect(received).toHaveLength(1);
    });

    it('are few for a burst of commits', async () => {
      received.length = 0;
      const waking = new Outbox({ clock, random: systemRandom(), pgNotify });
      const began = performance.now();
      await Promise.all(
        Array.from({ length: 400 }, (_, n) => db.tx('burst', (tx) => waking.append(tx, step(`n${n}`)))),
      );
      await until(() => received.length > 0);
      expect(received.length).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 5) + 1);
    });
  });
});
