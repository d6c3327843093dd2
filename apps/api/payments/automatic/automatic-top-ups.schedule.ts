import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AutomaticTopUps } from './automatic-top-ups.service';

@Injectable()
export class AutomaticTopUpsSchedule {
  constructor(
    private readonly topUps: AutomaticTopUps,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('15 * * * * *', { name: 'automatic_top_ups.pass', timeZone: 'UTC', waitForCompletion: true })
  pass(): Promise<void> {
    return this.tasks.run('automatic_top_ups.pass', () => this.topUps.pass());
  }
}
