import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, HOUR_MS, type Instant, instant, iso, MINUTE_MS, Money, SECOND_MS } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Checkpoints, type Db, SILENT, systemRandom } from '@moorage/server';
import {
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import type { BillingService } from '../billing.service';
import { buildBilling } from '@moorage/tests/services/billing';

const NOON = instant('2026-12-01T12:00:00Z');
const MIDNIGHT = instant('2026-12-02T00:00:00Z');
const HOURLY = 35_600;

describe('audit beside an unsettled account', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let deployments: Deployments;
  let ledger: Ledger;
  let billing: BillingService;
  const places: string[] = [];

  let broken: Account;
  let healthy: Account;

  beforeEach(async () => {
    database = await testDatabase();
    clock = handClock(NOON);
    owner = await database.open({ connections_max: 2 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    deployments = new Deployments({ outbox });
    ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 60 });
    const checkpoints: Checkpoints = { at: async (name) => void places.push(name) };
    const db = await database.open({ service: 'billing', connections_max: 4, checkpoints });
    billing = buildBilling({
      db,
      clock,
      log: SILENT,
      ledger,
      invariants: INVARIANTS,
      chunkUsers: 10,
    });
    await owner.tx('admin', (tx) => insertUser(tx, { at: NOON, isAdmin: true }));
    broken = await account(50);
    healthy = await account(50);
    clock.at = MIDNIGHT + 5_000;
    await billing.runDay();
  });
  afterEach(() => database.drop());

  interface Account {
    readonly userId: number;
    readonly id: number;
  }

  async function account(units: number): Promise<Account> {
    return owner.tx('account', async (tx) => {
      const { at } = clock;
      const userId = await insertUser(tx, { at });
      await ledger.openWallet(tx, { userId, at });
      await ledger.adjust(tx, { userId, amount: Money.of(units), actorUserId: userId, at });
      const row = { userId, at, status: 'READY' as const, baseHourlyMicros: HOURLY, billableFrom: at };
      const id = await insertDeployment(tx, row);
      const baseHourly = Money.micros(BigInt(HOURLY));
      await ledger.openMeter(tx, { userId, deploymentId: id, supportLevel: 1, baseHourly, at: NOON - HOUR_MS });
      await ledger.settleAccount(tx, { userId, at });
      return { userId, id };
    });
  }

  /** Removes a deployment's price, which is invalid, so that settling it throws. */
  async function breakIt({ id }: Account): Promise<void> {
    await database.sql(
      `begin; set local session_replication_role = replica; delete from deployment_rates where deployment_id = ${id}; commit`,
    );
    // The daily run's own statement cannot charge it either.
    await database.sql('update meters set rate_from = $2 where deployment_id = $1', [id, iso(MIDNIGHT + 90 * DAY_MS)]);
  }
  async function repair({ id }: Account): Promise<void> {
    const from = iso(NOON - HOUR_MS);
    await database.sql('update meters set rate_from = $2 where deployment_id = $1', [id, from]);
    await database.sql(
      'insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros) values ($1, $2, 1, $3)',
      [id, from, HOURLY],
    );
  }

  /** Removes a charge as if the daily run had skipped it, with the database guards disabled. */
  async function loseCharge({ userId, id }: Account, day: string): Promise<void> {
    const client = await owner.connect();
    try {
      await client.query('set session_replication_role = replica');
      await client.query(
        `with gone as (
           delete from ledger_transactions where deployment_id = $1 and charged_on = $2 returning id, amount_micros
         ), lines as (
           delete from ledger_lines where transaction_id in (select id from gone)
         )
         update wallets set regular_micros = regular_micros - (select sum(amount_micros) from gone) where user_id = $3`,
        [id, day, userId],
      );
    } finally {
      await client.end();
    }
  }

  /** Simulates a confirmed loss. Charges end when the server was first missed, and billing settles it on the event. */
  async function loseServer({ id }: Account, missedAt: Instant): Promise<void> {
    await owner.tx('lost', async (tx) => {
      const row = await deployments.lock(tx, id);
      if (row === null) throw new Error('no deployment');
      const changes = {
        destroy_reason: 'failed',
        server_exists: false,
        lost_from: row.status,
        billable_to: missedAt,
      } as const;
      await deployments.move(tx, row, { to: 'FAILED', by: 'provisioner', at: clock.at, changes });
    });
  }

  const dailyRuns = async (count: number): Promise<void> => {
    for (let dailyRun = 0; dailyRun < count; dailyRun++) {
      clock.at += DAY_MS;
      await billing.catchUp();
    }
  };
  const breaches = async (): Promise<Record<string, unknown[]>> =>
    Object.fromEntries(
      (await billing.audit()).breaches.map(({ id, rows }) => [
        id,
        rows.map((row) => (row as { deployment_id?: number }).deployment_id),
      ]),
    );
  const failures = () =>
    database.sql<{ user_id: number; day: string; code: string; tries: number }>(
      'select user_id, day, code, tries from billing_failures order by user_id',
    );

  it('reports an uncharged day of a healthy account, days after another account began to throw', async () => {
    await breakIt(broken);
    await dailyRuns(5);
    await loseCharge(healthy, '2026-12-06');
    expect(await breaches()).toMatchObject({ I3: [healthy.id] });
  });

  it('exempts only the throwing account, and only from the daily runs since it throws', async () => {
    await breakIt(broken);
    await dailyRuns(3);
    expect(await failures()).toEqual([
      { user_id: broken.userId, day: '2026-12-03', code: expect.stringMatching(/Error/), tries: expect.any(Number) },
    ]);
    expect((await breaches()).I3).toBeUndefined();
    await loseCharge(broken, '2026-12-02');
    expect(await breaches()).toMatchObject({ I3: [broken.id] });
  });

  it('does not exempt an account without a recorded failure', async () => {
    await breakIt(broken);
    await dailyRuns(2);
    await database.sql('delete from billing_failures');
    expect(await breaches()).toMatchObject({ I3: [broken.id] });
  });

  it('rechecks a repaired account within five minutes, whichever process settled it meanwhile', async () => {
    await breakIt(broken);
    await dailyRuns(2);
    await repair(broken);
    const settled = { userId: broken.userId, at: clock.at };
    await owner.tx('an api call', (tx) => ledger.settleAccount(tx, settled));
    expect(await failures()).toHaveLength(1);
    await billing.settleForgotten();
    expect(await failures()).toEqual([]);
    expect(await breaches()).toEqual({});
    await loseCharge(broken, '2026-12-04');
    expect(await breaches()).toMatchObject({ I3: [broken.id] });
  });

  it('checks a run that ended early once it can no longer be in progress', async () => {
    clock.at = MIDNIGHT + DAY_MS;
    await database.sql('insert into billing_runs (day, started_at) values ($1, $2)', ['2026-12-03', iso(clock.at)]);
    clock.at += 59 * MINUTE_MS;
    expect(await breaches()).toEqual({});
    clock.at += 2 * MINUTE_MS;
    expect((await breaches()).I3?.sort()).toEqual([broken.id, healthy.id]);
  });

  it('reports a grace period that lasts more than 15 minutes beyond its end, also of a throwing account', async () => {
    const gracePeriod = (endsAt: number) =>
      database.sql(
        'update meters set grace_period_day = $2, grace_period_started_at = $3, grace_period_ends_at = $4 where deployment_id = $1',
        [broken.id, '2026-12-03', iso(endsAt - HOUR_MS), iso(endsAt)],
      );
    await breakIt(broken);
    clock.at = MIDNIGHT + 2 * HOUR_MS;
    await gracePeriod(clock.at - 14 * MINUTE_MS);
    await billing.catchUp();
    expect(await failures()).toHaveLength(1);
    expect((await breaches()).I3d).toBeUndefined();
    await gracePeriod(clock.at - 16 * MINUTE_MS);
    expect(await breaches()).toMatchObject({ I3d: [broken.id] });
    await gracePeriod(clock.at - 30 * DAY_MS);
    expect(await breaches()).toMatchObject({ I3d: [broken.id] });
  });

  it('reports an extended grace period, but none because of the setting at its start', async () => {
    const poor = await account(1);
    const other = await account(1);
    clock.at += DAY_MS;
    const parts = { deployments, outbox: new Outbox({ clock, random: systemRandom() }) };
    const before = new Ledger({ ...parts, actor: 'billing', gracePeriodMinutes: 5 });
    await owner.tx('the earlier setting', (tx) => before.settleAccount(tx, { userId: other.userId, at: clock.at }));
    await billing.catchUp();
    const open = await database.sql(
      'select deployment_id as id, grace_period_ends_at - grace_period_started_at as length from meters where grace_period_day is not null order by 1',
    );
    expect(open).toMatchObject([{ id: poor.id }, { id: other.id }]);
    expect(await breaches()).toEqual({});
    await database.sql(
      `update meters set grace_period_ends_at = grace_period_ends_at + interval '1 hour' where deployment_id = $1`,
      [poor.id],
    );
    expect(await breaches()).toEqual({ I3e: [poor.id] });
  });

  describe('with a server declared lost at 02:30 and missed since 20:00 of the day before', () => {
    const DECLARED = MIDNIGHT + 2.5 * HOUR_MS;

    beforeEach(async () => {
      clock.at = DECLARED;
      await loseServer(healthy, MIDNIGHT - 4 * HOUR_MS);
    });

    it.each([
      ['2 seconds', 2 * SECOND_MS],
      ['exactly 15 minutes', 15 * MINUTE_MS],
    ])('reports nothing %s later, before billing settles it', async (_, later) => {
      clock.at = DECLARED + later;
      expect(await breaches()).toEqual({});
    });

    it('reports it 16 minutes later while it is unsettled, and not once it is settled', async () => {
      clock.at = DECLARED + 16 * MINUTE_MS;
      expect(await breaches()).toEqual({ I18: [healthy.id, healthy.id] });
      await billing.settleForgotten();
      expect(await breaches()).toEqual({});
    });

    it('reports at once that billing settled it without a refund', async () => {
      await database.sql('update meters set reckoned = true where deployment_id = $1', [healthy.id]);
      expect(await breaches()).toEqual({ I18: [healthy.id, healthy.id] });
    });

    it('reports at once another deployment whose interval end is not recorded', async () => {
      await database.sql(`update deployments set status = 'FAILED', billable_to = $2 where id = $1`, [
        broken.id,
        iso(MIDNIGHT - HOUR_MS),
      ]);
      expect(await breaches()).toMatchObject({ I18: [broken.id, broken.id] });
    });
  });

  it('records a daily run as processed if its accounts were settled elsewhere while a bulk charge failed', async () => {
    const db = await database.open({ service: 'billing', connections_max: 4 });
    const settleAll = () =>
      owner.tx('somebody else', async (tx) => {
        for (const { userId } of [broken, healthy]) await ledger.settleAccount(tx, { userId, at: clock.at });
      });
    const tx: Db['tx'] = async (name, fn) => {
      if (name !== 'billing.chunk') return db.tx(name, fn);
      await settleAll();
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    };
    clock.at += DAY_MS;
    await buildBilling({ db: { ...db, tx }, clock, log: SILENT, ledger, invariants: [], chunkUsers: 10 }).runDay();
    const runs = await database.sql(
      `select day::text, finished_at is not null as finished,
         exists (select 1 from billing_run_chunks c where c.day = r.day) as looked_at
       from billing_runs r where day = '2026-12-03'`,
    );
    expect(runs).toEqual([{ day: '2026-12-03', finished: true, looked_at: true }]);
  });

  it('computes warnings once per daily run, not each minute in which a day stays open', async () => {
    for (let near = 0; near < 3; near++) await account(1);
    await breakIt(broken);
    places.length = 0;
    await dailyRuns(1);
    const forecasts = () => places.filter((name) => name === 'billing.forecast').length;
    expect(forecasts()).toBe(3);
    for (let minute = 0; minute < 3; minute++) {
      clock.at += MINUTE_MS;
      await billing.catchUp();
    }
    expect(forecasts()).toBe(3);
    expect(await database.sql('select 1 from billing_runs where finished_at is null')).toHaveLength(1);
  });
});
