import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, HOUR_MS, instant, iso, MINUTE_MS, Money } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, type Log, SILENT, systemRandom } from '@moorage/server';
import {
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import type { BillingService } from './billing.service';
import { billingHandlers, buildBilling } from '@moorage/tests/services/billing';

const NOON = instant('2026-12-01T12:00:00Z');
const MIDNIGHT = instant('2026-12-02T00:00:00Z');

describe('billing', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let ledger: Ledger;
  let billing: BillingService;
  const logged: string[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    clock = handClock(NOON);
    owner = await database.open({ connections_max: 2 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    ledger = new Ledger({
      deployments: new Deployments({ outbox }),
      outbox,
      actor: 'billing',
      gracePeriodMinutes: 60,
    });
    const db = await database.open({ service: 'billing', connections_max: 4 });
    const log: Log = {
      ...SILENT,
      error: (message, facts) =>
        void logged.push(`${message} ${String(facts?.user_id ?? facts?.first_user_id ?? facts?.invariant)}`),
    };
    billing = buildBilling({ db, clock, log, ledger, invariants: INVARIANTS, chunkUsers: 10 });
    await owner.tx('admin', (tx) => insertUser(tx, { at: NOON, isAdmin: true }));
  });
  afterAll(() => database.drop());

  async function account(units: number, { from = NOON, settled = true } = {}): Promise<{ userId: number; id: number }> {
    return owner.tx('account', async (tx) => {
      const userId = await insertUser(tx, { at: NOON });
      await ledger.openWallet(tx, { userId, at: NOON });
      await ledger.adjust(tx, { userId, amount: Money.of(units), actorUserId: userId, at: NOON });
      const row = { userId, at: NOON, status: 'READY' as const, baseHourlyMicros: 35_600, billableFrom: from };
      const id = await insertDeployment(tx, row);
      await ledger.openMeter(tx, {
        userId,
        deploymentId: id,
        supportLevel: 1,
        baseHourly: Money.micros(35_600n),
        at: NOON - HOUR_MS,
      });
      if (settled) await ledger.settleAccount(tx, { userId, at: from });
      return { userId, id };
    });
  }

  const days = async (id: number): Promise<string[]> =>
    (
      await database.sql<{ charged_on: string }>(
        `select charged_on from ledger_transactions where deployment_id = $1 and type = 'charge' order by charged_on`,
        [id],
      )
    ).map(({ charged_on }) => charged_on);

  /** Removes a deployment's price, which is invalid, so that settling it throws. */
  const takeRate = (id: number) =>
    database.sql(
      `begin; set local session_replication_role = replica; delete from deployment_rates where deployment_id = ${id}; commit`,
    );
  const giveRate = (id: number) =>
    database.sql(
      'insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros) values ($1, $2, 1, 35600)',
      [id, iso(NOON - HOUR_MS)],
    );

  it('settles and warns when a deployment starts running, whatever else the event contains', async () => {
    const { userId, id } = await account(1, { settled: false });
    const handle = billingHandlers({ clock, ledger })['deployment.status_changed'];
    const envelope = { data: { user_id: userId, deployment_id: id } } as never;
    for (let n = 0; n < 2; n++) await owner.tx('handle', (tx) => handle?.(tx, envelope) ?? Promise.resolve());
    expect(await days(id)).toEqual(['2026-12-01']);
    const [low] = await database.sql<{ days: number }>(
      `select (data ->> 'days')::int as days from outbox where event_name = 'balance.low' and aggregate_id = $1`,
      [String(userId)],
    );
    expect(low?.days).toBe(1);
  });

  it('applies the price of a confirmed size as requested, once and not before the request', async () => {
    const { userId, id } = await account(20);
    const other = await account(20);
    clock.at = NOON + 40 * MINUTE_MS;
    const [change] = await database.sql<{ id: number }>(
      `insert into deployment_changes (deployment_id, kind, state, before, after, requested_by, requested_at)
       values ($1, 'resize', 'running', '{}', '{"hourly_micros": "61200"}', $2, $3) returning id`,
      [id, userId, iso(NOON + 30 * MINUTE_MS)],
    );
    const handle = billingHandlers({ clock, ledger })['deployment.resized'];
    const db = await database.open({ service: 'billing' });
    const deliver = (data: object): Promise<void> =>
      db.tx('resized', (tx) => handle?.(tx, { data } as never) ?? Promise.resolve());
    const event = { change_id: change?.id ?? 0, confirmed_at: iso(NOON - DAY_MS) };
    // The change of another deployment has no effect.
    await deliver({ ...event, deployment_id: other.id, user_id: other.userId });
    for (let n = 0; n < 2; n++) await deliver({ ...event, deployment_id: id, user_id: userId });
    const rates = await database.sql<object>(
      `select deployment_id, hourly_micros, effective_from, actor_user_id from deployment_rates
       where reason = 'resized' and deployment_id = any($1::int[])`,
      [[id, other.id]],
    );
    expect(rates).toEqual([
      {
        deployment_id: id,
        hourly_micros: '61200',
        effective_from: NOON + 30 * MINUTE_MS,
        actor_user_id: userId,
      },
    ]);
    const [rerate] = await database.sql<object>(
      `select amount_micros from ledger_transactions where deployment_id = $1 and type = 'rerate'`,
      [id],
    );
    // 11 h x (61,200 - 35,600)
    expect(rerate).toEqual({ amount_micros: '-281600' });
    clock.at = NOON;
  });

  it('finds a first charge and a lost server without an event', async () => {
    const fresh = await account(5, { settled: false });
    const lost = await account(5);
    await database.sql(`update deployments set status = 'FAILED', billable_to = $2 where id = $1`, [
      lost.id,
      iso(NOON + HOUR_MS),
    ]);
    clock.at = NOON + 2 * HOUR_MS;
    await billing.settleForgotten();
    expect(await days(fresh.id)).toEqual(['2026-12-01']);
    const [refund] = await database.sql<{ amount_micros: string }>(
      `select amount_micros from ledger_transactions where deployment_id = $1 and type = 'refund'`,
      [lost.id],
    );
    expect(refund?.amount_micros).toBe(String(11 * 35_600));
  });

  it('continues when one account throws, keeps its chunk open, and finishes once it is repaired', async () => {
    const broken = await account(0.5);
    const healthy = await account(50);
    await takeRate(broken.id);
    clock.at = MIDNIGHT + 5_000;
    const first = await billing.runDay();
    expect(first.failed).toBe(1);
    expect(logged.at(-1)).toBe(`account could not be settled ${broken.userId}`);
    expect(await days(healthy.id)).toEqual(['2026-12-01', '2026-12-02']);
    const unfinished = () => database.sql('select 1 from billing_runs where finished_at is null');
    expect(await unfinished()).toHaveLength(1);

    // Nor does it block the next run for other accounts.
    clock.at += DAY_MS;
    expect((await billing.runDay()).failed).toBe(2);
    expect(await days(healthy.id)).toEqual(['2026-12-01', '2026-12-02', '2026-12-03']);
    expect(await days(broken.id)).toEqual(['2026-12-01']);
    expect(await unfinished()).toHaveLength(2);

    await giveRate(broken.id);
    expect((await billing.runDay()).failed).toBe(0);
    expect(await database.sql('select 1 from billing_runs where finished_at is null')).toEqual([]);
    expect(await days(healthy.id)).toEqual(['2026-12-01', '2026-12-02', '2026-12-03']);
  });

  it('settles a chunk account by account when a row in it makes the bulk charge throw', async () => {
    const broken = await account(50, { from: clock.at });
    const healthy = await account(50, { from: clock.at });
    // Such a price never occurs. Twenty-four times it exceeds the column's range.
    const reprice = (micros: string) =>
      database.sql('update meters set hourly_micros = $2 where deployment_id = $1', [broken.id, micros]);
    await reprice('9000000000000000000');
    await takeRate(broken.id);
    clock.at += DAY_MS;
    expect((await billing.runDay()).failed).toBe(1);
    expect(logged.slice(-2)).toEqual([
      'chunk could not be charged at once; settling its accounts individually 1',
      `account could not be settled ${broken.userId}`,
    ]);
    expect(await days(healthy.id)).toEqual(['2026-12-03', '2026-12-04']);

    await reprice('35600');
    await giveRate(broken.id);
    expect((await billing.runDay()).failed).toBe(0);
    expect(await days(healthy.id)).toEqual(['2026-12-03', '2026-12-04']);
  });

  it('ends grace periods in the minute of their end, without another daily run', async () => {
    const { userId, id } = await account(0.5, { from: MIDNIGHT + HOUR_MS });
    clock.at = MIDNIGHT + 2 * HOUR_MS;
    await billing.catchUp();
    const status = async () =>
      (await database.sql<{ status: string }>('select status from deployments where id = $1', [id]))[0]?.status;
    expect(await status()).toBe('DESTROYING');
    const [wallet] = await database.sql('select regular_micros from wallets where user_id = $1', [userId]);
    expect(wallet).toEqual({ regular_micros: '500000' });
  });

  it('catches up a deployment that began while days ahead were run manually', async () => {
    await billing.runDay({ at: MIDNIGHT + 5 * DAY_MS });
    clock.at = MIDNIGHT + 2 * DAY_MS - HOUR_MS;
    const { id } = await account(50, { from: clock.at });
    clock.at += 2 * HOUR_MS;
    expect((await billing.runDay()).days).toEqual([]);
    await billing.settleForgotten();
    expect(await days(id)).toEqual(['2026-12-03', '2026-12-04']);
    clock.at = MIDNIGHT + 5 * DAY_MS;
    await billing.settleForgotten();
    expect(await days(id)).toHaveLength(5);
  });

  it('proves the ledger daily and stores violations', async () => {
    const breaches = async () => (await billing.audit()).breaches.map(({ id }) => id);
    expect(await breaches()).toEqual([]);
    const { userId } = await account(5, { from: clock.at });
    await database.sql('update wallets set regular_micros = regular_micros + 1 where user_id = $1', [userId]);
    expect(await breaches()).toEqual(['I1b', 'I2c']);
    // The same breach again is not a second finding.
    clock.at += DAY_MS;
    expect(await breaches()).toEqual(expect.arrayContaining(['I1b', 'I2c']));
    clock.at -= DAY_MS;
    const findings = await database.sql<{ times: number; days: number }>(
      `select times, (extract(epoch from last_found_at - found_at) / 86400)::int as days from audit_findings where invariant in ('I1b', 'I2c')`,
    );
    expect(findings).toEqual([
      { times: 2, days: 1 },
      { times: 2, days: 1 },
    ]);
    const [finding] = await database.sql<{ invariant: string; facts: { user_id: number } }>(
      'select invariant, facts from audit_findings order by id limit 1',
    );
    expect(finding).toMatchObject({ invariant: 'I1b', facts: { user_id: userId } });
    expect(logged).toContain('the ledger does not balance I1b');
    await database.sql('update wallets set regular_micros = regular_micros - 1 where user_id = $1', [userId]);
    // This includes invariants that hold once everything is settled, such as days without a charge.
    await account(5, { from: MIDNIGHT, settled: false });
    expect(await breaches()).toEqual(['I3']);
    await billing.settleForgotten();
    expect(await breaches()).toEqual([]);
  });
});
