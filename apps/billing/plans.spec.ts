import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, HOUR_MS, instant, Money, startOfDay } from '@moorage/domain';
import { Ledger, findBreaches, INVARIANTS } from '@moorage/ledger';
import { Outbox, type EventHandler } from '@moorage/messaging';
import { Metrics } from '@moorage/runtime';
import { SILENT, systemRandom } from '@moorage/server';
import {
  GROWN_ROWS,
  handClock,
  insertDeployment,
  insertUser,
  openGrown,
  recordStatements,
  type Statement,
  testDatabase,
  wholeReads,
} from '@moorage/testing';
import { OperationsGauges } from './operations-gauges.service';
import { billingHandlers, buildBilling } from '@moorage/tests/services/billing';
import CHARGE_CHUNK from './charging/charge-chunk.sql';

const NOON = instant('2026-12-01T12:00:00Z');

/** Runs everything on billing's schedule except the audit and the proof, with an account for each branch. */
async function statementsOfBilling(): Promise<Statement[]> {
  const database = await testDatabase();
  try {
    const clock = handClock(NOON);
    const owner = await database.open({ connections_max: 2 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const parts = { deployments: new Deployments({ outbox }), outbox, gracePeriodMinutes: 60 };
    const ledger = new Ledger({ ...parts, actor: 'billing' });
    const account = (units: number, { credit = false, ended = false } = {}): Promise<number> =>
      owner.tx('account', async (tx) => {
        const userId = await insertUser(tx, { at: NOON });
        await ledger.openWallet(tx, { userId, at: NOON });
        await ledger.adjust(tx, { userId, amount: Money.of(units), actorUserId: userId, at: NOON });
        if (credit) await ledger.grantCredit(tx, { userId, creditType: 'signup', at: NOON - 29 * DAY_MS });
        const row = { userId, at: NOON, status: 'READY' as const, baseHourlyMicros: 35_600, billableFrom: NOON };
        const deploymentId = await insertDeployment(tx, row);
        await ledger.openMeter(tx, {
          userId,
          deploymentId,
          supportLevel: 1,
          baseHourly: Money.micros(35_600n),
          at: NOON - HOUR_MS,
        });
        if (ended)
          await tx.execute(`update deployments set status = 'DESTROYING', billable_to = $2 where id = $1`, [
            deploymentId,
            '2026-12-01T18:00:00Z',
          ]);
        return userId;
      });
    await account(100);
    await account(3, { credit: true });
    await account(0.5);
    await account(20, { ended: true });
    const recording = recordStatements();
    const db = await database.open({ service: 'billing', connections_max: 4 });
    const log = { ...SILENT, error: (message: string) => expect(message).toBe('') };
    const billing = buildBilling({ db, clock, log, ledger, invariants: [], chunkUsers: 100 });
    for (clock.at = NOON; clock.at < NOON + 4 * DAY_MS; clock.at += 6 * HOUR_MS) {
      await billing.settleForgotten();
      await billing.catchUp();
      await billing.warnLow();
      await billing.removeMoved();
    }
    const handlers = Object.entries(billingHandlers({ clock, ledger })) as [
      string,
      EventHandler<{ user_id: number }>,
    ][];
    for (const [event_name, handler] of handlers)
      await db.tx('event', (tx) =>
        handler(tx, {
          event_id: '00000000-0000-4000-8000-000000000000',
          event_name,
          version: 1,
          stream: 'deployment',
          aggregate_id: '1',
          sequence: 1,
          correlation_id: 'c',
          occurred_at: '2026-12-01T00:00:00Z',
          data: { user_id: 1 },
        }),
      );
    recording.stop();
    return recording.statements();
  } finally {
    await database.drop();
  }
}

/**
 * Tables that the audit reads completely every night. They have a row per account, credit, deployment or payment, or
 * hold the events of a week. The cost grows with the number of rows, not with their age.
 */
const STATE = [
  'wallets',
  'users',
  'credits',
  'meters',
  'deployments',
  'deployment_rates',
  'servers',
  'checkout_sessions',
  'payment_withdrawals',
  'payment_movements',
  'billing_documents',
  'credit_requests',
  'audit_accounts',
  'audit_credits',
  'audit_deployments',
  'outbox',
  'inbox',
  'inbox_positions',
  'event_sequences',
];

/** The audit's queries for postings after the closed months of the large database. */
async function statementsOfAudit(grown: Awaited<ReturnType<typeof openGrown>>): Promise<Statement[]> {
  const { rows } = await grown.query<{ after: string }>('select max(through_id) as after from audit_months');
  const requested: Statement[] = [];
  const books = INVARIANTS.filter(({ reads, when }) => reads === 'books' && when !== 'quiet');
  await findBreaches(
    (text, values) => {
      requested.push({ text, values });
      return Promise.resolve([]);
    },
    books,
    { now: startOfDay('2026-11-30'), present: NOON, after: Number(rows[0]?.after), moment: 'settled' },
  );
  expect(requested).toHaveLength(books.length);
  return requested;
}

/** Queries of a scrape. */
async function statementsOfGauges(): Promise<Statement[]> {
  const database = await testDatabase();
  try {
    const recording = recordStatements();
    const metrics = new Metrics();
    const db = await database.open({ service: 'billing', connections_max: 1 });
    const clock = { ...handClock(NOON), sleep: () => new Promise<void>(() => undefined) };
    new OperationsGauges(db, clock, SILENT, metrics).onApplicationBootstrap();
    await metrics.text();
    recording.stop();
    return recording.statements();
  } finally {
    await database.drop();
  }
}

interface Measured {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Measured[];
}

const nodesOf = (plan: Measured | undefined): Measured[] =>
  plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe(`query plans with ${GROWN_ROWS} rows in every table`, () => {
  let grown: Awaited<ReturnType<typeof openGrown>>;
  let statements: Statement[];
  beforeAll(async () => {
    statements = await statementsOfBilling();
    grown = await openGrown();
  }, 900_000);
  afterAll(() => grown.end());

  it('compare linearly with the charges of a chunk in the daily run', async () => {
    const users = Array.from({ length: 1_000 }, (_, index) => 10_001 + index);
    await grown.query('begin');
    try {
      const { rows } = await grown.query<{ 'QUERY PLAN': [{ Plan: Measured }] }>(
        `explain (analyze, format json, timing off) ${CHARGE_CHUNK}`,
        ['2026-12-01', 10_001, 11_000, '2026-12-01T00:00:05Z', 5_000_000, users],
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      const { rows: charges } = await grown.query(`select from ledger_transactions where charged_on = '2026-12-01'`);
      expect(charges).toHaveLength(2_000);
      for (const node of nodesOf(plan)) {
        const compared =
          ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) * (node['Actual Loops'] ?? 0);
        expect([node['Node Type'], compared <= 10 * 2_000]).toEqual([node['Node Type'], true]);
      }
    } finally {
      await grown.query('rollback');
    }
  });

  it('read only the ledger after the closed months in the audit', async () => {
    const found = await wholeReads(grown, await statementsOfAudit(grown), { rows_min: 10_000 });
    const tables = found.flatMap((line) => line.slice(0, line.indexOf(':')).split(', '));
    const unknown = tables.filter(
      (name) => !STATE.some((table) => name.replace(/^(table|index) /, '').startsWith(table)),
    );
    expect(found.filter((line) => unknown.some((name) => line.startsWith(name) || line.includes(`, ${name}`)))).toEqual(
      [],
    );
  });

  it('count deployments in a scrape, without any other table scan', async () => {
    const requested = await statementsOfGauges();
    const counts = requested.filter(({ text }) => text.includes('from deployments'));
    expect([requested.length > 7, counts.length]).toEqual([true, 1]);
    const others = requested.filter((statement) => !counts.includes(statement));
    expect(await wholeReads(grown, others, { rows_min: 10_000 })).toEqual([]);
  });

  it('never scan a whole table in billing', async () => {
    expect(statements.length).toBeGreaterThan(25);
    expect(await wholeReads(grown, statements, { rows_min: 10_000 })).toEqual([]);
  });
});
