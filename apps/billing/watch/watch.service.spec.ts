import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Alerts, Deployments, type OperatorAlert } from '@moorage/database';
import { HOUR_MS, instant, iso, MINUTE_MS } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, SILENT, systemRandom } from '@moorage/server';
import { type HandClock, handClock, HEALTHY, testDatabase, type TestDatabase } from '@moorage/testing';
import type { BillingService } from '../billing.service';
import { buildBilling } from '@moorage/tests/services/billing';

/** Time at which `HEALTHY` is valid. */
const NOW = instant('2026-12-03T10:00:00Z');

describe('billing watch', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let alerts: Alerts;
  let billing: BillingService;
  let start: () => BillingService;

  beforeEach(async () => {
    database = await testDatabase();
    await database.sql(HEALTHY);
    await database.sql(`insert into billing_runs (day, started_at, passed_at) values ('2026-12-03', $1, $1)`, [
      iso(NOW),
    ]);
    await database.sql(`insert into operator_checks values ('audit', $1), ('proof', $1)`, [iso(NOW - 8 * HOUR_MS)]);
    // The service has been running for a while.
    clock = handClock(NOW - 3 * HOUR_MS);
    db = await database.open({ service: 'billing', connections_max: 4 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const ledger = new Ledger({
      deployments: new Deployments({ outbox }),
      outbox,
      actor: 'billing',
      gracePeriodMinutes: 60,
    });
    alerts = new Alerts({ clock, log: SILENT });
    start = () => buildBilling({ db, clock, log: SILENT, ledger, invariants: INVARIANTS });
    billing = start();
    clock.at = NOW;
  });
  afterEach(() => database.drop());

  const open = (): Promise<OperatorAlert[]> => db.tx('open', (tx) => alerts.open(tx));
  const kinds = async (): Promise<string[]> => {
    await billing.watch();
    return (await open()).map(({ kind, subject }) => (subject === '' ? kind : `${kind} ${subject}`)).sort();
  };
  /** Writes rows with the database guards disabled. */
  async function plant(sql: string): Promise<void> {
    const client = await (await database.open()).connect();
    try {
      await client.query(`set session_replication_role = replica; ${sql}`);
    } finally {
      await client.end();
    }
  }

  it('raises no alert in a healthy installation', async () => {
    expect(await kinds()).toEqual([]);
  });

  it.each([
    [
      'an event unsent for ten minutes',
      'event_unsent',
      `update outbox set sent_at = null, occurred_at = '2026-12-03T09:49:00Z' where aggregate_id = '3' and sequence = 4`,
      `update outbox set sent_at = occurred_at`,
    ],
    [
      'a delivery unhandled for ten minutes',
      'delivery_unhandled',
      `update inbox set handled_at = null, arrived_at = '2026-12-03T09:49:00Z' where consumer = 'api' and aggregate_id = '1' and sequence = 4`,
      `update inbox set handled_at = arrived_at`,
    ],
    [
      'a parked delivery',
      'delivery_parked',
      `update inbox set handled_at = null, parked_at = '2026-12-03T09:49:00Z', arrived_at = '2026-12-03T09:49:00Z'
         where consumer = 'api' and aggregate_id = '1' and sequence = 4`,
      `update inbox set handled_at = arrived_at`,
    ],
    [
      'an event that was sent but not delivered',
      'event_missing',
      `update outbox set sent_at = '2026-12-03T09:40:00Z' where aggregate_id = '1' and sequence = 4;
       delete from inbox where consumer = 'billing' and aggregate_id = '1' and sequence = 4;
       update inbox_positions set last_sequence = 3 where consumer = 'billing' and aggregate_id = '1'`,
      `update inbox_positions set last_sequence = 4 where consumer = 'billing' and aggregate_id = '1'`,
    ],
    [
      'a deployment in progress for 26 hours',
      'deployment_stuck',
      `update deployments set status = 'PROVISIONING', billable_to = now() where id = 1`,
      `update deployments set status = 'READY', billable_to = null where id = 1`,
    ],
    [
      'a failed deployment that still has its server',
      'deployment_stuck',
      `update deployments set status = 'FAILED', billable_to = now() where id = 1`,
      `update deployments set status = 'READY', billable_to = null where id = 1`,
    ],
    [
      'a deployment that should have been removed',
      'deployment_stuck',
      `update deployments set desired = 'destroyed' where id = 1`,
      `update deployments set desired = 'running' where id = 1`,
    ],
    [
      'a grace period that does not end',
      'grace_period_overdue',
      `update meters set grace_period_day = '2026-12-04', grace_period_started_at = '2026-12-03T00:00:05Z', grace_period_ends_at = '2026-12-03T01:00:05Z' where deployment_id = 1`,
      `update meters set grace_period_day = null, grace_period_started_at = null, grace_period_ends_at = null where deployment_id = 1`,
    ],
    [
      'an account that could not be settled for ten minutes',
      'account_unsettled',
      `insert into billing_failures (user_id, day, code, first_failed_at, failed_at) values (2, '2026-12-03', 'Error', '2026-12-03T09:49:00Z', '2026-12-03T10:00:00Z')`,
      `delete from billing_failures`,
    ],
    [
      'work without a worker',
      'work_overdue run',
      `insert into work (kind, key, due_at, created_at) values ('run', '1', '2026-12-03T09:49:00Z', '2026-12-03T09:00:00Z'),
         ('dns-check', '1', '2026-12-03T09:51:00Z', '2026-12-03T09:00:00Z')`,
      `delete from work`,
    ],
    [
      'a day uncharged half an hour after midnight',
      'daily_run_late',
      'update billing_runs set passed_at = null',
      'update billing_runs set passed_at = started_at',
    ],
    [
      'an audit that has not completed for more than a day',
      'audit_late',
      `update operator_checks set ran_at = '2026-12-02T05:59:00Z' where name = 'audit'`,
      `update operator_checks set ran_at = '2026-12-02T06:01:00Z' where name = 'audit'`,
    ],
    [
      'a proof that has not completed for more than a day',
      'proof_late',
      `update operator_checks set ran_at = '2026-12-02T05:59:00Z' where name = 'proof'`,
      `update operator_checks set ran_at = '2026-12-02T06:01:00Z' where name = 'proof'`,
    ],
  ])('%s raises an alert until repaired', async (_, kind, wrong, repaired) => {
    clock.at = NOW;
    await plant(wrong);
    if (kind === 'deployment_stuck')
      await plant(`update deployments set updated_at = '2026-12-02T07:59:00Z' where id = 1`);
    expect(await kinds()).toEqual([kind]);
    await plant(repaired);
    expect(await kinds()).toEqual([]);
  });

  it('raises no alert before the limits: ten minutes for events, 26 hours for deployments', async () => {
    await plant(
      `update outbox set sent_at = null, occurred_at = '2026-12-03T09:51:00Z' where aggregate_id = '3' and sequence = 4`,
    );
    await plant(
      `update deployments set status = 'PROVISIONING', billable_to = now(), updated_at = '2026-12-02T08:01:00Z' where id = 1`,
    );
    expect(await kinds()).toEqual([]);
    clock.at += 2 * MINUTE_MS;
    expect(await kinds()).toEqual(['deployment_stuck', 'event_unsent']);
  });

  it('raises alerts with count, ids and reason, without event data', async () => {
    await plant(
      `update inbox set handled_at = null, parked_at = arrived_at, last_error = 'Error 23505' where consumer = 'api'`,
    );
    await billing.watch();
    const [alert] = await open();
    expect(alert).toMatchObject({ kind: 'delivery_parked', facts: { count: 13 } });
    expect(alert?.facts.first).toHaveLength(5);
    expect((alert?.facts.first as object[])[0]).toEqual({
      consumer: 'api',
      stream: 'deployment',
      aggregate_id: expect.any(String),
      sequence: expect.any(String),
      event_name: 'deployment.status_changed',
      parked_at: expect.any(Number),
      last_error: 'Error 23505',
    });
  });

  it('does not count a check by an operator as a scheduled check', async () => {
    const ran = async () => (await database.sql(`select 1 from operator_checks where name = 'watch'`)).length;
    await billing.check();
    expect(await ran()).toBe(0);
    await billing.watch();
    expect(await ran()).toBe(1);
  });

  it('catches up a missed audit, whose findings are alerts until an audit no longer finds them', async () => {
    // Excludes the proof's alerts about the planted rows.
    const breached = async () =>
      (await open()).filter(({ kind }) => kind === 'books_breached').map(({ kind, subject }) => `${kind} ${subject}`);
    await database.sql('update wallets set regular_micros = regular_micros + 1 where user_id = 2');
    await billing.lateAudit();
    expect(await breached()).toEqual([]);
    clock.at += 19 * HOUR_MS;
    await billing.lateAudit();
    expect(await breached()).toEqual(expect.arrayContaining(['books_breached I1b', 'books_breached I2c']));
    await database.sql('update wallets set regular_micros = regular_micros - 1 where user_id = 2');
    await billing.audit();
    expect(await breached()).toEqual([]);
  });

  it('catches up a missed proof, which counts only once it has ended', async () => {
    clock.at += 19 * HOUR_MS;
    await database.sql('alter table ledger_seals rename to away');
    await expect(billing.lateProof()).rejects.toThrow('ledger_seals');
    clock.at += 2 * HOUR_MS;
    expect(await kinds()).toContain('proof_late');
    await database.sql('alter table away rename to ledger_seals');
    await billing.lateProof();
    expect(await kinds()).not.toContain('proof_late');
  });

  it('catches up an audit after a stop of days before reporting it as late', async () => {
    await database.sql(`update operator_checks set ran_at = '2026-11-30T02:30:00Z' where name = 'audit'`);
    billing = start();
    expect(await kinds()).toEqual([]);
    clock.at += 2 * HOUR_MS;
    expect(await kinds()).toEqual(['audit_late']);
    // Another process that has just started does not resolve it.
    await start().check();
    expect((await open()).map(({ kind }) => kind)).toEqual(['audit_late']);
    await billing.lateAudit();
    expect(await kinds()).toEqual([]);
  });

  it('reads only what is in progress, however much history there is', async () => {
    const plans = async (sql: string): Promise<string> =>
      (await database.sql<{ 'QUERY PLAN': string }>(`explain ${sql}`)).map((row) => row['QUERY PLAN']).join('\n');
    await plant(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, support_level, instance_hourly_micros, status, billable_from, created_at, updated_at)
         select 2, 'r' || n, 'c', 'c' || n, 'pangolin', 'new', 'hetzner', 1, 1, 'READY', '2026-12-01', '2026-12-01', '2026-12-01' from generate_series(1, 20000) n;
       insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, handled_at, due_at)
         select 'api', gen_random_uuid(), 'deployment', 'e', 'x', n, '{}', '2026-12-01', '2026-12-01', '2026-12-01' from generate_series(1, 20000) n;
       insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, sent_at, data)
         select gen_random_uuid(), 'deployment', 'e', 1, 'x', n, 0, 'c', '2026-12-01', '2026-12-01', '{}' from generate_series(1, 20000) n;
       analyze`,
    );
    const queries = INVARIANTS.filter(({ id }) => ['I10', 'I10b', 'I10c', 'I10d', 'I14', 'I3d'].includes(id));
    expect(queries).toHaveLength(6);
    for (const { id, sql } of queries) {
      const filled = sql
        .replace(/\$(now|present)/g, `'${iso(NOW)}'`)
        .replace(/\$since/g, `'${iso(NOW - HOUR_MS)}'`)
        .replace(/\$subscriptions/g, `'[{"consumer":"api","stream":"deployment"}]'`);
      expect([id, (await plans(filled)).match(/Seq Scan on (deployments|inbox|outbox)\b/g)]).toEqual([id, null]);
    }
  });
});
