import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, instant, MINUTE_MS } from '@moorage/domain';
import { createLog, type Db } from '@moorage/server';
import { type HandClock, handClock, testDatabase, type TestDatabase } from '@moorage/testing';
import { ResourceAlert } from './resource-exhaustion-alert';

const NOW = instant('2026-12-03T10:00:00Z');

describe('database short of connections, memory or disk', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let shortage: ResourceAlert;
  let full: boolean;
  const lines: string[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    clock = handClock(NOW);
    full = false;
    lines.splice(0);
    const log = createLog({ service: 'test', write: (line) => lines.push(line) });
    shortage = new ResourceAlert({ service: 'api', clock, log });
    const inner = await database.open({ service: 'api' });
    // Error as PostgreSQL reports it (tests/crash/full-disk.e2e.ts has a real case).
    const refusal = Object.assign(new Error('could not extend file'), { driverError: { code: '53100' } });
    db = shortage.watch({ ...inner, tx: (name, fn) => (full ? Promise.reject(refusal) : inner.tx(name, fn)) });
  });
  afterEach(() => database.drop());

  const work = (): Promise<unknown> => db.tx('work', (tx) => tx.query('select 1')).catch(() => undefined);
  const tick = (): Promise<unknown> => shortage.tick(db).catch(() => undefined);
  const alerts = (): Promise<object[]> =>
    database.sql(`select kind, subject, facts, resolved_at is null as open from operator_alerts`);
  const RAISED = {
    kind: 'database_short',
    subject: 'api',
    facts: { sql_state: '53100', since: '2026-12-03T10:00:00.000Z', until: '2026-12-03T10:05:00.000Z' },
    open: true,
  };

  it('is logged at once, and reported to operators as soon as an alert can be stored', async () => {
    full = true;
    await work();
    await tick();
    clock.at += 5 * MINUTE_MS;
    await work();
    await tick();
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'database out of disk, memory or connections; statements are rejected',
    ]);
    expect(await alerts()).toEqual([]);
    full = false;
    await tick();
    expect(await alerts()).toEqual([RAISED]);
  });

  it('is resolved after an hour without errors, also for a process started since then', async () => {
    full = true;
    await work();
    clock.at += 5 * MINUTE_MS;
    await work();
    full = false;
    await tick();
    clock.at += HOUR_MS - MINUTE_MS;
    await tick();
    expect(await alerts()).toEqual([RAISED]);
    const later = new ResourceAlert({
      service: 'api',
      clock,
      log: createLog({ service: 'test', write: () => undefined }),
    });
    await later.tick(db);
    expect(await alerts()).toEqual([RAISED]);
    clock.at += MINUTE_MS;
    await tick();
    expect(await alerts()).toEqual([{ ...RAISED, open: false }]);
    await database.sql('update operator_alerts set resolved_at = null');
    clock.at += HOUR_MS;
    await later.tick(db);
    expect(await alerts()).toEqual([{ ...RAISED, open: false }]);
  });

  it('ignores other errors', async () => {
    await db.tx('work', (tx) => tx.query('select nothing')).catch(() => undefined);
    clock.at += MINUTE_MS;
    await tick();
    expect([lines, await alerts()]).toEqual([[], []]);
  });
});
