import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments } from '@moorage/database';
import { DAY_MS, HOUR_MS, instant, iso, MINUTE_MS, Money } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, SILENT, systemRandom } from '@moorage/server';
import {
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  recordStatements,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import type { BillingService } from '../billing.service';
import { buildBilling } from '@moorage/tests/services/billing';
import { type AuditResult, describeCovered, newestAudit } from './audit.service';

const START = instant('2026-12-30T12:00:00Z');
const HOURLY = 35_600;

describe('audit by closed months', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let owner: Db;
  let deployments: Deployments;
  let ledger: Ledger;
  let billing: BillingService;
  let userId: number;
  let deploymentId: number;
  const lines: object[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    clock = handClock(START);
    owner = await database.open({ connections_max: 2 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    deployments = new Deployments({ outbox });
    ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 60 });
    const log = {
      ...SILENT,
      info: (message: string, facts?: object) => void (message === 'ledger audited' && lines.push({ ...facts })),
    };
    billing = buildBilling({
      db: await database.open({ service: 'billing', connections_max: 4 }),
      clock,
      log,
      ledger,
      invariants: INVARIANTS,
      chunkUsers: 10,
    });
    await owner.tx('admin', (tx) => insertUser(tx, { at: START, isAdmin: true }));
    ({ userId, id: deploymentId } = await account(400));
  });
  afterEach(() => database.drop());

  async function account(units: number): Promise<{ userId: number; id: number }> {
    return owner.tx('account', async (tx) => {
      const { at } = clock;
      const userId = await insertUser(tx, { at });
      await ledger.openWallet(tx, { userId, at });
      await ledger.grantCredit(tx, { userId, creditType: 'signup', at });
      await ledger.adjust(tx, { userId, amount: Money.of(units), actorUserId: userId, at });
      const row = { userId, at, status: 'READY' as const, baseHourlyMicros: HOURLY, billableFrom: at };
      const id = await insertDeployment(tx, row);
      const baseHourly = Money.micros(BigInt(HOURLY));
      await ledger.openMeter(tx, { userId, deploymentId: id, supportLevel: 1, baseHourly, at: at - HOUR_MS });
      await ledger.settleAccount(tx, { userId, at });
      return { userId, id };
    });
  }

  /** Runs every night until 02:30 of that day. */
  async function dailyRunsTo(day: string): Promise<void> {
    const end = instant(`${day}T02:30:00Z`);
    for (;;) {
      const midnight = Math.floor(clock.at / DAY_MS + 1) * DAY_MS;
      if (midnight > end) break;
      clock.at = midnight + 5_000;
      await billing.catchUp();
    }
    clock.at = end;
  }
  const audit = (options?: { whole: boolean }): Promise<AuditResult> => billing.audit(options);
  const found = async (options?: { whole: boolean }): Promise<string[]> =>
    (await audit(options)).breaches.map(({ id }) => id).sort();
  /** Runs SQL with the database guards disabled. */
  async function tamper(sql: string): Promise<void> {
    const client = await owner.connect();
    try {
      await client.query('set session_replication_role = replica');
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
  const chargeOf = (day: string) =>
    `(select id from ledger_transactions where type = 'charge' and charged_on = '${day}')`;

  it('closes a month once when two processes audit concurrently, without an error', async () => {
    await dailyRunsTo('2027-01-02');
    const both = await Promise.all([audit(), audit()]);
    expect(both.map(({ breaches }) => breaches)).toEqual([[], []]);
    expect(both.flatMap(({ covered }) => covered.closed)).toEqual(['2026-12']);
  });

  it('closes a month once its last day has been over for a day, and starts behind it from then on', async () => {
    await dailyRunsTo('2027-01-01');
    expect((await audit()).covered).toMatchObject({ from: null, whole: 'no month is closed', closed: [] });
    await dailyRunsTo('2027-01-02');
    expect(await audit()).toEqual({
      breaches: [],
      covered: {
        from: null,
        to: '2027-01-02T02:30:00.000Z',
        settled_to: '2027-01-02T00:00:00.000Z',
        from_record: null,
        verified_again: null,
        closed: ['2026-12'],
        whole: 'no month is closed',
      },
    });
    await dailyRunsTo('2027-01-03');
    const { breaches, covered } = await audit();
    expect(breaches).toEqual([]);
    expect(covered).toEqual({
      from: '2027-01-01T00:00:00.000Z',
      to: '2027-01-03T02:30:00.000Z',
      settled_to: '2027-01-03T00:00:00.000Z',
      from_record: { first: '2026-12', last: '2026-12', months: 1 },
      verified_again: { month: '2026-12', fits: true },
      closed: [],
      whole: null,
    });
    const isRight =
      'every posting since 2027-01-01T00:00:00.000Z; everything due by 2027-01-03T00:00:00.000Z; 2026-12 to 2026-12 from record (1 months); 2026-12 verified again';
    expect(describeCovered(covered)).toBe(isRight);
    expect(lines.at(-1)).toMatchObject({ breaches: 0, covered: isRight });
    expect(await owner.tx('look', newestAudit)).toMatchObject({ at: clock.at, covered });
  });

  it('detects errors in an open month on top of the totals of closed months', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    await dailyRunsTo('2027-01-05');
    expect(await found()).toEqual([]);
    await database.sql('update wallets set regular_micros = regular_micros + 1 where user_id = $1', [userId]);
    expect(await found()).toEqual(['I1b', 'I2c']);
    await database.sql('update wallets set regular_micros = regular_micros - 1 where user_id = $1', [userId]);
    await database.sql('update credits set amount_micros = amount_micros + 1 where user_id = $1', [userId]);
    expect(await found()).toEqual(['I1c']);
    await database.sql('update credits set amount_micros = amount_micros - 1 where user_id = $1', [userId]);
    await tamper(
      `update ledger_lines set amount_micros = amount_micros * 2 where transaction_id in ${chargeOf('2027-01-04')}`,
    );
    expect(await found()).toEqual(expect.arrayContaining(['I18', 'I2b']));
    await tamper(
      `update ledger_lines set amount_micros = amount_micros / 2 where transaction_id in ${chargeOf('2027-01-04')}`,
    );
    await tamper(`delete from ledger_lines where transaction_id in ${chargeOf('2027-01-03')};
      delete from ledger_transactions where id in ${chargeOf('2027-01-03')}`);
    expect(await found()).toEqual(expect.arrayContaining(['I3']));
    expect((await audit()).covered.whole).toBeNull();
  });

  it('audits all days of deployments whose interval or price has changed since', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    await database.sql("update deployments set billable_from = billable_from - interval '2 hours'");
    await database.sql(
      `insert into interval_changes (deployment_id, user_id, billable_from, actor, reason, written_at)
       select id, user_id, billable_from, 'test', 'test', $1 from deployments where id = $2`,
      [iso(clock.at), deploymentId],
    );
    expect(await found()).toEqual(['I18', 'I3b']);
  });

  it('finds a changed row of a closed month in its turn, reads everything, and reports it until corrected', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    const description = `where id in ${chargeOf('2026-12-31')}`;
    await tamper(`update ledger_transactions set description = description || '!' ${description}`);
    const { breaches, covered } = await audit();
    expect(breaches).toMatchObject([{ id: 'A1', rows: [{ month: '2026-12' }] }]);
    expect(covered).toMatchObject({
      whole: 'the record does not fit',
      from: null,
      verified_again: { month: '2026-12', fits: false },
    });
    expect(
      await database.sql(`select subject from operator_alerts where kind = 'books_breached' and resolved_at is null`),
    ).toEqual([{ subject: 'A1' }]);
    await tamper(`update ledger_transactions set description = left(description, -1) ${description}`);
    expect(await found()).toEqual([]);
    expect(await database.sql('select 1 from operator_alerts where resolved_at is null')).toEqual([]);
    await tamper(`insert into ledger_lines (transaction_id, line_no, ledger_account, amount_micros)
      select id, 9, 'revenue', 0 from ledger_transactions where id in ${chargeOf('2026-12-31')}`);
    expect(await found()).toEqual(['A1']);
  });

  it('verifies one month a day in turn, without delaying a whole audit', async () => {
    await dailyRunsTo('2027-03-02');
    expect((await audit()).covered.closed).toEqual(['2026-12', '2027-01', '2027-02']);
    const again = new Set<string | undefined>();
    for (let dailyRun = 3; dailyRun <= 5; dailyRun++) {
      await dailyRunsTo(`2027-03-0${dailyRun}`);
      again.add((await audit()).covered.verified_again?.month);
    }
    expect([...again].sort()).toEqual(['2026-12', '2027-01', '2027-02']);
    // A change in a month that is not next in rotation.
    const next = [...again][1] ?? '';
    await tamper(`update ledger_transactions set amount_micros = amount_micros - 1 where id in ${chargeOf(`${next}-31`)}
      or id in ${chargeOf(`${next}-28`)}`);
    expect(await found()).toEqual([]);
    expect(await found({ whole: true })).toEqual(expect.arrayContaining(['I2b', 'I2c']));
    const dailyRuns = [];
    for (let dailyRun = 6; dailyRun <= 8; dailyRun++) {
      await dailyRunsTo(`2027-03-0${dailyRun}`);
      dailyRuns.push((await found()).includes('A1'));
    }
    // The month is verified in its turn, and then every night until it is correct.
    expect(dailyRuns).toContain(true);
    expect(dailyRuns.at(-1)).toBe(true);
  }, 120_000);

  it('trusts no closed month while rows of the ledger can be changed', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    await database.sql('alter table ledger_lines disable trigger ledger_lines_append_only');
    const { breaches, covered } = await audit();
    expect(breaches.map(({ id }) => id)).toEqual(['I15']);
    expect(covered).toMatchObject({ whole: 'the guards are off', from: null });
  });

  it('detects a changed balance record', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    await database.sql('update audit_accounts set regular_micros = regular_micros + 1');
    expect(await found()).toEqual(['A2']);
  });

  it('closes no month with a violation or an unsettled account', async () => {
    await dailyRunsTo('2027-01-02');
    await database.sql('update wallets set regular_micros = regular_micros + 1 where user_id = $1', [userId]);
    expect((await audit()).covered.closed).toEqual([]);
    await database.sql('update wallets set regular_micros = regular_micros - 1 where user_id = $1', [userId]);
    await database.sql(
      `insert into billing_failures (user_id, day, code, tries, first_failed_at, failed_at)
       values ($1, '2027-01-01', 'Error', 1, $2, $2)`,
      [userId, iso(clock.at)],
    );
    expect((await audit()).covered.closed).toEqual([]);
    await database.sql('delete from billing_failures');
    await database.sql(`update billing_runs set finished_at = null where day = '2026-12-31'`);
    expect((await audit()).covered.closed).toEqual([]);
    await database.sql(`update billing_runs set finished_at = started_at`);
    expect((await audit()).covered.closed).toEqual(['2026-12']);
  });

  it('still reports an interval that ended in a month closed before billing had settled it', async () => {
    await dailyRunsTo('2027-01-02');
    await owner.tx('lost', async (tx) => {
      const row = await deployments.lock(tx, deploymentId);
      if (row === null) throw new Error('no deployment');
      const changes = { lost_from: row.status, server_exists: false, billable_to: instant('2026-12-31T18:00:00Z') };
      await deployments.move(tx, row, { to: 'FAILED', by: 'provisioner', at: clock.at, changes });
    });
    expect((await audit()).covered.closed).toEqual(['2026-12']);
    clock.at += 16 * MINUTE_MS;
    expect(await audit()).toMatchObject({ breaches: [{ id: 'I18' }], covered: { from: '2027-01-01T00:00:00.000Z' } });
    await billing.settleForgotten();
    expect(await found()).toEqual([]);
  });

  it('closes several months at once, including empty ones, and carries totals from month to month', async () => {
    await dailyRunsTo('2027-01-02');
    await audit();
    await dailyRunsTo('2027-03-02');
    expect(await audit()).toMatchObject({ breaches: [], covered: { closed: ['2027-01', '2027-02'] } });
    await account(50);
    await dailyRunsTo('2027-03-05');
    expect(await audit()).toMatchObject({
      breaches: [],
      covered: { from: '2027-03-01T00:00:00.000Z', from_record: { months: 3 }, whole: null },
    });
    expect(await found({ whole: true })).toEqual([]);
    expect(await database.sql('select distinct through_id::int as id from audit_accounts')).toEqual(
      await database.sql('select max(through_id)::int as id from audit_months'),
    );
  }, 120_000);

  it('leaves a month open while a reserved ledger number may still be written', async () => {
    await dailyRunsTo('2027-01-02');
    const client = await owner.connect();
    try {
      await client.query(`begin; select nextval('ledger_transactions_id_seq')`);
      const asleep = { ...clock, sleep: () => Promise.resolve(), now: clock.now };
      const patient = buildBilling({
        db: await database.open({ service: 'billing', connections_max: 4 }),
        clock: asleep,
        log: SILENT,
        ledger,
        invariants: INVARIANTS,
      });
      const checked = recordStatements();
      expect((await patient.audit()).covered.closed).toEqual([]);
      checked.stop();
      expect(checked.statements().some(({ text }) => text.includes('pg_locks'))).toBe(true);
    } finally {
      await client.end();
    }
    expect((await audit()).covered.closed).toEqual(['2026-12']);
  });
});
