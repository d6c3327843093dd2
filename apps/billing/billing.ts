import { createAlerts } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import type { Invariant, Ledger } from '@moorage/ledger';
import { type ProductEventHandlers } from '@moorage/runtime';
import type { Clock, Db, Log } from '@moorage/server';
import { type Audit, createAudit } from './audit/audit';
import { createDailyRun, type RunResult } from './charging/daily-run';
import { createForecast } from './forecast/forecast';
import { createBillingHandlers } from './settling/handlers';
import { createProof, type Proof } from './proof/proof';
import type { SealFiles } from './proof/seal-files';
import { createSettleOne } from './settling/settle-one';
import { createSweep } from './settling/sweep';
import { AUDIT_CHECK, createWatch, PROOF_CHECK, type Watch } from './watch/watch';

/** What the clock does with money. Every tick may be called at any time, again, and in several processes at once. */
export interface Billing {
  /**
   * Everything that is due by `at` (default: the database's now): ends of holds and credits, then each day's charges.
   * The ops command `billing:run --at` calls this; in production it must not pass an instant later than the database's.
   */
  runDay(options?: { at?: Instant | undefined }): Promise<RunResult>;
  readonly ticks: {
    /** Each minute: what is due, missed days included. */
    catchUp(): Promise<void>;
    /** Every few minutes: what an event should have brought and did not. */
    settleForgotten(): Promise<void>;
    /** After the run and each hour: warnings at 7, 3 and 1 days. */
    warnLow(options?: { at?: Instant | undefined }): Promise<{ warned: number }>;
    /** Each night. */
    readonly audit: Audit['audit'];
    /** Each night, after the audit. */
    readonly prove: Proof['prove'];
    /** Each hour: the audit again, when no night's has ended for a day. */
    lateAudit(): Promise<void>;
    /** Each hour: the same for the proof; neither keeps the other from being caught up. */
    lateProof(): Promise<void>;
    /** Every few minutes: what is stuck, parked, unsent or late becomes an alert. */
    readonly watch: Watch['tick'];
  };
  /** The look of `watch` for an operator who asks now; the clock's own is still waited for. */
  readonly look: Watch['look'];
  /** For the inbox of the consumer `billing`, by event name. */
  readonly handlers: ProductEventHandlers;
}

export interface BillingDeps {
  /** Opened with billing's role. */
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Built with actor `billing`. */
  readonly ledger: Ledger;
  /** `INVARIANTS`, or none in a test; those that read the books are the nightly audit. */
  readonly invariants: readonly Invariant[];
  /** Where seals are kept outside the database. */
  readonly sealFiles?: SealFiles | null;
  readonly chunkUsers?: number;
  readonly workers?: number;
}

/** One lock window: about a tenth of a second for an account with two deployments each. */
const CHUNK_USERS = 5_000;
const WORKERS = 2;

export function createBilling({
  db,
  clock,
  log,
  ledger,
  invariants,
  sealFiles = null,
  chunkUsers,
  workers,
}: BillingDeps): Billing {
  const settleOne = createSettleOne({ db, clock, log, ledger });
  const sweep = createSweep({ db, clock, settleOne });
  const run = createDailyRun({
    db,
    clock,
    log,
    settleOne,
    settleClosed: sweep.settleClosed,
    chunkUsers: chunkUsers ?? CHUNK_USERS,
    workers: workers ?? WORKERS,
  });
  const forecast = createForecast({ db, clock, log, ledger });
  const alerts = createAlerts({ clock, log });
  const { audit } = createAudit({ db, clock, log, alerts, invariants });
  const { prove } = createProof({ db, clock, log, alerts, files: sealFiles });
  const watch = createWatch({ db, clock, alerts, invariants });

  async function runDay({ at }: { at?: Instant | undefined } = {}): Promise<RunResult> {
    // accounts with an end are settled as a whole first: the run then finds nothing in the way of them
    const due = await sweep.settleDue({ at });
    const result = await run.runDays({ at });
    return { ...result, settled: result.settled + due.settled, failed: result.failed + due.failed };
  }

  return {
    runDay,
    ticks: {
      async catchUp() {
        const { passed } = await runDay();
        // once a night: an account that throws keeps its days open, and those are tried again each minute
        if (passed.length > 0) await forecast.warnLow();
      },
      async settleForgotten() {
        await sweep.settleForgotten();
      },
      warnLow: forecast.warnLow,
      audit,
      prove,
      async lateAudit() {
        if (await watch.isDue(AUDIT_CHECK)) await audit();
      },
      async lateProof() {
        if (await watch.isDue(PROOF_CHECK)) await prove();
      },
      watch: watch.tick,
    },
    look: watch.look,
    handlers: createBillingHandlers({ clock, ledger }),
  };
}
