import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdminCounts, AdminOverviewAnswer, DeploymentAnswer } from '@moorage/contracts';
import { Alerts } from '@moorage/database';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import { SILENT } from '@moorage/server';
import { type Neighbours, neighbours, ORDER, ordered, SOLD_OUT } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
let others: Neighbours;
let alerts: Alerts;
let admin: TestAccount;
let customer: TestAccount;
let now: number;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
  alerts = new Alerts({ clock: harness.deps.clock, log: SILENT });
  admin = await harness.admin();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.sql(`delete from operator_alerts`);
  await harness.database.sql(`update deployments set deleted_at = now() where status = 'FAILED'`);
  await harness.deps.db.tx('test.checked', (tx) => alerts.checked(tx, 'watch'));
  customer = await harness.user();
  await harness.pay(customer, 2_000);
  now = await harness.deps.db.tx('test.now', (tx) => harness.deps.clock.now(tx));
});

const overview = async (query = ''): Promise<AdminOverviewAnswer> =>
  (await harness.http.get(`/api/admin/overview${query}`).set(admin.auth).expect(200)).body as AdminOverviewAnswer;
const counts = async (): Promise<AdminCounts> =>
  (await harness.http.get('/api/admin/counts').set(admin.auth).expect(200)).body as AdminCounts;
const needs = async () => (await overview()).attention.map(({ kind, urgency, count }) => [kind, urgency, count]);
const raise = (kind: Parameters<Alerts['raise']>[1]['kind'], subject = '') =>
  harness.deps.db.tx('test.raise', (tx) => alerts.raise(tx, { kind, subject }));

async function failed(): Promise<DeploymentAnswer> {
  const deployment = await ordered(harness, customer, { domain: `failed-${Date.now()}-${Math.random()}.example.com` });
  await others.moveTo(deployment.id, 'PROVISIONING', SOLD_OUT);
  return deployment;
}

