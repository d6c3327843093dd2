import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, HOUR_MS, type Instant, instant, iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, type Random, seededRandom, SILENT, systemRandom } from '@moorage/server';
import {
  breachesOf,
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import type { BillingService } from './billing.service';
import { buildBilling } from '@moorage/tests/services/billing';

const START = instant('2026-11-29T12:00:00Z');
const DAYS = 4;
const ACCOUNTS = 60;

interface World {
  readonly database: TestDatabase;
  readonly clock: HandClock;
  readonly owner: Db;
  readonly ledger: Ledger;
  readonly billing: BillingService;
}

/**
 * The daily run is the set-based equivalent of `settleAccount`. The same random accounts exist in two databases. In one,
 * the run is executed each night (some nights late, two at once), in the other only `settleAccount`. Both ledgers must
 * be identical.
 */
describe('daily run and settle', () => {
  let byRun: World;
  let bySettle: World;
  beforeAll(async () => {
    byRun = await world(await testDatabase());
    bySettle = await world(await testDatabase());
  });
  afterAll(async () => {
    await byRun.database.drop();
    await bySettle.database.drop();
  });

  it('write the same ledger for random accounts', async () => {
    await populate(byRun, seededRandom(20261121));
    await populate(bySettle, seededRandom(20261121));
    const setBased: number[] = [];
    for (let dailyRun = 1; dailyRun <= DAYS; dailyRun++) {
      // The third night is missed, so both catch up in the fourth.
      if (dailyRun === 3) continue;
      const at = instant('2026-11-30T00:00:07Z') + (dailyRun - 1) * DAY_MS;
      byRun.clock.at = bySettle.clock.at = at;
      for (const one of [byRun, bySettle]) await loseServers(one, dailyRun, at - 5 * HOUR_MS);
      const results = await Promise.all([byRun.billing.runDay({ at }), byRun.billing.runDay({ at })]);
      // The two runs share the chunks at random. Only their combined result is deterministic.
      setBased.push(results.reduce((sum, { charged }) => sum + charged, 0));
      await byRun.billing.settleForgotten();
      for (const userId of await users(bySettle))
        await bySettle.owner.tx('settle', (tx) => bySettle.ledger.settleAccount(tx, { userId, at }));
    }
    const [ran, settled] = [await books(byRun), await books(bySettle)];
    // Compare per account, so that a difference is readable.
    for (const userId of await users(bySettle)) expect(ran.get(userId)).toEqual(settled.get(userId));
    // The comparison is meaningful only if the set-based run was really used.
    expect(Math.max(...setBased)).toBeGreaterThan(ACCOUNTS / 8);
    const scope = { now: byRun.clock.at, moment: 'settled' as const };
    expect((await breachesOf(byRun.database, scope)).filter(({ id }) => id !== 'I12')).toEqual([]);
    expect((await breachesOf(bySettle.database, scope)).filter(({ id }) => id !== 'I12')).toEqual([]);
  }, 240_000);
});

async function world(database: TestDatabase): Promise<World> {
  const clock = handClock(START);
  const owner = await database.open({ connections_max: 2 });
  const outbox = new Outbox({ clock, random: systemRandom() });
  const ledger = new Ledger({
    deployments: new Deployments({ outbox }),
    outbox,
    actor: 'billing',
    gracePeriodMinutes: 0,
  });
  const db = await database.open({ service: 'billing', connections_max: 8 });
  // Chunks of seven accounts create many boundaries.
  const billing = buildBilling({ db, clock, log: SILENT, ledger, invariants: [], chunkUsers: 7, workers: 2 });
  await owner.tx('admin', async (tx) => {
    await insertUser(tx, { at: START, isAdmin: true });
    await tx.execute(`insert into billing_runs (day, started_at, finished_at) values ('2026-11-29', $1, $1)`, [
      iso(START),
    ]);
  });
  return { database, clock, owner, ledger, billing };
}

/**
 * Creates accounts with one to three deployments, up to three credits with various expiry times, and a balance for some
 * of the nights.
 */
async function populate({ owner, ledger }: World, random: Random): Promise<void> {
  const upTo = (max: number): number => Math.floor(random.fraction() * (max + 1));
  const oneOf = <T>(values: readonly [T, ...T[]]): T => values[upTo(values.length - 1)] ?? values[0];
  for (let n = 1; n <= ACCOUNTS; n++) {
    await owner.tx('populate', async (tx) => {
      const userId = await insertUser(tx, { at: START, id: 1_000 + n });
      await ledger.openWallet(tx, { userId, at: START });
      const amount = Money.micros(BigInt(oneOf([upTo(3_000_000), upTo(12_000_000), 5_000_000, 40_000_000])));
      if (amount.isPositive) await ledger.adjust(tx, { userId, amount, actorUserId: userId, at: START });
      for (let credit = upTo(3); credit > 0; credit--) {
        const ends = oneOf<Instant>([
          START + upTo(5 * 24) * HOUR_MS,
          instant('2026-11-30T00:00:00Z') + upTo(3) * DAY_MS + oneOf([-1, 0, 1]),
          START + 20 * DAY_MS,
        ]);
        const creditType = 'signup';
        const size = Money.micros(BigInt(1 + upTo(4_990_000)));
        await ledger.grantCredit(tx, { userId, creditType, amount: size, at: ends - 30 * DAY_MS });
      }
      for (let index = 1 + upTo(2); index > 0; index--) {
        const baseHourlyMicros = oneOf([35_600, 5_000, 104_100, 60_000]);
        const supportLevel = oneOf([1, 1, 1, 2, 3] as const);
        const from = START + upTo(30) * HOUR_MS + oneOf([0, 100, -1]);
        const id = n * 10 + index;
        const row = { id, userId, supportLevel, baseHourlyMicros, billableFrom: from, at: START };
        await insertDeployment(tx, { ...row, status: 'READY' });
        await tx.execute('update deployments set client_name = $2 where id = $1', [id, `client-${id}`]);
        const baseHourly = Money.micros(BigInt(baseHourlyMicros));
        await ledger.openMeter(tx, { userId, deploymentId: id, supportLevel, baseHourly, at: START - HOUR_MS });
      }
      await ledger.settleAccount(tx, { userId, at: START + HOUR_MS });
    });
  }
}

/** Loses every eleventh server on its night, five hours before the run, without an event to billing. */
async function loseServers({ database }: World, dailyRun: number, at: Instant): Promise<void> {
  await database.sql(
    `update deployments set status = 'FAILED', billable_to = $2, updated_at = $2
     where id % 11 = $1 and billable_to is null and billable_from < $2`,
    [dailyRun, iso(at)],
  );
}

async function users({ database }: World): Promise<number[]> {
  const rows = await database.sql<{ user_id: number }>('select user_id from wallets order by user_id');
  return rows.map(({ user_id }) => user_id);
}

/** Returns the whole ledger by account, without transaction IDs, which depend on the order of accounts. */
async function books({ database }: World): Promise<Map<number, object>> {
  const rows = await database.sql<{ user_id: number }>(
    `select w.user_id, w.regular_micros, w.owed_micros,
       (select json_agg(json_build_array(t.type, t.amount_micros::text, t.description, t.deployment_id, t.charged_on, t.due_at,
            (select json_agg(json_build_array(l.ledger_account, c.expires_at, l.amount_micros::text) order by l.line_no)
               from ledger_lines l left join credits c on c.id = l.credit_id where l.transaction_id = t.id)) order by t.id)
          from ledger_transactions t where t.user_id = w.user_id) as transactions,
       (select json_agg(json_build_array(m.deployment_id, m.charged_through, m.reckoned, d.status, d.billable_to) order by m.deployment_id)
          from meters m join deployments d on d.id = m.deployment_id where m.user_id = w.user_id) as meters,
       (select json_agg(json_build_array(c.expires_at, c.remaining_micros::text, c.lapsed_micros::text, c.expired_at) order by c.id)
          from credits c where c.user_id = w.user_id) as credits
     from wallets w`,
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}
