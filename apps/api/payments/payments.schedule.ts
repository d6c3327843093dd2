import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { ComparePayments } from './compare-payments.use-case';
import { SweepCheckouts } from './sweep-checkouts.use-case';

@Injectable()
export class PaymentsSchedule {
  constructor(
    private readonly sweepCheckouts: SweepCheckouts,
    private readonly comparePayments: ComparePayments,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('50 */5 * * * *', { name: 'payments.sweep', timeZone: 'UTC', waitForCompletion: true })
  sweep(): Promise<void> {
    return this.tasks.run('payments.sweep', () => this.sweepCheckouts.run());
  }

  @Cron('0 20 3 * * *', { name: 'payments.compare', timeZone: 'UTC', waitForCompletion: true })
  compare(): Promise<void> {
    return this.tasks.run('payments.compare', () => this.comparePayments.run());
  }
}
