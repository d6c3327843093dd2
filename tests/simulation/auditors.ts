import { type BillingService, SealFolder, type SealFiles } from '@moorage/billing';
import { type Day, dayOf, HOUR_MS, type Instant, iso, SECOND_MS } from '@moorage/domain';
import { type Breach, INVARIANTS } from '@moorage/ledger';
import { type Db, sqlState } from '@moorage/server';
import type { TestDatabase } from '@moorage/testing';
import type { Tick, World } from './world/world';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failing } from './failing';

/**
 * Runs the nightly audit and the nightly proof like both billing processes, and checks their results. The ledger of the
 * simulation is correct, so everything that they report is a contradiction.
 * - A1: The audit reports nothing where nothing is wrong.
 * - A2: The proof reports nothing where nothing is wrong.
 * - A3: A day that was not charged is reported, even while another account throws.
 * - A4: An account that throws is stored as failed, alone, and until it is settled again.
 * - A5: Both have checked the last day.
 */
export interface Auditors {
  /** Store of the seals of the processes, in a folder that is removed by `close`. */
  readonly sealFiles: SealFiles;
  /** Adds the nightly work of a billing process, and checks what is stored about an account that throws. */
  watched(billing: BillingService, db: Db, ticks: readonly Tick[]): Tick[];
  /** Returns which of them would find work after this day, in which every account has been attempted. */
  readonly due: (passed: Day | null) => readonly string[];
  /**
   * Checks, while an account throws, that an audit of a ledger without another account's charge of the last day reports
   * the missing charge.
   */
  drill(billingOn: BillingOn): Promise<void>;
  /** Checks the final state, when nothing is left to do. */
  finish(billingOn: BillingOn): Promise<void>;
  close(): Promise<void>;
  readonly contradictions: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Builds billing on another database handle, like its processes. */
export type BillingOn = (db: Db) => BillingService;
type DailyAudit = 'audit' | 'proof';
/** Maximum time by which a database's clock may have been set back in the meantime. */
const SET_BACK_MS = 10 * SECOND_MS;
const UNDER_WAY_MS = HOUR_MS;
/** Real time in milliseconds. */
const DRILL_WAITS_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const SETTLED = new Set(INVARIANTS.filter(({ when }) => when === 'settled').map(({ id }) => id));

/** An audit or a proof, with its start and the grace periods that had been judged by then. */
interface Audited {
  readonly db: Db;
  readonly began: Instant;
  readonly known: ReadonlySet<string>;
}

interface GracePeriodRow {
  readonly deployment_id: number;
  readonly grace_period_started_at: Instant;
}
const gracePeriodKey = ({ deployment_id, grace_period_started_at }: GracePeriodRow): string =>
  `${deployment_id}/${grace_period_started_at}`;

export interface AuditorsOptions {
  readonly world: World;
  readonly database: TestDatabase;
  readonly failing: Failing;
}

export async function createAuditors({ world, database, failing }: AuditorsOptions): Promise<Auditors> {
  const { clock, scheduler } = world;
  const folder = await mkdtemp(join(tmpdir(), 'world-seals-'));
  const files = new SealFolder(folder);
  const contradictions: string[] = [];
  const counts: Record<string, number> = {};
  const done: Record<DailyAudit, Day | null> = { audit: null, proof: null };
  /**
   * Grace periods that were over and visible when a completed run of everything due began. A grace period whose
   * transaction was still open at that time, because the simulated time moved on, could not have been ended.
   */
  const evaluatedSteps = new Set<string>();

  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
  const report = (id: string, words: string): void => void contradictions.push(`${id} ${words}`);

  async function passedMidnight(db: Pick<Db, 'read'>): Promise<Day | null> {
    const [row] = await db.read('night', (tx) =>
      tx.query<{ day: Day | null }>('select max(day) as day from billing_runs where passed_at is not null'),
    );
    return row?.day ?? null;
  }

  /** Reads from outside of the simulation, so no other actor continues meanwhile. */
  function endedGracePeriods(): Promise<GracePeriodRow[]> {
    return scheduler.atWork(() =>
      database.sql<GracePeriodRow>(
        'select deployment_id, grace_period_started_at from meters where grace_period_ends_at <= $1',
        [iso(clock.at - SET_BACK_MS)],
      ),
    );
  }

  /**
   * Returns whether a report is justified. A run that has been in progress for an hour of simulated time is reported
   * correctly. A grace period that was not yet judged when the audit began is accepted too, because the audit may have
   * read it before it was judged.
   */
  async function isRight({ id, rows }: Breach, { db, began, known }: Audited): Promise<boolean> {
    if (!SETTLED.has(id)) return false;
    if (id === 'I3d') {
      return rows.every((row) => !known.has(gracePeriodKey(row as GracePeriodRow)));
    }
    const open = await db.read('night', (tx) =>
      tx.query(
        `select 1 from billing_runs where day <= $1 and started_at <= $2 and (passed_at is null or passed_at >= $3)`,
        [dayOf(clock.at), iso(clock.at - UNDER_WAY_MS + SET_BACK_MS), iso(began - SET_BACK_MS)],
      ),
    );
    return open.length > 0;
  }

  async function dailyAudit(what: DailyAudit, billing: BillingService, db: Db): Promise<void> {
    const dailyRun = await passedMidnight(db);
    if (dailyRun === null || (done[what] ?? '') >= dailyRun) return;
    const began = clock.at;
    const known = new Set(evaluatedSteps);
    const looks = what === 'audit' ? billing.audit().then(({ breaches }) => breaches) : billing.prove();
    const breaches = await looks.catch((error: unknown) => {
      report(what === 'audit' ? 'A1' : 'A2', `the ${what} threw ${String(error)}`);
      return [];
    });
    done[what] = dailyRun;
    count(what === 'audit' ? 'audited' : 'proven');
    for (const breach of breaches) {
      if (!(await isRight(breach, { db, began, known }))) reportBreach(what, breach);
    }
  }

  function reportBreach(what: DailyAudit, { id, title, rows }: Breach): void {
    const at = iso(clock.at);
    report(what === 'audit' ? 'A1' : 'A2', `at ${at} the ${what} reports ${id} ${title}: ${JSON.stringify(rows)}`);
  }

  /** Checks what is stored about accounts that throw, after a billing process met such an account. */
  async function evaluateFailures(db: Db, thrown: number): Promise<void> {
    const rows = await db.read('failures', (tx) =>
      tx.query<{ user_id: number }>('select user_id from billing_failures order by user_id'),
    );
    const stored = rows.map(({ user_id }) => user_id);
    const others = stored.filter((userId) => !failing.ever.has(userId));
    if (others.length > 0) report('A4', `accounts that never threw are stored as failed: ${others.join(', ')}`);
    const { userId } = failing;
    if (userId !== null && thrown > 0 && !stored.includes(userId))
      report('A4', `account ${userId} throws and is not stored`);
  }

  return {
    // Disk access counts as work, like that of the database, so no other actor continues meanwhile.
    sealFiles: {
      prepare: (seal) => scheduler.atWork(() => files.prepare(seal)),
      prepared: (throughId) => scheduler.atWork(() => files.prepared(throughId)),
      store: (seal) => scheduler.atWork(() => files.store(seal)),
      storedSeals: () => scheduler.atWork(() => files.storedSeals()),
    },
    contradictions,
    counts,
    watched(billing, db, ticks) {
      const watched = ticks.map((tick): Tick => {
        if (tick.name !== 'catch up' && tick.name !== 'forgotten') return tick;
        return {
          ...tick,
          async run() {
            const over = tick.name === 'catch up' ? await endedGracePeriods() : [];
            const thrown = await failing.counted(tick.run);
            for (const gracePeriod of over) evaluatedSteps.add(gracePeriodKey(gracePeriod));
            if (failing.ever.size > 0) await evaluateFailures(db, thrown);
          },
        };
      });
      return [
        ...watched,
        { name: 'audit', weight: 0.2, run: () => dailyAudit('audit', billing, db) },
        { name: 'proof', weight: 0.2, run: () => dailyAudit('proof', billing, db) },
      ];
    },
    due: (passed) =>
      passed === null
        ? []
        : (['audit', 'proof'] as const).filter((what) => (done[what] ?? '') < passed).map((what) => `billing/${what}`),

    async drill(billingOn) {
      const { userId } = failing;
      if (userId === null) return;
      // The holder of a row that it would write is paused, and no other actor continues while it waits.
      const own = await database.open({
        connections_max: 1,
        application_name: 'drill',
        lock_timeout_ms: DRILL_WAITS_MS,
      });
      try {
        await own.tx('drill', async (tx) => {
          await tx.execute('set transaction isolation level repeatable read');
          const [charge] = await tx.query<{ id: string; deployment_id: number }>(
            `select t.id, t.deployment_id from ledger_transactions t
             where t.type = 'charge' and t.user_id <> all($1::int[])
               and t.charged_on = (select max(day) from billing_runs where passed_at is not null)
               and t.due_at = t.charged_on::timestamp at time zone 'UTC'
               and exists (select 1 from billing_failures f where f.user_id = $2 and f.day <= t.charged_on)
             order by t.id limit 1`,
            [[...failing.ever], userId],
          );
          if (charge === undefined) throw new DrillOver();
          // Only this transaction reads the ledger without the charge.
          await tx.execute(
            'create temporary table ledger_transactions on commit drop as select * from public.ledger_transactions',
          );
          await tx.execute('delete from pg_temp.ledger_transactions where id = $1', [charge.id]);
          const within: Db = { ...own, tx: (_, run) => run(tx), read: (_, run) => run(tx) };
          const { breaches } = await billingOn(clock.timed(within)).audit({ at: clock.at });
          const missed = breaches.find(({ id }) => id === 'I3')?.rows ?? [];
          count('drilled');
          if (!missed.some((row) => (row as { deployment_id: number }).deployment_id === charge.deployment_id)) {
            report(
              'A3',
              `account ${userId} throws, and the audit does not report that deployment ${charge.deployment_id} of another was not charged`,
            );
          }
          throw new DrillOver();
        });
      } catch (error) {
        if (!(error instanceof DrillOver) && sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      } finally {
        await own.close();
      }
    },

    async finish(billingOn) {
      const db = await database.open({ service: 'billing', connections_max: 2, application_name: 'the last night' });
      try {
        const timed = clock.timed(db);
        const dailyRun = await passedMidnight(db);
        if (dailyRun === null || dailyRun !== dayOf(clock.at))
          report('A5', `the last night that every account was tried in is ${String(dailyRun)}`);
        for (const what of ['audit', 'proof'] as const) {
          if ((done[what] ?? '') < (dailyRun ?? '')) report('A5', `the last ${what} was of ${String(done[what])}`);
        }
        const billing = billingOn(timed);
        for (const breach of (await billing.audit()).breaches) reportBreach('audit', breach);
        for (const breach of await billing.prove()) reportBreach('proof', breach);
        const left = await database.sql<{ user_id: number }>('select user_id from billing_failures');
        if (left.length > 0) report('A4', `stored as failed to the end: ${JSON.stringify(left)}`);
      } finally {
        await db.close();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Rolls back a drill, of which nothing is stored. */
class DrillOver extends Error {}
