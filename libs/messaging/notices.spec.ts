import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, systemClock } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { createNotices, type Notices } from './notices';
import { until } from './testing';

describe('notices', () => {
  let database: TestDatabase;
  let db: Db;
  let here: Notices;
  let there: Notices;

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ service: 'api' });
    here = createNotices({ db, clock: systemClock() });
    there = createNotices({ db, clock: systemClock() });
  });
  afterAll(async () => {
    await here.close();
    await there.close();
    await database.drop();
  });

  const cutListeners = () =>
    database.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (query like 'listen%' or query like 'select pg_notify%')`);

  it('reach listeners of their channel in every process, in order', async () => {
    const heard: string[] = [];
    const other: string[] = [];
    await there.listen('harbour', { heard: (payload) => void heard.push(payload) });
    await there.listen('elsewhere', { heard: (payload) => void other.push(payload) });
    await here.send('harbour', ['one', 'two']);
    await here.send('harbour', ['three']);
    await until(() => heard.length === 3);
    expect(heard).toEqual(['one', 'two', 'three']);
    expect(other).toEqual([]);
  });

  it('are coalesced when they are only wake-ups', async () => {
    const heard: string[] = [];
    await there.listen('bells', { heard: (payload) => void heard.push(payload) });
    for (let n = 0; n < 100; n++) here.wake('bells', n % 2 === 0 ? 'a' : 'b');
    await until(() => new Set(heard.flatMap((payload) => payload.split(' '))).size === 2);
    expect(heard.length).toBeLessThanOrEqual(2);
  });

  it('are heard again after the connection was cut, and the listener is told that it may have missed some', async () => {
    const heard: string[] = [];
    let connections = 0;
    await there.listen('cut', { heard: (payload) => void heard.push(payload), connected: () => void connections++ });
    expect(connections).toBe(1);
    await cutListeners();
    await until(() => connections === 2);
    await until(() =>
      here.send('cut', ['after']).then(
        () => true,
        () => false,
      ),
    );
    await until(() => heard.includes('after'));
  });

  it('end with the function that listening returned', async () => {
    const heard: string[] = [];
    const end = await there.listen('ending', { heard: (payload) => void heard.push(payload) });
    const all: string[] = [];
    await there.listen('ending', { heard: (payload) => void all.push(payload) });
    end();
    await here.send('ending', ['later']);
    await until(() => all.length === 1);
    expect(heard).toEqual([]);
  });

  it('refuse a channel that is no plain name', async () => {
    await expect(there.listen('x; drop table users', { heard: () => undefined })).rejects.toThrow('not a channel');
  });
});
