import type { Instant } from '@moorage/domain';
import type { Breach } from '@moorage/ledger';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditResult } from './audit/audit';
import { DailyRun, type RunResult } from './charging/daily-run';
import { Forecast } from './forecast/forecast';
import { Proof } from './proof/proof';
import { SettlementSweep } from './settling/settlement-sweep';
import { AUDIT_CHECK, PROOF_CHECK, Watch } from './watch/watch';

/**
 * The scheduled jobs of billing. Each may be called at any time, again, and in several processes at once; `BillingSchedule`
 * says when, operators' commands and tests call them themselves.
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
  ) {}

  /**
   * Everything that is due by `at` (default: the database's now): ends of holds and credits, then each day's charges.
   * The ops command `billing:run --at` calls this; in production it must not pass an instant later than the database's.
   */
  async runDay({ at }: { at?: Instant | undefined } = {}): Promise<RunResult> {
    // accounts with an end are settled as a whole first: the run then finds nothing in the way of them
    const due = await this.sweep.settleDue({ at });
    const result = await this.dailyRun.runDays({ at });
    return { ...result, settled: result.settled + due.settled, failed: result.failed + due.failed };
  }

  /** What is due, missed days included. */
  async catchUp(): Promise<void> {
    const { passed } = await this.runDay();
    // once a night: an account that throws keeps its days open, and those are tried again each minute
    if (passed.length > 0) await this.forecast.warnLow();
  }

  /** What an event should have brought and did not. */
  async settleForgotten(): Promise<void> {
    await this.sweep.settleForgotten();
  }

  /** Warnings at 7, 3 and 1 days. */
  warnLow(options?: { at?: Instant | undefined }): Promise<{ warned: number }> {
    return this.forecast.warnLow(options);
  }

  audit(options?: { at?: Instant | undefined; whole?: boolean }): Promise<AuditResult> {
    return this.audits.run(options);
  }

  prove(options?: { at?: Instant | undefined }): Promise<readonly Breach[]> {
    return this.proof.run(options);
  }

  /** The audit again, when no night's has ended for a day. */
  async lateAudit(): Promise<void> {
    if (await this.watching.isDue(AUDIT_CHECK)) await this.audit();
  }

  /** The same for the proof; neither keeps the other from being caught up. */
  async lateProof(): Promise<void> {
    if (await this.watching.isDue(PROOF_CHECK)) await this.prove();
  }

  /** What is stuck, parked, unsent or late becomes an alert. */
  watch(): Promise<void> {
    return this.watching.run();
  }

  /** `watch` for an operator who asks now; the schedule's own is still waited for. */
  check(): Promise<void> {
    return this.watching.check();
  }
}
