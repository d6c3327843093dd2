import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { systemClock } from './clock';
import type { Db } from './db';
import { createLog, type Log } from './log';
import { logOutageOnce } from './database-outage-log';

describe('log during a database outage', () => {
  let database: TestDatabase;
  let db: Db;
  let log: Log;
  let isAway = false;
  const lines: string[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    const inner = await database.open({ connections_max: 1 });
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const cut: Db = { ...inner, tx: (name, fn) => (isAway ? Promise.reject(refused) : inner.tx(name, fn)) };
    const plain = createLog({ service: 'test', write: (line) => lines.push(line) });
    const reported = logOutageOnce({ log: plain, clock: systemClock() });
    [db, log] = [reported.watch(cut), reported.log];
  });
  afterAll(() => database.drop());

  const turn = (loop: string, sql = 'select 1'): Promise<unknown> =>
    db
      .tx(loop, (tx) => tx.query(sql))
      .catch((error: unknown) => log.child({ loop }).error('a loop goes on', { error }));
  const reported = (): string[] => lines.splice(0).map((line) => (JSON.parse(line) as { message: string }).message);

  it('has one line for the outage and one for its end, however many loops fail', async () => {
    await turn('one');
    expect(reported()).toEqual([]);
    isAway = true;
    for (let second = 0; second < 10; second++) for (const loop of ['one', 'two', 'three']) await turn(loop);
    expect(reported()).toEqual(['database not responding; retrying until it does']);
    isAway = false;
    for (const loop of ['one', 'two', 'three']) await turn(loop);
    expect(reported()).toEqual(['database responding again']);
    isAway = true;
    await turn('one');
    expect(reported()).toHaveLength(1);
    isAway = false;
    await turn('one');
    expect(reported()).toHaveLength(1);
  });

  it('includes every other error', async () => {
    await turn('one', 'select nothing');
    await turn('one', 'select nothing');
    expect(reported()).toEqual(['a loop goes on', 'a loop goes on']);
  });
});
