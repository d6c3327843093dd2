import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { HOUR_MS, instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Metrics } from '@moorage/runtime';
import { type Db, SILENT, systemRandom } from '@moorage/server';
import { type HandClock, handClock, HEALTHY, testDatabase, type TestDatabase } from '@moorage/testing';
import { OperationsGauges } from './operations-gauges.service';
import { buildBilling } from '@moorage/tests/services/billing';

/** Time at which `HEALTHY` is valid. */
const NOW = instant('2026-12-03T10:00:00Z');

describe('installation gauges', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let metrics: Metrics;
  beforeEach(async () => {
    database = await testDatabase();
    await database.sql(HEALTHY);
    // The hand clock's own `sleep` returns immediately, but this one must not.
    clock = Object.assign(handClock(NOW), { sleep: () => new Promise<void>(() => undefined) });
    db = await database.open({ service: 'billing', connections_max: 4 });
    metrics = new Metrics();
  });
  afterEach(() => database.drop());

  function gaugesOn(of: Db): void {
    new OperationsGauges(of, clock, SILENT, metrics).onApplicationBootstrap();
  }
  const plain = async (): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('moorage_') && !line.includes('_bucket'));
  async function plant(sql: string): Promise<void> {
    const client = await (await database.open()).connect();
    try {
      await client.query(`set session_replication_role = replica; ${sql}`);
    } finally {
      await client.end();
    }
  }

  it('are zero in a healthy installation, for every consumer, kind of work, status and alert', async () => {
    gaugesOn(db);
    const lines = await plain();
    expect(lines).toEqual(
      expect.arrayContaining([
        'moorage_events_unsent 0',
        'moorage_events_unsent_age_seconds 0',
        'moorage_deliveries_waiting{consumer="api"} 0',
        'moorage_deliveries_age_seconds{consumer="billing"} 0',
        'moorage_deliveries_parked{consumer="provisioner"} 0',
        'moorage_work_due{kind="send-mail"} 0',
        'moorage_work_age_seconds{kind="run"} 0',
        'moorage_deployments{status="FAILED"} 0',
        'moorage_grace_periods 0',
        'moorage_audit_breaches 0',
        'moorage_alerts_open{kind="books_breached"} 0',
        'moorage_charges_total{how="daily"} 0',
      ]),
    );
  });

  it('show pending work with its age, and what is open', async () => {
    await plant(`
      update outbox set sent_at = null, occurred_at = '${iso(NOW - 2 * MINUTE_MS)}' where aggregate_id = '3' and sequence = 4;
      update inbox set handled_at = null, arrived_at = '${iso(NOW - MINUTE_MS)}'
        where consumer = 'api' and aggregate_id = '1' and sequence = 4;
      update inbox set handled_at = null, parked_at = '${iso(NOW)}'
        where consumer = 'billing' and event_id = (select event_id from inbox where consumer = 'billing' limit 1);
      insert into work (kind, key, due_at, created_at) values
        ('send-mail', 'late', '${iso(NOW - 30 * SECOND_MS)}', '${iso(NOW)}'),
        ('send-mail', 'future', '${iso(NOW + HOUR_MS)}', '${iso(NOW)}');
      insert into operator_alerts (kind, subject, first_seen_at, last_seen_at, resolved_at) values
        ('books_breached', 'I1', '${iso(NOW)}', '${iso(NOW)}', null),
        ('books_breached', 'I2', '${iso(NOW)}', '${iso(NOW)}', null),
        ('mail_unsent', '', '${iso(NOW)}', '${iso(NOW)}', '${iso(NOW)}');
      insert into operator_checks values ('watch', '${iso(NOW)}')`);
    gaugesOn(db);
    expect(await plain()).toEqual(
      expect.arrayContaining([
        'moorage_events_unsent 1',
        'moorage_events_unsent_age_seconds 120',
        'moorage_deliveries_waiting{consumer="api"} 1',
        'moorage_deliveries_age_seconds{consumer="api"} 60',
        'moorage_deliveries_parked{consumer="billing"} 1',
        'moorage_work_due{kind="send-mail"} 1',
        'moorage_work_age_seconds{kind="send-mail"} 30',
        'moorage_audit_breaches 2',
        'moorage_alerts_open{kind="books_breached"} 2',
        'moorage_alerts_open{kind="mail_unsent"} 0',
        `moorage_check_timestamp_seconds{check="watch"} ${NOW / SECOND_MS}`,
      ]),
    );
  });

  it('are read at most every 15 seconds, and deployments every minute', async () => {
    const requested: string[] = [];
    const counting: Db['tx'] = (name, fn) =>
      db.tx(name, (tx) => fn({ ...tx, query: (sql, params) => (requested.push(sql), tx.query(sql, params)) }));
    gaugesOn({ ...db, tx: counting });
    const counts = (): number[] =>
      ['from outbox', 'from deployments'].map((part) => requested.filter((sql) => sql.includes(part)).length);
    await metrics.text();
    await metrics.text();
    expect(counts()).toEqual([1, 1]);
    clock.at += 15 * SECOND_MS;
    await metrics.text();
    expect(counts()).toEqual([2, 1]);
    clock.at += 45 * SECOND_MS;
    await metrics.text();
    expect(counts()).toEqual([3, 2]);
  });

  it('have no series while the database is away, and return afterwards', async () => {
    let away = false;
    gaugesOn({ ...db, tx: (name, fn) => (away ? Promise.reject(new Error('away')) : db.tx(name, fn)) });
    await metrics.text();
    away = true;
    clock.at += 15 * SECOND_MS;
    const lines = await plain();
    expect(lines.filter((line) => /^moorage_(events_unsent|deployments|work|alerts|audit)/.test(line))).toEqual([]);
    expect(lines).toContain('moorage_charge_failures_total 0');
    away = false;
    clock.at += 15 * SECOND_MS;
    expect(await plain()).toEqual(
      expect.arrayContaining(['moorage_events_unsent 0', 'moorage_deployments{status="FAILED"} 0']),
    );
  });

  it('do not delay a scrape because of a silent database', async () => {
    gaugesOn({ ...db, tx: () => new Promise(() => undefined) });
    Object.assign(clock, { sleep: () => Promise.resolve() });
    const lines = await plain();
    expect(lines).toContain('moorage_charge_failures_total 0');
    expect(lines.join()).not.toContain('moorage_events_unsent ');
  });
});

describe('charge metrics', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
    await database.sql(HEALTHY);
  });
  afterEach(() => database.drop());

  it('count charges posted by the daily run, and accounts that could not be settled', async () => {
    const clock = handClock(NOW + 24 * HOUR_MS);
    const db = await database.open({ service: 'billing', connections_max: 4 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const ledger = Object.assign(
      new Ledger({
        deployments: new Deployments({ outbox }),
        outbox,
        actor: 'billing',
        gracePeriodMinutes: 60,
      }),
      {
        settle: () => Promise.reject(new Error('no')),
      },
    );
    const metrics = new Metrics();
    const billing = buildBilling({ db, clock, log: SILENT, ledger, invariants: [], metrics });
    const { charged, failed } = await billing.runDay();
    const text = await metrics.text();
    expect(text).toMatch(new RegExp(`^moorage_charges_total{how="daily"} ${charged}$`, 'm'));
    expect(text).toMatch(new RegExp(`^moorage_charge_failures_total ${failed}$`, 'm'));
    expect(charged + failed).toBeGreaterThan(0);
  });
});
