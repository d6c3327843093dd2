import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, systemClock } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { PgNotify } from './pg-notify';
import { until } from '@moorage/testing/messaging';

describe('notifications', () => {
  let database: TestDatabase;
  let db: Db;
  let here: PgNotify;
  let there: PgNotify;

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ service: 'api' });
    here = new PgNotify({ db, clock: systemClock() });
    there = new PgNotify({ db, clock: systemClock() });
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
    const received: string[] = [];
    const other: string[] = [];
    await there.listen('harbour', { onNotify: (payload) => void received.push(payload) });
    await there.listen('elsewhere', { onNotify: (payload) => void other.push(payload) });
    await here.send('harbour', ['one', 'two']);
    await here.send('harbour', ['three']);
    await until(() => received.length === 3);
    expect(received).toEqual(['one', 'two', 'three']);
    expect(other).toEqual([]);
  });

  it('reach listeners of the sending process once, before the database responds', async () => {
    const received: string[] = [];
    await here.listen('quay', { onNotify: (payload) => void received.push(payload) });
    const sending = here.send('quay', ['ours']);
    expect(received).toEqual(['ours']);
    await sending;
    await there.send('quay', ['theirs']);
    await until(() => received.includes('theirs'));
    expect(received).toEqual(['ours', 'theirs']);
  });

  it('that a listener cannot read are reported, and the next notification arrives', async () => {
    const received: unknown[] = [];
    const reported: unknown[] = [];
    const careful = new PgNotify({ db, clock: systemClock(), onError: (_, facts) => void reported.push(facts) });
    await careful.listen('hints', { onNotify: (payload) => void received.push(JSON.parse(payload)) });
    await here.send('hints', ['x', '"y"']);
    await until(() => received.length === 1);
    expect([received, reported]).toEqual([['y'], [{ at: 'notify.receive', channel: 'hints' }]]);
    await careful.close();
  });

  it('are coalesced if they are only wake-ups', async () => {
    const received: string[] = [];
    await there.listen('bells', { onNotify: (payload) => void received.push(payload) });
    for (let n = 0; n < 100; n++) here.notify('bells', n % 2 === 0 ? 'a' : 'b');
    await until(() => new Set(received.flatMap((payload) => payload.split(' '))).size === 2);
    expect(received.length).toBeLessThanOrEqual(2);
  });

  it('continue after a broken connection, and the listener is notified of a possible loss', async () => {
    const received: string[] = [];
    let connections = 0;
    await there.listen('cut', {
      onNotify: (payload) => void received.push(payload),
      onConnect: () => void connections++,
    });
    expect(connections).toBe(1);
    await cutListeners();
    await until(() => connections === 2);
    await until(() =>
      here.send('cut', ['after']).then(
        () => true,
        () => false,
      ),
    );
    await until(() => received.includes('after'));
  });

  it('end with the function that listening returned', async () => {
    const received: string[] = [];
    const end = await there.listen('ending', { onNotify: (payload) => void received.push(payload) });
    const all: string[] = [];
    await there.listen('ending', { onNotify: (payload) => void all.push(payload) });
    end();
    await here.send('ending', ['later']);
    await until(() => all.length === 1);
    expect(received).toEqual([]);
  });

  it('reject a channel that is not a plain name', async () => {
    await expect(there.listen('x; drop table users', { onNotify: () => undefined })).rejects.toThrow('not a channel');
  });
});
