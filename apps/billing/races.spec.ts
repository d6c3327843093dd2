import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, DomainError, HOUR_MS, instant, iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Checkpoints, type Db, SILENT, systemRandom } from '@moorage/server';
import {
  breachesOf,
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
  untilLockWait,
} from '@moorage/testing';
import type { BillingService } from './billing.service';
import { buildBilling } from '@moorage/tests/services/billing';

const START = instant('2026-11-30T12:00:00Z');
const MIDNIGHT = instant('2026-12-01T00:00:00Z');

interface Runner {
  readonly billing: BillingService;
  readonly db: Db;
}

describe('concurrent balance operations', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let api: Db;
  let deployments: Deployments;
  let ledger: Ledger;

  beforeAll(async () => {
    database = await testDatabase();
    clock = handClock(START);
    owner = await database.open({ connections_max: 2 });
    api = await database.open({ service: 'api', connections_max: 32 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    deployments = new Deployments({ outbox });
    ledger = new Ledger({ deployments, outbox, actor: 'api', gracePeriodMinutes: 60 });
    await owner.tx('admin', (tx) => insertUser(tx, { at: START, isAdmin: true }));
  });
  afterAll(() => database.drop());

  /** Billing service with its own connections and checkpoints. */
  async function runner(options: { checkpoints?: Checkpoints; application_name?: string } = {}): Promise<Runner> {
    const db = await database.open({ service: 'billing', connections_max: 4, ...options });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const own = new Ledger({
      deployments: new Deployments({ outbox }),
      outbox,
      actor: 'billing',
      gracePeriodMinutes: 60,
    });
    const billing = buildBilling({
      db,
      clock,
      log: SILENT,
      ledger: own,
      invariants: [],
      chunkUsers: 25,
      workers: 2,
    });
    return { db, billing };
  }

  /** Simulates `kill -9`. At this point all connections of the runner end, and it does not continue. */
  const dyingAt = (place: string): Checkpoints => ({
    at: async (name) => {
      if (name !== place) return;
      await database.sql(
        `select pg_terminate_backend(pid, 45000) from pg_stat_activity where application_name = 'doomed'`,
      );
      throw new Error('killed');
    },
  });

  async function account(micros: number, running: number): Promise<{ userId: number; ids: number[] }> {
    return owner.tx('account', async (tx) => {
      const userId = await insertUser(tx, { at: START });
      await ledger.openWallet(tx, { userId, at: START });
      await ledger.adjust(tx, { userId, amount: Money.micros(BigInt(micros)), actorUserId: userId, at: START });
      const ids: number[] = [];
      for (let n = 0; n < running; n++) ids.push(await start(tx, userId));
      await ledger.settleAccount(tx, { userId, at: START + 1 });
      return { userId, ids };
    });
  }

  async function start(tx: Parameters<Parameters<Db['tx']>[1]>[0], userId: number): Promise<number> {
    const row = { userId, at: START, baseHourlyMicros: 35_600, status: 'READY' as const, billableFrom: START };
    const deploymentId = await insertDeployment(tx, row);
    const meter = { userId, deploymentId, supportLevel: 1 as const, baseHourly: Money.micros(35_600n), at: START };
    await ledger.openMeter(tx, meter);
    return deploymentId;
  }

  async function remove(userId: number, deploymentId: number, at: number): Promise<void> {
    const stop = { userId, deploymentId, at };
    await api.tx('delete', async (tx) => {
      const { billableTo } = await ledger.prepareStop(tx, stop);
      const row = await deployments.lock(tx, deploymentId);
      if (row === null || billableTo === null) return;
      const changes = { desired: 'destroyed', destroy_reason: 'deleted', billable_to: billableTo } as const;
      await deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
      await ledger.stop(tx, stop);
    });
  }

  const charges = (day: string): Promise<{ charges: number; twice: number; missing: number }[]> =>
    database.sql(
      `select count(*)::int as charges, (count(*) - count(distinct t.deployment_id))::int as twice,
         (select count(*)::int from deployments d where d.billable_from < $1::date and (d.billable_to is null or d.billable_to > $1::date)
           and not exists (select 1 from ledger_transactions x where x.type = 'charge' and x.deployment_id = d.id and x.charged_on = $1::date)
           and not exists (select 1 from meters m where m.deployment_id = d.id and m.grace_period_day is not null)) as missing
       from ledger_transactions t where t.type = 'charge' and t.charged_on = $1::date`,
      [day],
    );

  const offences = async (): Promise<object[]> =>
    (await breachesOf(database, { now: clock.at, moment: 'always' })).filter(({ id }) => !['I12', 'I12b'].includes(id));

  it('keep the ledger balanced without negative or lost amounts for 64 operations on one wallet', async () => {
    const { userId, ids } = await account(30_000_000, 8);
    const at = START + 2 * HOUR_MS;
    clock.at = at;
    const { billing, db } = await runner();
    const refused = new Set<number>();
    const operations = Array.from({ length: 64 }, (_, n) => async (): Promise<void> => {
      const cause = `race ${userId} ${n >> 1}`;
      try {
        switch (n % 8) {
          case 0:
          case 1:
            // Each payment is delivered twice.
            await api.tx('pay', (tx) => ledger.recordPayment(tx, { userId, amount: Money.of(1), cause, at }));
            break;
          case 2:
            await api.tx('create', async (tx) => {
              await ledger.planCreate(tx, { userId, at });
              await start(tx, userId);
              await ledger.settleAccount(tx, { userId, at });
            });
            break;
          case 3:
            await remove(userId, ids[n >> 3] ?? 0, at);
            break;
          case 4:
            await api.tx('adjust', (tx) =>
              ledger.adjust(tx, { userId, amount: Money.of(-6), actorUserId: userId, at }),
            );
            break;
          case 5:
            await api.tx('grant', (tx) => ledger.grantCredit(tx, { userId, creditType: 'signup', at }));
            break;
          case 6:
            await db.tx('settle', (tx) => ledger.settleAccount(tx, { userId, at: at + n * HOUR_MS }));
            break;
          default:
            await billing.runDay({ at: MIDNIGHT + 5_000 });
        }
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refused.add(n % 8);
      }
    });
    await Promise.all(operations.map((operation) => operation()));
    clock.at = MIDNIGHT + 3 * DAY_MS;
    expect(await offences()).toEqual([]);
    const [payments] = await database.sql<{ count: number }>(
      `select count(*)::int as count from ledger_transactions where user_id = $1 and type = 'payment'`,
      [userId],
    );
    expect(payments?.count).toBe(8);
    // Orders and deductions may be refused when the balance has run out. The number depends on who gets the lock first.
    expect([2, 4]).toEqual(expect.arrayContaining([...refused]));
    const [deleted] = await database.sql<{ count: number }>(
      `select count(*)::int as count from deployments where id = any($1) and billable_to is not null`,
      [ids],
    );
    expect(deleted?.count).toBe(8);
  });

  it('do not lock the wallet of a deployment that starts while the run waits for another account', async () => {
    const slow = await account(50_000_000, 1);
    const idle = await account(50_000_000, 0);
    const at = MIDNIGHT + DAY_MS + 5_000;
    clock.at = at;
    const { billing } = await runner();
    const { run, begun } = await owner.tx('slow', async (tx) => {
      await ledger.lock(tx, slow.userId);
      const running = billing.runDay({ at });
      await untilLockWait(database);
      const id = await api.tx('begin', async (other) => {
        const deploymentId = await start(other, idle.userId);
        await ledger.settleAccount(other, { userId: idle.userId, at: at - HOUR_MS });
        return deploymentId;
      });
      return { run: () => running, begun: id };
    });
    expect(await run()).toMatchObject({ failed: 0 });
    const days = (): Promise<object[]> =>
      database.sql(`select charged_on from ledger_transactions where deployment_id = $1 order by charged_on`, [begun]);
    expect(await days()).toEqual([{ charged_on: '2026-11-30' }, { charged_on: '2026-12-01' }]);
    await billing.settleForgotten();
    expect(await days()).toHaveLength(3);
    expect(await offences()).toEqual([]);
  });

  it('charge once with two runners, and move exactly the ledger amount (the 752 for 376 trap)', async () => {
    for (let n = 0; n < 60; n++) await account(50_000_000, 2);
    const at = instant('2026-12-05T00:00:05Z');
    clock.at = at;
    const runners = await Promise.all([runner(), runner()]);
    const results = await Promise.all(runners.map(({ billing }) => billing.runDay({ at })));
    expect(results.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await charges('2026-12-05')).toMatchObject([{ twice: 0, missing: 0 }]);
    expect(await offences()).toEqual([]);
    // A finished day is only checked.
    const before = await database.sql('select count(*) from ledger_transactions');
    expect(await runners[0]?.billing.runDay({ at: at + 1 })).toEqual({
      days: [],
      passed: [],
      charged: 0,
      settled: 0,
      failed: 0,
    });
    expect(await database.sql('select count(*) from ledger_transactions')).toEqual(before);
  });

  it.each([
    'billing.chunk',
    'billing.chunk.inside',
    'billing.chunk.committed',
    'billing.settle.committed',
    'billing.finish',
  ])('let the next runner finish the run of a runner that dies at %s, beside a live runner', async (place) => {
    const [{ day: last } = { day: '' }] = await database.sql<{ day: string }>(
      'select max(day) as day from billing_runs',
    );
    const at = instant(`${last}T00:00:05Z`) + DAY_MS;
    clock.at = at;
    // The balance covers only one of its two deployments, so `settleAccount` must process the account.
    await owner.tx('poor', async (tx) => {
      const userId = await insertUser(tx, { at: START });
      await ledger.openWallet(tx, { userId, at: START });
      await ledger.adjust(tx, { userId, amount: Money.micros(900_000n), actorUserId: userId, at: START });
      for (let n = 0; n < 2; n++) {
        const row = { userId, at, baseHourlyMicros: 35_600, status: 'READY' as const, billableFrom: at - 7_000 };
        const deploymentId = await insertDeployment(tx, row);
        await ledger.openMeter(tx, {
          userId,
          deploymentId,
          supportLevel: 1,
          baseHourly: Money.micros(35_600n),
          at: at - 8_000,
        });
      }
    });
    const doomed = await runner({ checkpoints: dyingAt(place), application_name: 'doomed' });
    const died = await doomed.billing.runDay({ at }).then(
      ({ failed }) => failed > 0,
      () => true,
    );
    expect(died).toBe(true);
    const others = [await runner(), await runner()];
    const results = await Promise.all(others.map(({ billing }) => billing.runDay({ at })));
    expect(results.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await charges(iso(at).slice(0, 10))).toMatchObject([{ twice: 0, missing: 0 }]);
    expect(await offences()).toEqual([]);
  });
});
