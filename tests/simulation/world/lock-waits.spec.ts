import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, seededRandom } from '@moorage/server';
import { lockWaits, type TestDatabase, testDatabase } from '@moorage/testing/database';
import { createScheduler, type Scheduler, type SchedulerOptions } from './scheduler';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  await database.sql('create table pots (id integer primary key, amount integer not null)');
  await database.sql('insert into pots values (1, 0), (2, 0)');
  db = await database.open({ connections_max: 8 });
});
afterAll(() => database.drop());

const world = (options: Partial<SchedulerOptions> = {}): Scheduler =>
  createScheduler({ random: seededRandom(1), lock_waits: () => lockWaits(database), ...options });

/** Locks the rows in this order, with one statement each. */
function taker(scheduler: Scheduler, name: string, buckets: readonly number[], output: string[]): Promise<unknown> {
  const watched = scheduler.watch(db);
  return scheduler.start({ process: name, name: 'take' }, () =>
    watched.tx(name, async (tx) => {
      for (const bucket of buckets) {
        await tx.execute('update pots set amount = amount + 1 where id = $1', [bucket]);
        output.push(`${name} has ${bucket}`);
      }
    }),
  );
}

const of =
  (...names: string[]) =>
  ({ process }: { process: string }): boolean =>
    names.includes(process);

describe('simulated actors with overlapping transactions', () => {
  it('wait for a lock until its holder has continued', async () => {
    const output: string[] = [];
    const scheduler = world({ stays_inside: ({ process, next }) => process === 'first' && next === null });
    const ends = Promise.all([taker(scheduler, 'first', [1], output), taker(scheduler, 'second', [1], output)]);
    await scheduler.step(of('first'));
    await scheduler.step(of('second'));
    expect(output).toEqual(['first has 1']);
    expect(scheduler.blocked).toMatchObject([{ process: 'second' }]);
    expect(scheduler.waiting).toMatchObject([{ process: 'first', inside: true }]);
    await scheduler.step(of('first'));
    await scheduler.settle();
    expect(scheduler.blocked).toEqual([]);
    expect(await scheduler.drain(10)).toBe(true);
    await ends;
    expect(output).toEqual(['first has 1', 'second has 1']);
  });

  it('report a deadlock, which the database breaks', async () => {
    const reported: string[] = [];
    const output: string[] = [];
    const scheduler = world({
      stays_inside: ({ sent }) => sent.length === 1,
      note: (what) => void reported.push(what),
    });
    const ends = Promise.all([taker(scheduler, 'a', [1, 2], output), taker(scheduler, 'b', [2, 1], output)]);
    await scheduler.step(of('a'));
    await scheduler.step(of('b'));
    expect(await scheduler.drain(50)).toBe(true);
    await ends;
    expect(reported).toContain('deadlock');
    expect(output).toHaveLength(5);
  });
});
