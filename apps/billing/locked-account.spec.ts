import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { HOUR_MS, instant, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, type ErrorFacts, SILENT, systemRandom } from '@moorage/server';
import {
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import type { BillingService } from './billing.service';
import { buildBilling } from '@moorage/tests/services/billing';

const NOON = instant('2026-12-01T12:00:00Z');
const MIDNIGHT = instant('2026-12-02T00:00:00Z');

describe('wallet locked by a leaked session', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let ledger: Ledger;
  let billing: BillingService;
  const named: unknown[] = [];

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
    const db = await database.open({ service: 'billing', connections_max: 4, lock_timeout_ms: 200 });
    const log = {
      ...SILENT,
      error: (_message: string, facts?: ErrorFacts) => void named.push(facts?.user_id),
    };
    billing = buildBilling({ db, clock, log, ledger, invariants: [], chunkUsers: 100 });
  });
  afterAll(() => database.drop());

  const account = (): Promise<number> =>
    owner.tx('account', async (tx) => {
      const userId = await insertUser(tx, { at: NOON, isAdmin: true });
      await ledger.openWallet(tx, { userId, at: NOON });
      await ledger.adjust(tx, { userId, amount: Money.of(100), actorUserId: userId, at: NOON });
      const row = { userId, at: NOON, status: 'READY' as const, baseHourlyMicros: 35_600, billableFrom: NOON };
      const deploymentId = await insertDeployment(tx, row);
      const baseHourly = Money.micros(35_600n);
      await ledger.openMeter(tx, { userId, deploymentId, supportLevel: 1, baseHourly, at: NOON - HOUR_MS });
      await ledger.settleAccount(tx, { userId, at: NOON });
      return userId;
    });
  const charged = async (): Promise<number[]> =>
    (
      await database.sql<{ user_id: number }>(
        `select user_id from ledger_transactions where type = 'charge' and charged_on = '2026-12-02' order by 1`,
      )
    ).map(({ user_id }) => user_id);
  const failures = () => database.sql<{ user_id: number }>('select user_id, code from billing_failures');

  it('delays the daily charge of its own account only, which is recorded, and charged once it is free', async () => {
    const [first, held, last] = [await account(), await account(), await account()];
    await billing.runDay();
    clock.at = MIDNIGHT;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const session = owner.tx('psql', async (tx) => {
      await tx.query('select 1 from wallets where user_id = $1 for update', [held]);
      locked();
      await released;
    });
    try {
      await isLocked;
      expect(await billing.runDay()).toMatchObject({ failed: 1, settled: 2 });
      expect(await charged()).toEqual([first, last]);
      expect(named).toContain(held);
      expect(await failures()).toEqual([expect.objectContaining({ user_id: held })]);
    } finally {
      release();
      await session;
    }
    expect(await billing.runDay()).toMatchObject({ failed: 0 });
    expect(await charged()).toEqual([first, held, last]);
    await billing.settleForgotten();
    expect(await failures()).toEqual([]);
  });
});
