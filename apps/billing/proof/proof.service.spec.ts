import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Alerts, Deployments } from '@moorage/database';
import { HOUR_MS, type Instant, instant, iso, MINUTE_MS, Money, SECOND_MS, type SupportLevel } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, SILENT, systemRandom, type Tx } from '@moorage/server';
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
import { CORRUPTIONS } from '@moorage/tests/simulation/corruptions';
import { BILLING_DEFAULTS, type BillingOptions } from '../billing-options';
import { Proof } from './proof.service';
import { SealFolder, type SealFiles } from './seal-files';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [ADMIN, RUNS, STOPPED, DISPUTED, IDLE] = [1, 2, 3, 4, 5];
const LAST_MIDNIGHT = '2026-12-04T02:30:00Z';

/** Seal files in memory, which can be copied for each test. */
function sealStore(storedSeals: Map<number, string>): SealFiles {
  return {
    prepare: () => Promise.resolve(),
    prepared: () => Promise.resolve(null),
    store: (seal) => Promise.resolve(void storedSeals.set(seal.throughId, seal.hash)),
    storedSeals: () => Promise.resolve(storedSeals),
  };
}

/** Returns seal files with some operations replaced. */
const changed = (files: SealFiles, changes: Partial<SealFiles>): SealFiles => ({
  prepare: (seal) => files.prepare(seal),
  prepared: (throughId) => files.prepared(throughId),
  store: (seal) => files.store(seal),
  storedSeals: () => files.storedSeals(),
  ...changes,
});

/** Three nights of four accounts, written by the product's own code and proven, then a day that is not. */
class Books {
  readonly storedSeals = new Map<number, string>();
  readonly findings: object[] = [];

  private constructor(
    private readonly owner: Db,
    private readonly billingDb: Db,
    private readonly clock: HandClock,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly billing: BillingService,
  ) {}

  static async write(database: TestDatabase): Promise<Books> {
    const clock = handClock(instant('2026-12-01T09:00:00Z'));
    const owner = await database.open({ connections_max: 2 });
    const billingDb = await database.open({ service: 'billing', connections_max: 4 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const ledger = new Ledger({ deployments, outbox, actor: 'api', gracePeriodMinutes: 0 });
    const own = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 0 });
    const billing = buildBilling({ db: billingDb, clock, log: SILENT, ledger: own, invariants: [] });
    const books = new Books(owner, billingDb, clock, ledger, deployments, billing);
    await books.firstDay();
    await books.dailyRun('2026-12-02');
    await books.secondDay();
    await books.dailyRun('2026-12-03');
    await books.thirdDay();
    await books.run('2026-12-04');
    await owner.close();
    await billingDb.close();
    return books;
  }

  private at<T>(time: string, work: (tx: Tx, at: Instant) => Promise<T>): Promise<T> {
    this.clock.at = instant(time);
    return this.owner.tx('test', (tx) => work(tx, this.clock.at));
  }

