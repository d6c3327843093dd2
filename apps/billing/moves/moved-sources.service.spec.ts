import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments, insertMove } from '@moorage/database';
import { DAY_MS, HOUR_MS, instant, iso, Money } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, SILENT, systemRandom } from '@moorage/server';
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

describe('old servers of moves', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let ledger: Ledger;
  let billing: BillingService;
  let source: number;
  let target: number;
  let userId: number;

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
    billing = buildBilling({ db, clock, log: SILENT, ledger, invariants: INVARIANTS });
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    clock.at = NOON;
    await owner.tx('account', async (tx) => {
      userId = await insertUser(tx, { at: NOON });
      await ledger.openWallet(tx, { userId, at: NOON });
      await ledger.adjust(tx, { userId, amount: Money.of(50), actorUserId: userId, at: NOON });
      const ids: number[] = [];
      for (const at of [NOON - HOUR_MS, NOON]) {
        const row = { userId, at, status: 'READY' as const, baseHourlyMicros: 35_600, billableFrom: NOON };
        const id = await insertDeployment(tx, row);
        await ledger.openMeter(tx, {
          userId,
          deploymentId: id,
          supportLevel: 1,
          baseHourly: Money.micros(35_600n),
          at,
        });
        ids.push(id);
      }
      await ledger.settleAccount(tx, { userId, at: NOON });
      [source = 0, target = 0] = ids;
      await insertMove(tx, { sourceId: source, targetId: target, kind: 'move', by: userId, at: NOON });
    });
    await database.sql(`update moves set state = 'waiting', switched_at = $2, remove_at = $3 where target_id = $1`, [
      target,
      iso(NOON),
      iso(NOON + DAY_MS),
    ]);
  });

  const change = (id: number, columns: string) => database.sql(`update deployments set ${columns} where id = $1`, [id]);
  const statusOf = async (id: number): Promise<string | undefined> =>
    (await database.sql<{ status: string }>('select status from deployments where id = $1', [id]))[0]?.status;
  const removeAt = (ms: number) => {
    clock.at = NOON + ms;
    return billing.removeMoved();
  };

  it('are removed 24 hours after the new one was ready, and cost nothing from then on', async () => {
    await removeAt(DAY_MS - 1);
    expect(await statusOf(source)).toBe('READY');
    await removeAt(DAY_MS);
    expect([await statusOf(source), await statusOf(target)]).toEqual(['DESTROYING', 'READY']);
    const [row] = await database.sql<{ billable_to: number; destroy_reason: string; desired: string }>(
      'select billable_to, destroy_reason, desired from deployments where id = $1',
      [source],
    );
    expect(row).toEqual({ billable_to: NOON + DAY_MS, destroy_reason: 'deleted', desired: 'destroyed' });
    const refunds = await database.sql(
      `select 1 from ledger_transactions where deployment_id = $1 and type in ('refund', 'charge')`,
      [source],
    );
    expect(refunds.length).toBeGreaterThan(1);
    const again = await removeAt(DAY_MS + HOUR_MS);
    expect(again.removed).toBe(0);
  });

  it.each([
    ['the new one was lost', `status = 'FAILED', billable_to = billable_from`],
    ['the new one is restarting', `status = 'RESTARTING'`],
    ['the records of the new one are missing', `status = 'DNS_FAILED'`],
    [
      'the new one is being removed',
      `status = 'DESTROYING', billable_to = billable_from, desired = 'destroyed', destroy_reason = 'deleted'`,
    ],
  ])('stay if %s', async (_, columns) => {
    await change(target, columns);
    await removeAt(2 * DAY_MS);
    expect(await statusOf(source)).toBe('READY');
  });

  it('stay while their deletion is locked, and go afterwards', async () => {
    await change(source, 'deletion_locked = true');
    await removeAt(2 * DAY_MS);
    expect(await statusOf(source)).toBe('READY');
    await change(source, 'deletion_locked = false');
    await removeAt(2 * DAY_MS);
    expect(await statusOf(source)).toBe('DESTROYING');
  });

  it('stay while the new one does not respond', async () => {
    await database.sql(
      `insert into reachability (deployment_id, due_at, state, since, checked_at, failures, failed_since, outages, mailed)
       values ($1, $2, 'unreachable', $2, $2, 3, $2, '[]', '[]')`,
      [target, iso(NOON)],
    );
    await removeAt(2 * DAY_MS);
    expect(await statusOf(source)).toBe('READY');
    await database.sql(`update reachability set state = 'reachable' where deployment_id = $1`, [target]);
    await removeAt(2 * DAY_MS);
    expect(await statusOf(source)).toBe('DESTROYING');
  });
});
