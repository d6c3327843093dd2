import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DueWarnings } from './due-warnings.service';

@Injectable()
export class SupportSchedule {
  constructor(
    private readonly warnings: DueWarnings,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('40 * * * * *', { name: 'support.warn', timeZone: 'UTC', waitForCompletion: true })
  warn(): Promise<void> {
    return this.tasks.run('support.warn', () => this.warnings.run());
  }
}