describe('overview', () => {
  it('is for administrators only', async () => {
    for (const path of ['/api/admin/overview', '/api/admin/counts']) {
      await harness.http.get(path).set(customer.auth).expect(403);
      await harness.http.get(path).expect(401);
    }
  });

  it('has nothing that needs attention on a quiet day', async () => {
    expect(await needs()).toEqual([]);
    expect(await counts()).toEqual({
      urgent: 0,
      alerts: 0,
      conversations: { open: 0, overdue: 0 },
      reviews: 0,
      failed_deployments: 0,
      incidents: 0,
      payment_differences: 0,
    });
  });

  it('lists alerts by kind with their subjects and what to do', async () => {
    for (let consumer = 0; consumer < 7; consumer++) await raise('delivery_parked', `consumer-${consumer}`);
    await raise('image_newer', 'pangolin traefik');
    const { attention } = await overview();
    expect(attention.map(({ urgency, count, alert }) => [alert?.kind, urgency, count])).toEqual([
      ['delivery_parked', 'now', 7],
      ['image_newer', 'later', 1],
    ]);
    expect(attention[0]?.alert).toEqual({
      kind: 'delivery_parked',
      title: { code: 'alert.delivery_parked', facts: {}, detail: 'Deliveries are parked.' },
      advice: expect.objectContaining({ code: 'alert_advice.delivery_parked' }),
      subjects: ['consumer-0', 'consumer-1', 'consumer-2', 'consumer-3', 'consumer-4'],
    });
    expect(await counts()).toMatchObject({ urgent: 1, alerts: 2 });
  });

  it('reports late checks before their alert opens, and only once', async () => {
    await harness.database.sql(`update operator_checks set ran_at = $1 where name = 'watch'`, [iso(now - HOUR_MS)]);
    expect(await needs()).toEqual([['alert', 'now', 1]]);
    expect((await overview()).checks.is_late).toBe(true);
    await raise('watch_late');
    expect(await needs()).toEqual([['alert', 'now', 1]]);
  });

  it('counts replies that are due, by the promise of their level', async () => {
    const write = (due: number | null, state = 'open') =>
      harness.database.sql(
        `insert into support_messages (kind, name, email, subject, message, created_at, last_at, state, waiting_since, due_at, warn_at, level, language)
         values ('contact', 'A', 'a@example.com', 'Help', 'Help', $1, $1, $2, $1, $3, $4, 2, 'en')`,
        [iso(now - HOUR_MS), state, due === null ? null : iso(due), due === null ? null : iso(due - HOUR_MS)],
      );
    await write(null);
    await write(now + DAY_MS);
    expect(await needs()).toEqual([['replies', 'today', 2]]);
    await write(now + 30 * MINUTE_MS);
    await write(now - MINUTE_MS);
    const [replies] = (await overview()).attention;
    expect(replies).toMatchObject({ urgency: 'now', count: 4, due_at: iso(now - MINUTE_MS) });
    expect((await counts()).conversations).toEqual({ open: 4, overdue: 1 });
    await harness.database.sql('delete from support_messages');
  });

  it('lists deployments that failed in the last week, with their reason', async () => {
    const deployment = await failed();
    const { attention, failures, deployments } = await overview();
    expect(attention).toMatchObject([{ kind: 'failed_deployments', urgency: 'today', count: 1 }]);
    expect(deployments.failed).toBe(1);
    expect(failures).toMatchObject([
      {
        deployment_id: deployment.id,
        user_id: customer.id,
        username: customer.username,
        package: ORDER.package,
        cloud_provider: ORDER.cloud_provider,
        failure: { detail: expect.any(String) },
      },
    ]);
    await harness.database.sql('update deployments set updated_at = $2 where id = $1', [
      deployment.id,
      iso(now - 2 * DAY_MS),
    ]);
    expect(await needs()).toEqual([['failed_deployments', 'later', 1]]);
    await harness.database.sql('update deployments set updated_at = $2 where id = $1', [
      deployment.id,
      iso(now - 8 * DAY_MS),
    ]);
    expect(await overview()).toMatchObject({ attention: [], failures: [] });
  });

  it('counts unpaid deployments, alarms, leaks and low balances', async () => {
    const deployment = await ordered(harness, customer);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await harness.database.sql(
      `update meters set grace_period_day = '2026-12-01', grace_period_started_at = $2, grace_period_ends_at = $3 where deployment_id = $1`,
      [deployment.id, iso(now - MINUTE_MS), iso(now + 20 * MINUTE_MS)],
    );
    for (const kind of ['down', 'disk_full', 'slow'])
      await harness.database.sql(
        `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at) values ($1, $2, $3, '', '{}', $4)`,
        [deployment.id, customer.id, kind, iso(now - HOUR_MS)],
      );
    await harness.database.sql(
      `insert into cloud_leaks (provider, kind, region, holding_id, name, labels, state, micros_per_day, first_seen_at, last_seen_at, times_seen)
       values ('hetzner', 'server', 'fsn1', '1', 'left', '{}', 'confirmed', 1920000, $1, $1, 2),
         ('hetzner', 'server', 'fsn1', '2', 'new', '{}', 'suspected', 960000, $1, $1, 1)`,
      [iso(now - DAY_MS)],
    );
    await harness.database.sql('update wallets set low_warned_days = 1 where user_id = $1', [customer.id]);
    await raise('leaks_cost');
    expect(await needs()).toEqual([
      ['unpaid_deployments', 'now', 1],
      ['incidents', 'now', 1],
      ['leaks', 'today', 1],
      ['low_balances', 'later', 1],
    ]);
    const { attention, leaks_daily, deployments } = await overview();
    expect(attention[0]?.due_at).toBe(iso(now + 20 * MINUTE_MS));
    expect(leaks_daily).toBe(1.92);
    expect(deployments.running).toBe(1);
    await harness.database.sql('delete from cloud_leaks');
    await harness.database.sql('delete from incidents');
    await harness.database.sql('update wallets set low_warned_days = null');
    await harness.database.sql(
      'update meters set grace_period_day = null, grace_period_started_at = null, grace_period_ends_at = null',
    );
  });

  it('sums charges of the period and of the one before', async () => {
    const deployment = await ordered(harness, customer);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    const before = (await overview()).money;
    const settle = () =>
      harness.deps.db.tx('test.settle', async (tx) => {
        await harness.deps.ledger.settleAccount(tx, { userId: customer.id, at: await harness.deps.clock.now(tx) });
      });
    await settle();
    const { charged } = (await overview()).money;
    expect((charged ?? 0) - (before.charged ?? 0)).toBeGreaterThan(0);
    harness.pass(DAY_MS);
    const after = (await overview()).money;
    expect(after.charged_before).toBeCloseTo(charged ?? 0, 6);
    expect(after.charged).toBe(0);
  });

  it('has the end of the balance of each owner on a page', async () => {
    const deployment = await ordered(harness, customer);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    const idle = await harness.user();
    const ends = (ids: string) => harness.http.get('/api/admin/balance-ends').query({ user_ids: ids }).set(admin.auth);
    const runway = (await harness.http.get('/api/billing/runway').set(customer.auth)).body as { ends_at: string };
    expect((await ends(`${idle.id},${customer.id},${customer.id},999999`)).body).toEqual([
      { user_id: customer.id, ends_at: runway.ends_at, stops: [deployment.id] },
      { user_id: idle.id, ends_at: null, stops: [] },
    ]);
    for (const ids of ['', 'a', '1,', '99999999999', Array.from({ length: 101 }, (_, id) => id + 1).join(',')])
      expect((await ends(ids)).status).toBe(422);
    expect((await harness.http.get('/api/admin/balance-ends?user_ids=1').set(customer.auth)).status).toBe(403);
  });

  it('sums payments and sign-ups of the period', async () => {
    const before = await overview('?period=7d');
    const newcomer = await harness.user();
    await harness.pay(newcomer, 1_500);
    await harness.unverified();
    await harness.admin();
    const after = await overview('?period=7d');
    expect(after.money.paid - before.money.paid).toBe(15);
    expect(after.money.payments - before.money.payments).toBe(1);
    expect(after.signups).toEqual({
      created: before.signups.created + 2,
      verified: before.signups.verified + 1,
      ordered: before.signups.ordered,
    });
    harness.pass(8 * DAY_MS);
    await harness.deps.db.tx('test.checked', (tx) => alerts.checked(tx, 'watch'));
    expect(await overview()).toMatchObject({
      period: '24h',
      money: { charged: 0, charged_before: 0, paid: 0, payments: 0, taken_back: 0 },
      signups: { created: 0, verified: 0, ordered: 0 },
    });
    expect((await overview('?period=30d')).money.paid).toBeGreaterThanOrEqual(15);
    await harness.http.get('/api/admin/overview?period=1y').set(admin.auth).expect(422);
  });
});