  private async firstDay(): Promise<void> {
    await this.at('2026-12-01T09:00:00Z', async (tx, at) => {
      await tx.execute(
        `insert into billing_runs (day, started_at, finished_at) values ('2026-12-01', '2026-12-01T00:00:05Z', '2026-12-01T00:00:06Z')`,
      );
      await insertUser(tx, { id: ADMIN, at, isAdmin: true });
      for (const id of [RUNS, STOPPED, DISPUTED, IDLE]) {
        await insertUser(tx, { id, at });
        await this.ledger.openWallet(tx, { userId: id, at });
      }
    });
    await this.pay('2026-12-01T09:10:00Z', RUNS, 'cs_runs', 50);
    await this.pay('2026-12-01T09:10:00Z', DISPUTED, 'cs_disputed', 10);
    await this.pay('2026-12-01T09:11:00Z', DISPUTED, 'cs_other', 10);
    await this.adjust('2026-12-01T09:20:00Z', STOPPED, 6);
    await this.adjust('2026-12-01T09:21:00Z', RUNS, 30);
    await this.at('2026-12-01T09:30:00Z', async (tx, at) => {
      for (const userId of [RUNS, IDLE]) await this.ledger.grantCredit(tx, { userId, creditType: 'signup', at });
      const credit = { userId: STOPPED, creditType: 'referrer', at, referralUserId: RUNS } as const;
      await this.ledger.grantCredit(tx, credit);
      // Expires on the second day.
      await tx.execute(`update credits set expires_at = '2026-12-02T20:00:00Z' where user_id = ${IDLE}`);
      await tx.execute(`alter table credit_terms disable trigger user`);
      await tx.execute(`update credit_terms set expires_at = '2026-12-02T20:00:00Z' where user_id = ${IDLE}`);
      await tx.execute(`alter table credit_terms enable trigger user`);
    });
    await this.start('2026-12-01T10:00:00Z', { id: 1, userId: RUNS, hourly: 35_600 });
    await this.start('2026-12-01T10:00:00Z', { id: 2, userId: STOPPED, hourly: 35_600 });
    await this.start('2026-12-01T10:00:00Z', { id: 3, userId: DISPUTED, hourly: 35_600 });
  }

  private async secondDay(): Promise<void> {
    await this.at('2026-12-02T14:30:00Z', async (tx, at) => {
      await this.ledger.changeLevel(tx, { userId: RUNS, deploymentId: 1, supportLevel: 2, at, actorUserId: RUNS });
      await tx.execute('update deployments set support_level = 2, level_changed_at = $1 where id = 1', [iso(at)]);
    });
    await this.at('2026-12-02T15:59:30Z', async (tx, at) => {
      const { billableTo } = await this.ledger.prepareStop(tx, { userId: STOPPED, deploymentId: 2, at });
      const row = await this.deployments.lock(tx, 2);
      if (row === null || billableTo === null) throw new Error('nothing to stop');
      const changes = { desired: 'destroyed', destroy_reason: 'deleted', billable_to: billableTo } as const;
      await this.deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
      await this.ledger.stop(tx, { userId: STOPPED, deploymentId: 2, at });
    });
    await this.at('2026-12-02T16:00:00Z', async (tx, at) => {
      await this.dispute(tx, { paymentIntent: 'pi_cs_disputed', id: 'txn_1', at });
    });
    await this.at('2026-12-02T20:00:10Z', (tx, at) => this.ledger.settleAccount(tx, { userId: IDLE, at }));
  }

  private async thirdDay(): Promise<void> {
    await this.pay('2026-12-03T11:00:00Z', RUNS, 'cs_runs_2', 20);
    await this.at('2026-12-03T11:10:00Z', async (tx, at) => {
      await this.dispute(tx, { paymentIntent: 'pi_cs_other', id: 'txn_2', at });
    });
    await this.adjust('2026-12-03T11:20:00Z', RUNS, 1);
    await this.adjust('2026-12-03T11:21:00Z', DISPUTED, 5);
  }

  private async start(
    time: string,
    { id, userId, hourly, level = 1 }: { id: number; userId: number; hourly: number; level?: SupportLevel },
  ): Promise<void> {
    await this.at(time, async (tx, at) => {
      const row = { id, userId, at: at - HOUR_MS, status: 'PROVISIONING' as const, baseHourlyMicros: hourly };
      await insertDeployment(tx, { ...row, supportLevel: level });
      const baseHourly = Money.micros(BigInt(hourly));
      await this.ledger.openMeter(tx, { userId, deploymentId: id, supportLevel: level, baseHourly, at: at - HOUR_MS });
      const locked = await this.deployments.lock(tx, id);
      if (locked === null) throw new Error('no deployment');
      await this.deployments.move(tx, locked, { to: 'ACTIVE', by: 'provisioner', at });
      await this.ledger.settleAccount(tx, { userId, at });
    });
  }

