import type { Log } from '@moorage/server';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import type { Billing } from './billing';

const BILLING = Symbol('billing');
const LOG = Symbol('log');

/** The product's clocks. Each only calls a tick; a tick that is still running is not called again. */
@Injectable()
export class BillingClocks {
  constructor(
    @Inject(BILLING) private readonly billing: Billing,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The daily run at midnight, and each minute whatever was missed. */
  @Cron('0 * * * * *', { name: 'billing.catch-up', timeZone: 'UTC', waitForCompletion: true })
  catchUp(): Promise<void> {
    return this.run('catch-up', () => this.billing.ticks.catchUp());
  }

  @Cron('30 */5 * * * *', { name: 'billing.forgotten', timeZone: 'UTC', waitForCompletion: true })
  settleForgotten(): Promise<void> {
    return this.run('forgotten', () => this.billing.ticks.settleForgotten());
  }

  @Cron('15 7 * * * *', { name: 'billing.warnings', timeZone: 'UTC', waitForCompletion: true })
  warnLow(): Promise<void> {
    return this.run('warnings', () => this.billing.ticks.warnLow());
  }

  @Cron('0 30 2 * * *', { name: 'billing.audit', timeZone: 'UTC', waitForCompletion: true })
  audit(): Promise<void> {
    return this.run('audit', () => this.billing.ticks.audit());
  }

  @Cron('0 0 3 * * *', { name: 'billing.proof', timeZone: 'UTC', waitForCompletion: true })
  prove(): Promise<void> {
    return this.run('proof', () => this.billing.ticks.prove());
  }

  @Cron('0 40 * * * *', { name: 'billing.late-audit', timeZone: 'UTC', waitForCompletion: true })
  lateAudit(): Promise<void> {
    return this.run('late audit', () => this.billing.ticks.lateAudit());
  }

  @Cron('0 50 * * * *', { name: 'billing.late-proof', timeZone: 'UTC', waitForCompletion: true })
  lateProof(): Promise<void> {
    return this.run('late proof', () => this.billing.ticks.lateProof());
  }

  @Cron('45 */5 * * * *', { name: 'billing.watch', timeZone: 'UTC', waitForCompletion: true })
  watch(): Promise<void> {
    return this.run('watch', () => this.billing.ticks.watch());
  }

  /** An error ends neither the process nor the clock: the next call tries again. */
  private async run(clock: string, tick: () => Promise<unknown>): Promise<void> {
    try {
      await tick();
    } catch (error) {
      this.log.error('a clock goes on after an error', { clock, error });
    }
  }
}

@Module({})
export class BillingModule {
  static of({ billing, log }: { billing: Billing; log: Log }): DynamicModule {
    return {
      module: BillingModule,
      imports: [ScheduleModule.forRoot()],
      providers: [{ provide: BILLING, useValue: billing }, { provide: LOG, useValue: log }, BillingClocks],
    };
  }
}
