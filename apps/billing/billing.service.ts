import type { Instant } from '@moorage/domain';
import type { Breach } from '@moorage/ledger';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditResult } from './audit/audit.service';
import { DailyRun, type RunResult } from './charging/daily-run.service';
import { Forecast } from './forecast/forecast.service';
import { MovedSources } from './moves/moved-sources.service';
import { Proof } from './proof/proof.service';
import { SettlementSweep } from './settling/settlement-sweep.service';
import { AUDIT_CHECK, PROOF_CHECK, Watch } from './watch/watch.service';

/**
 * Billing's scheduled jobs. Each may run at any time, repeatedly and in several processes at once. `BillingSchedule`
 * sets the times. Operators' commands and tests call them directly.
 */
@Injectable()
export class BillingService {
  constructor(
    private readonly sweep: SettlementSweep,
    private readonly dailyRun: DailyRun,
    private readonly forecast: Forecast,
    private readonly audits: Audit,
    private readonly proof: Proof,
    private readonly watching: Watch,
    private readonly movedSources: MovedSources,
  ) {}

  /**
   * Settles everything due by `at` (by default the database's time): ends of grace periods and credits, then each day's
   * charges. Called by the ops command `billing:run --at`. In production, `at` must not be later than the database's
   * time.
   */
  async runDay({ at }: { at?: Instant | undefined } = {}): Promise<RunResult> {
    // Accounts with an end are settled completely first, so that the run can charge them set-based.
    const due = await this.sweep.settleDue({ at });
    const result = await this.dailyRun.runDays({ at });
    return { ...result, settled: result.settled + due.settled, failed: result.failed + due.failed };
  }

  /** Settles everything due, including missed days. */
  async catchUp(): Promise<void> {
    const { passed } = await this.runDay();
    // Once per night. An account that throws keeps its days open, and those are retried every minute.
    if (passed.length > 0) await this.forecast.warnLow();
  }

  /** Settles accounts whose events were lost. */
  async settleForgotten(): Promise<void> {
    await this.sweep.settleForgotten();
  }

  /** Sends low-balance warnings at 7, 3 and 1 days. */
  warnLow(options?: { at?: Instant | undefined }): Promise<{ warned: number }> {
    return this.forecast.warnLow(options);
  }

  /** Removes the old servers of moves whose time is over. */
  removeMoved(options?: { at?: Instant | undefined }): Promise<{ removed: number }> {
    return this.movedSources.removeDue(options);
  }

  audit(options?: { at?: Instant | undefined; whole?: boolean }): Promise<AuditResult> {
    return this.audits.run(options);
  }

  prove(options?: { at?: Instant | undefined }): Promise<readonly Breach[]> {
    return this.proof.run(options);
  }

  /** Repeats the audit if none has completed for a day. */
  async lateAudit(): Promise<void> {
    if (await this.watching.isDue(AUDIT_CHECK)) await this.audit();
  }

  /** Repeats the proof if none has completed for a day. Independent of the audit. */
  async lateProof(): Promise<void> {
    if (await this.watching.isDue(PROOF_CHECK)) await this.prove();
  }

  /** Raises alerts for anything stuck, parked, unsent or late. */
  watch(): Promise<void> {
    return this.watching.run();
  }

  /** Runs `watch` for an operator. Does not count as the scheduled run. */
  check(): Promise<void> {
    return this.watching.check();
  }
}