  private async pay(time: string, userId: number, session: string, units: number): Promise<void> {
    await this.at(time, async (tx, at) => {
      await tx.execute(
        `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at)
         values ($1, $2, $3, true, 'none', 'paid', $4, $5, $5)`,
        [session, userId, units * 100, `pi_${session}`, iso(at)],
      );
      await this.ledger.recordPayment(tx, { userId, amount: Money.of(units), cause: session, at });
    });
  }

  private async adjust(time: string, userId: number, units: number): Promise<void> {
    await this.at(time, async (tx, at) => {
      const amount = Money.of(units);
      await this.ledger.adjust(tx, { userId, amount, actorUserId: ADMIN, at });
      await tx.execute(
        `insert into audit_records (actor_user_id, action, subject, facts, at) values ($1, 'balance.adjusted', $2, $3, $4)`,
        [ADMIN, `user:${userId}`, JSON.stringify({ amount_micros: amount.micros.toString() }), iso(at)],
      );
    });
  }

  private async dispute(
    tx: Tx,
    { paymentIntent, id, at }: { paymentIntent: string; id: string; at: Instant },
  ): Promise<void> {
    const paid = Money.of(10);
    const movement = {
      id,
      reversalId: `dp_${id}`,
      kind: 'dispute',
      amount: paid,
      fee: Money.ZERO,
      movedAt: at,
    } as const;
    await this.ledger.recordMovement(tx, { userId: DISPUTED, paymentIntent, paid, movement, at });
  }

  async run(day: string): Promise<void> {
    this.clock.at = instant(`${day}T00:00:05Z`);
    await this.billing.runDay();
  }

  private async dailyRun(day: string): Promise<void> {
    await this.run(day);
    this.clock.at = instant(`${day}T02:30:00Z`);
    this.findings.push(...(await this.prove(this.billingDb, this.storedSeals)));
  }

  prove(db: Db, storedSeals: Map<number, string>): Promise<readonly object[]> {
    return proofOn(db, this.clock, { sealFiles: sealStore(storedSeals) }).run();
  }
}

/** Recomputes the hashes, as an attacker who knows the algorithm would. */
const REHASH = (userId: number): string => `
do $$
declare posting record; previous bytea := '';
begin
  for posting in
    select array_agg(id order by id) as ids from ledger_transactions where user_id = ${userId}
    group by coalesce(hash, int8send(id)) order by min(id)
  loop
    select sha256(previous || string_agg(transaction_content(t.id, t.user_id, t.type, t.amount_micros, t.description,
        t.deployment_id, t.charged_on, t.credit_id, t.due_at, t.posted_at, t.corrects_id, t.cause, t.actor_user_id) || l.content, '' order by t.id))
      into previous
    from ledger_transactions t cross join lateral (
      select string_agg(line_content(line_no, ledger_account, credit_id, amount_micros), '' order by line_no) as content
      from ledger_lines where transaction_id = t.id) l
    where t.id = any(posting.ids);
    update ledger_transactions set hash = previous where id = any(posting.ids);
  end loop;
  update wallets set ledger_hash = previous where user_id = ${userId};
end $$;`;

function proofOn(db: Db, clock: HandClock, options: Partial<BillingOptions> & { sealFiles: SealFiles }): Proof {
  const alerts = new Alerts({ clock, log: SILENT });
  return new Proof(db, clock, SILENT, alerts, { ...BILLING_DEFAULTS, invariants: [], ...options });
}

