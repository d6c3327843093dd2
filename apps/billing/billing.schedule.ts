import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { BillingService } from './billing.service';

/** Schedule of billing's jobs in UTC. A job that is still running is not started again. */
@Injectable()
export class BillingSchedule {
  constructor(
    private readonly billing: BillingService,
    private readonly tasks: ScheduledTasks,
  ) {}

  /** Runs the daily charges at midnight, and every minute anything that was missed. */
  @Cron('0 * * * * *', { name: 'billing.catch-up', timeZone: 'UTC', waitForCompletion: true })
  catchUp(): Promise<void> {
    return this.tasks.run('billing.catch-up', () => this.billing.catchUp());
  }

  @Cron('30 */5 * * * *', { name: 'billing.forgotten', timeZone: 'UTC', waitForCompletion: true })
  settleForgotten(): Promise<void> {
    return this.tasks.run('billing.forgotten', () => this.billing.settleForgotten());
  }

  @Cron('20 * * * * *', { name: 'billing.moves', timeZone: 'UTC', waitForCompletion: true })
  removeMoved(): Promise<void> {
    return this.tasks.run('billing.moves', async () => {
      await this.billing.removeMoved();
    });
  }

  @Cron('15 7 * * * *', { name: 'billing.warnings', timeZone: 'UTC', waitForCompletion: true })
  warnLow(): Promise<void> {
    return this.tasks.run('billing.warnings', () => this.billing.warnLow());
  }

  @Cron('0 30 2 * * *', { name: 'billing.audit', timeZone: 'UTC', waitForCompletion: true })
  audit(): Promise<void> {
    return this.tasks.run('billing.audit', () => this.billing.audit());
  }

  @Cron('0 0 3 * * *', { name: 'billing.proof', timeZone: 'UTC', waitForCompletion: true })
  prove(): Promise<void> {
    return this.tasks.run('billing.proof', () => this.billing.prove());
  }

  @Cron('0 40 * * * *', { name: 'billing.late-audit', timeZone: 'UTC', waitForCompletion: true })
  lateAudit(): Promise<void> {
    return this.tasks.run('billing.late-audit', () => this.billing.lateAudit());
  }

  @Cron('0 50 * * * *', { name: 'billing.late-proof', timeZone: 'UTC', waitForCompletion: true })
  lateProof(): Promise<void> {
    return this.tasks.run('billing.late-proof', () => this.billing.lateProof());
  }

  @Cron('45 */5 * * * *', { name: 'billing.watch', timeZone: 'UTC', waitForCompletion: true })
  watch(): Promise<void> {
    return this.tasks.run('billing.watch', () => this.billing.watch());
  }
}
