import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, instant } from '@moorage/domain';
import { type Db, type Log, SILENT } from '@moorage/server';
import { type HandClock, handClock, testDatabase, type TestDatabase } from '@moorage/testing';
import { Alerts } from './alerts';
import { SERVICES } from './grants';

const NOON = instant('2026-12-01T12:00:00Z');

describe('operator alerts', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let alerts: Alerts;
  const logged: string[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    db = await database.open({ service: 'provisioner' });
    clock = handClock(NOON);
    logged.length = 0;
    const log: Log = {
      ...SILENT,
      info: (message, facts) => void logged.push(`${message}: ${String(facts?.kind)} ${String(facts?.subject)}`),
      error: (message, facts) => void logged.push(`${message}: ${String(facts?.kind)} ${String(facts?.subject)}`),
    };
    alerts = new Alerts({ clock, log });
  });
  afterEach(() => database.drop());

  const raise = (subject: string, count: number) =>
    db.tx('raise', (tx) => alerts.raise(tx, { kind: 'delivery_parked', subject, facts: { count } }));
  const resolve = (subject: string, since: { seen_before?: number } = {}) =>
    db.tx('resolve', (tx) => alerts.resolve(tx, { kind: 'delivery_parked', subject, ...since }));
  const open = () => db.tx('open', (tx) => alerts.open(tx));

  it('stay the same when seen again, with the newest facts, and are logged once', async () => {
    await raise('api', 1);
    clock.at += HOUR_MS;
    await raise('api', 7);
    expect(await open()).toEqual([
      {
        kind: 'delivery_parked',
        subject: 'api',
        facts: { count: 7 },
        first_seen_at: NOON,
        last_seen_at: NOON + HOUR_MS,
        mailed_at: null,
        resolved_at: null,
      },
    ]);
    expect(logged).toEqual(['alert opened: delivery_parked api']);
  });

  it('stay open if seen again after the observation that would resolve them', async () => {
    await raise('api', 1);
    clock.at += HOUR_MS;
    await raise('api', 2);
    await resolve('api', { seen_before: NOON + HOUR_MS });
    expect(await open()).toHaveLength(1);
    await resolve('api', { seen_before: NOON + HOUR_MS + 1 });
    expect(await open()).toEqual([]);
  });

  it('close when resolved and start anew when the problem returns', async () => {
    await raise('api', 1);
    await raise('billing', 1);
    await resolve('api');
    await resolve('api');
    expect((await open()).map(({ subject }) => subject)).toEqual(['billing']);
    clock.at += HOUR_MS;
    await raise('api', 2);
    expect((await open()).find(({ subject }) => subject === 'api')?.first_seen_at).toBe(NOON + HOUR_MS);
    expect(logged).toEqual([
      'alert opened: delivery_parked api',
      'alert opened: delivery_parked billing',
      'alert resolved: delivery_parked api',
      'alert opened: delivery_parked api',
    ]);
  });

  it('follow a report, which opens its findings and resolves all others of its kind only', async () => {
    await raise('api', 1);
    await db.tx('raise', (tx) => alerts.raise(tx, { kind: 'mail_unsent' }));
    await db.tx('report', (tx) =>
      alerts.report(tx, 'delivery_parked', [{ subject: 'provisioner' }, { subject: 'billing' }]),
    );
    const subjects = async () => (await open()).map(({ kind, subject }) => `${kind} ${subject}`).sort();
    expect(await subjects()).toEqual(['delivery_parked billing', 'delivery_parked provisioner', 'mail_unsent ']);
    await db.tx('report', (tx) => alerts.report(tx, 'delivery_parked', []));
    expect(await subjects()).toEqual(['mail_unsent ']);
  });

  it('are not logged after a rollback', async () => {
    const lost = db.tx('lost', async (tx) => {
      await alerts.raise(tx, { kind: 'mail_unsent' });
      throw new Error('no');
    });
    await expect(lost).rejects.toThrow('no');
    expect(await open()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('are opened once when two services report concurrently', async () => {
    const both = SERVICES.map(async (service) => {
      const own = await database.open({ service });
      for (let round = 0; round < 10; round++) {
        const subjects = round % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'];
        await own.tx('report', (tx) =>
          alerts.report(
            tx,
            'event_unsent',
            subjects.map((subject) => ({ subject })),
          ),
        );
      }
    });
    await Promise.all(both);
    expect((await open()).map(({ subject }) => subject)).toEqual(['a', 'b', 'c']);
  });

  it('keep the time of the last check, which never moves backwards', async () => {
    const lastRun = () => db.tx('look', (tx) => alerts.lastRun(tx, 'watch'));
    expect(await lastRun()).toBeNull();
    await db.tx('checked', (tx) => alerts.checked(tx, 'watch'));
    clock.at -= HOUR_MS;
    await db.tx('checked', (tx) => alerts.checked(tx, 'watch'));
    expect(await lastRun()).toBe(NOON);
  });
});