describe('ledger proof', () => {
  let database: TestDatabase;
  let books: Books;

  beforeAll(async () => {
    database = await testDatabase();
    books = await Books.write(database);
    // A database can only be copied while nothing is connected to it.
    const other = await testDatabase();
    await other.sql('select pg_terminate_backend(pid, 45000) from pg_stat_activity where datname = $1', [
      new URL(database.url).pathname.slice(1),
    ]);
    await other.drop();
  }, 60_000);
  afterAll(() => database.drop());

  async function proofOfCopy(
    change: (copy: TestDatabase) => Promise<unknown>,
    storedSeals = new Map(books.storedSeals),
  ): Promise<readonly { id: string; rows: readonly object[] }[]> {
    const copy = await testDatabase({ copyOf: database.url });
    try {
      await change(copy);
      const db = await copy.open({ service: 'billing', connections_max: 2 });
      const clock = handClock(instant(LAST_MIDNIGHT));
      return await proofOn(db, clock, { sealFiles: sealStore(storedSeals) }).run();
    } finally {
      await copy.drop();
    }
  }

  it('finds nothing in a ledger the product wrote, on any day', async () => {
    expect(books.findings).toEqual([]);
    expect(await proofOfCopy(() => Promise.resolve())).toEqual([]);
    expect(books.storedSeals.size).toBe(2);
  });

  it.each(CORRUPTIONS.map((corruption) => [corruption.seen_by, corruption.does, corruption] as const))(
    '%s detects a manipulation that %s',
    async (id, _, { sql, rehash = [], files }) => {
      const storedSeals = new Map(books.storedSeals);
      if (files === 'forget newest') storedSeals.delete(Math.max(...storedSeals.keys()));
      const breaches = await proofOfCopy(
        (copy) =>
          copy.sql(
            `begin; set local session_replication_role = replica; ${sql}; ${rehash.map(REHASH).join('')} commit`,
          ),
        storedSeals,
      );
      expect(breaches.map((breach) => breach.id)).toContain(id);
    },
  );

  it('accepts entries from before hashing unchanged, once, and protects them from then on', async () => {
    const storedSeals = new Map<number, string>();
    const old = (copy: TestDatabase) =>
      copy.sql(
        `begin; set local session_replication_role = replica;
         update ledger_transactions set hash = null; update wallets set ledger_hash = null;
         delete from ledger_seals; delete from credit_terms; delete from interval_changes; commit`,
      );
    const breaches: (readonly { id: string }[])[] = [];
    await proofOfCopy(async (copy) => {
      await old(copy);
      const db = await copy.open({ service: 'billing', connections_max: 2 });
      const clock = handClock(instant(LAST_MIDNIGHT));
      const outbox = new Outbox({ clock, random: systemRandom() });
      const deployments = new Deployments({ outbox });
      const ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 0 });
      const proof = proofOn(db, clock, { sealFiles: sealStore(storedSeals) });
      breaches.push(await proof.run());
      clock.at = instant('2026-12-05T00:00:05Z');
      await buildBilling({ db, clock, log: SILENT, ledger, invariants: [] }).runDay();
      breaches.push(await proof.run());
      await copy.sql(
        `begin; set local session_replication_role = replica;
         update ledger_transactions set description = 'nothing' where id = (select min(id) from ledger_transactions); commit`,
      );
      breaches.push(await proof.run());
    }, storedSeals);
    expect(breaches.map((found) => found.map(({ id }) => id))).toEqual([[], [], ['P2']]);
  });

  it('resumes at the proven position of an account, and in turn at its beginning', async () => {
    const dailyRuns: string[][] = [];
    const storedSeals = new Map(books.storedSeals);
    await proofOfCopy(async (copy) => {
      const db = await copy.open({ service: 'billing', connections_max: 2 });
      const clock = handClock(instant(LAST_MIDNIGHT));
      const limits = { accountsPerDay: 1, checkpointEvery: 1 };
      const proof = proofOn(db, clock, { sealFiles: sealStore(storedSeals), ...limits });
      const dailyRun = async (): Promise<void> => void dailyRuns.push((await proof.run()).map(({ id }) => id));
      await dailyRun();
      const [written] = await copy.sql<{ count: number }>('select count(*)::int as count from ledger_checkpoints');
      expect(written?.count).toBeGreaterThan(0);
      // Changes the checkpoint and the balance of an idle account together.
      await copy.sql(
        `begin; set local session_replication_role = replica;
         update ledger_checkpoints set state = jsonb_set(state, '{regular}', '"99000000"') where user_id = ${DISPUTED};
         update wallets set regular_micros = 99000000 where user_id = ${DISPUTED}; commit`,
      );
      for (let day = 5; day < 10; day++) {
        clock.at = instant(`2026-12-0${day}T02:30:00Z`);
        await dailyRun();
      }
    }, storedSeals);
    const [first, ...later] = dailyRuns;
    expect(first).toEqual([]);
    // The seal that covers it is read the next night, the account itself in its turn.
    expect(later[0]).toContain('P1');
    expect(later.some((found) => found.includes('P3'))).toBe(true);
    expect(later.every((found) => found.includes('P3'))).toBe(false);
  });

  it('does not report a price selected during the proof, nor a clock that was set back then', async () => {
    const found: (readonly object[])[] = [];
    await proofOfCopy(async (copy) => {
      const db = await copy.open({ service: 'billing', connections_max: 2 });
      const owner = await copy.open({ connections_max: 1 });
      const clock = handClock(instant(LAST_MIDNIGHT));
      const outbox = new Outbox({ clock, random: systemRandom() });
      const ledger = new Ledger({
        deployments: new Deployments({ outbox }),
        outbox,
        actor: 'api',
        gracePeriodMinutes: 0,
      });
      const change = async (supportLevel: SupportLevel): Promise<void> => {
        const { at } = clock;
        await owner.tx('a change', async (tx) => {
          await ledger.changeLevel(tx, { userId: RUNS, deploymentId: 1, supportLevel, at, actorUserId: RUNS });
          const level = [supportLevel, iso(at)];
          await tx.execute('update deployments set support_level = $1, level_changed_at = $2 where id = 1', level);
        });
      };
      const proofWith = (meanwhile: () => Promise<void>) =>
        proofOn(db, clock, {
          sealFiles: { ...sealStore(new Map()), storedSeals: () => meanwhile().then(() => new Map()) },
        }).run();
      found.push(
        await proofWith(async () => {
          clock.at += 10 * MINUTE_MS;
          await change(3);
        }),
      );
      clock.at += 2 * HOUR_MS;
      found.push(
        await proofWith(async () => {
          clock.at += 3_000;
          await change(1);
          clock.at -= 3_000;
        }),
      );
    });
    expect(found).toEqual([[], []]);
  });

  it('finds nothing during a grace period, also if a payment begun before midnight now covers its charge', async () => {
    const found: (readonly object[])[] = [];
    await proofOfCopy(async (copy) => {
      const clock = handClock(instant('2026-12-04T20:00:00Z'));
      const owner = await copy.open({ connections_max: 1 });
      const db = await copy.open({ service: 'billing', connections_max: 4 });
      const outbox = new Outbox({ clock, random: systemRandom() });
      const deployments = new Deployments({ outbox });
      const ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 240 });
      const billing = buildBilling({ db, clock, log: SILENT, ledger, invariants: [] });
      const pay = (cents: number, session: string, at: Instant) =>
        owner.tx('payment', async (tx) => {
          await tx.execute(
            `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, created_at, paid_at)
             values ($1, $2, $3, true, 'none', 'paid', $4, $4)`,
            [session, IDLE, cents, iso(at)],
          );
          await ledger.recordPayment(tx, { userId: IDLE, amount: Money.ofCents(cents), cause: session, at });
        });
      await pay(90, 'cs_idle', clock.at);
      await owner.tx('start', async (tx) => {
        const { at } = clock;
        await insertDeployment(tx, {
          id: 9,
          userId: IDLE,
          at: at - HOUR_MS,
          status: 'PROVISIONING',
          baseHourlyMicros: 35_600,
        });
        const meter = { userId: IDLE, deploymentId: 9, supportLevel: 1, baseHourly: Money.micros(35_600n) } as const;
        await ledger.openMeter(tx, { ...meter, at: at - HOUR_MS });
        const row = await deployments.lock(tx, 9);
        if (row === null) throw new Error('no deployment');
        await deployments.move(tx, row, { to: 'ACTIVE', by: 'provisioner', at });
        await ledger.settleAccount(tx, { userId: IDLE, at });
      });
      const prove = async (time: string): Promise<void> => {
        clock.at = instant(time);
        found.push(await proofOn(db, clock, { sealFiles: sealStore(new Map()) }).run());
      };
      clock.at = instant('2026-12-05T00:00:05Z');
      await billing.runDay();
      await prove('2026-12-05T00:20:00Z');
      await pay(100, 'cs_idle_2', instant('2026-12-04T23:59:59.990Z'));
      await prove('2026-12-05T02:30:00Z');
      expect(await copy.sql('select 1 from meters where grace_period_day is not null')).toHaveLength(1);
      clock.at = instant('2026-12-05T04:00:05Z');
      await billing.runDay();
      expect(await copy.sql('select 1 from meters where grace_period_day is not null')).toEqual([]);
      await prove('2026-12-05T04:30:00Z');
    });
    expect(found).toEqual([[], [], []]);
  });

  it('finds a withdrawal recorded under the payment of another account', async () => {
    const found = await proofOfCopy((copy) =>
      copy.sql(`update payment_movements set payment_intent = 'pi_cs_runs' where payment_intent = 'pi_cs_other'`),
    );
    const fault = (noted: number, posted: number): string =>
      `withdrawals (dispute) are noted as ${noted} under payments of the account, and posted as ${posted}`;
    expect(found.map(({ id }) => id)).toEqual(['P5']);
    expect(found[0]?.rows).toHaveLength(2);
    expect(found[0]?.rows).toEqual(
      expect.arrayContaining([
        { user_id: RUNS, fault: fault(10_000_000, 0) },
        { user_id: DISPUTED, fault: fault(10_000_000, 20_000_000) },
      ]),
    );
  });

  it('finds a first price that was not requested by the owner', async () => {
    const found = await proofOfCopy(async (copy) => {
      const owner = await copy.open({ connections_max: 1 });
      const at = instant('2026-12-04T01:00:00Z');
      const outbox = new Outbox({ clock: handClock(at), random: systemRandom() });
      const ledger = new Ledger({
        deployments: new Deployments({ outbox }),
        outbox,
        actor: 'api',
        gracePeriodMinutes: 0,
      });
      await owner.tx('create', async (tx) => {
        for (const [id, actorUserId] of [
          [8, IDLE],
          [9, STOPPED],
        ] as const) {
          await insertDeployment(tx, { id, userId: IDLE, at, status: 'CREATING', baseHourlyMicros: 35_600 });
          const meter = { userId: IDLE, deploymentId: id, supportLevel: 1, baseHourly: Money.micros(35_600n) } as const;
          await ledger.openMeter(tx, { ...meter, at, actorUserId });
        }
      });
      await owner.close();
    });
    expect(found).toMatchObject([
      { id: 'P5', rows: [{ user_id: IDLE, fault: expect.stringContaining('first price of deployment 9') }] },
    ]);
  });

  describe('with a server missed since 20:00 and declared lost after midnight, not settled by billing', () => {
    const proofAfter = (ago_ms: number) =>
      proofOfCopy(async (copy) => {
        const db = await copy.open({ connections_max: 1 });
        const at = instant(LAST_MIDNIGHT) - ago_ms;
        const deployments = new Deployments({
          outbox: new Outbox({ clock: handClock(at), random: systemRandom() }),
        });
        await db.tx('lost', async (tx) => {
          const row = await deployments.lock(tx, 1);
          if (row === null) throw new Error('no deployment');
          const changes = { lost_from: row.status, server_exists: false, billable_to: instant('2026-12-03T20:00:00Z') };
          await deployments.move(tx, row, { to: 'FAILED', by: 'provisioner', at, changes });
        });
        await db.close();
      });

    it('finds nothing 2 seconds later', async () => {
      expect(await proofAfter(2 * SECOND_MS)).toEqual([]);
    });

    it('finds the missing refund 16 minutes later', async () => {
      const [breach, ...others] = await proofAfter(16 * MINUTE_MS);
      expect(others).toEqual([]);
      expect(breach).toMatchObject({ id: 'P4' });
      const faults = breach?.rows.map((row) => (row as { fault: string }).fault) ?? [];
      expect(faults).toEqual(Array<unknown>(2).fill(expect.stringMatching(/^was due but is not posted: refund/)));
    });
  });

  describe('with seal files', () => {
    /** Runs nights in a copy of the ledger, with files in a separate folder. Returns each night's findings. */
    async function dailyRuns(
      play: (dailyRun: (day: string, files: SealFiles) => Promise<void>, whole: SealFiles) => Promise<void>,
    ): Promise<unknown[]> {
      const folder = await mkdtemp(join(tmpdir(), 'seals-'));
      const found: unknown[] = [];
      try {
        await proofOfCopy(async (copy) => {
          const db = await copy.open({ service: 'billing', connections_max: 4 });
          const clock = handClock(instant(LAST_MIDNIGHT));
          const outbox = new Outbox({ clock, random: systemRandom() });
          const deployments = new Deployments({ outbox });
          const ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 0 });
          await play(async (day, files) => {
            clock.at = instant(`${day}T00:00:05Z`);
            await buildBilling({ db, clock, log: SILENT, ledger, invariants: [] }).runDay();
            found.push(
              await proofOn(db, clock, { sealFiles: files })
                .run()
                .catch((error: Error) => error.message),
            );
          }, new SealFolder(folder));
        });
      } finally {
        await rm(folder, { recursive: true });
      }
      return found;
    }

    it('does not report a missing seal file if its writer ended before it existed', async () => {
      const found = await dailyRuns(async (dailyRun, whole) => {
        await dailyRun('2026-12-04', whole);
        await dailyRun('2026-12-05', changed(whole, { store: () => Promise.reject(new Error('killed')) }));
        await dailyRun('2026-12-06', whole);
      });
      expect(found).toEqual([[], 'killed', []]);
    });

    it('does not report a missing seal file that was stored after the check, even if a later one was stored too', async () => {
      const found = await dailyRuns(async (dailyRun, whole) => {
        await dailyRun('2026-12-04', whole);
        let isFirst = true;
        const overtaken = changed(whole, {
          async storedSeals() {
            const before = await whole.storedSeals();
            if (!isFirst) return before;
            isFirst = false;
            await dailyRun('2026-12-05', whole);
            await dailyRun('2026-12-06', whole);
            return before;
          },
        });
        await dailyRun('2026-12-05', overtaken);
      });
      expect(found).toEqual([[], [], [], []]);
    });
  });

  it('does not report a daily run that ended too early within the permitted clock adjustment', async () => {
    const setBack = (by: string) =>
      proofOfCopy((copy) =>
        copy.sql(`update billing_runs set finished_at = started_at - interval '${by}' where day = '2026-12-03'`),
      );
    expect(await setBack('3 seconds')).toEqual([]);
    expect(await setBack('2 minutes')).toMatchObject([{ id: 'P6' }]);
  });

  it('continues after an incorrect charge and reports a later payment of the same account as well', async () => {
    const other = (type: string, from: string): string =>
      `update ledger_lines set ledger_account = 'adjustments' where ledger_account = '${from}' and transaction_id = (
         select min(id) from ledger_transactions where user_id = ${RUNS} and type = '${type}' and posted_at > '2026-12-03T00:00:00Z')`;
    const found = await proofOfCopy((copy) =>
      copy.sql(
        `begin; set local session_replication_role = replica; ${other('charge', 'revenue')};
         ${other('payment', 'payments')}; ${REHASH(RUNS)} commit`,
      ),
    );
    expect(found.filter(({ id }) => id === 'P3').map(({ rows }) => rows)).toEqual([
      [
        { user_id: RUNS, fault: expect.stringContaining('(charge)') },
        { user_id: RUNS, fault: expect.stringContaining('(payment)') },
      ],
    ]);
  });

  it('stores its findings', async () => {
    const found = await proofOfCopy(async (copy) => {
      await copy.sql('update wallets set regular_micros = regular_micros + 1 where user_id = 2');
    });
    expect(found).toMatchObject([{ id: 'P4', rows: [{ user_id: 2 }] }]);
  });
});
