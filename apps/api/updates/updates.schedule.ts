import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AutomaticUpdates } from './automatic-updates.service';

@Injectable()
export class UpdatesSchedule {
  constructor(
    private readonly updates: AutomaticUpdates,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('45 * * * * *', { name: 'automatic_updates.pass', timeZone: 'UTC', waitForCompletion: true })
  pass(): Promise<void> {
    return this.tasks.run('automatic_updates.pass', () => this.updates.pass());
  }
}
