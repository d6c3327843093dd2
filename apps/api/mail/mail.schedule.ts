import { DAY_MS } from '@moorage/domain';
import { ScheduledTasks } from '@moorage/runtime';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Mailbox } from './mailbox.service';

/** Retention of email files in the folder. Their rows are removed at the same age by the retention table. */
const RETENTION_MS = 90 * DAY_MS;

@Injectable()
export class MailSchedule {
  constructor(
    private readonly clock: Clock,
    private readonly mailbox: Mailbox,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('35 10 * * * *', { name: 'mail.clean', timeZone: 'UTC', waitForCompletion: true })
  clean(): Promise<void> {
    return this.tasks.run('mail.clean', () => this.mailbox.clean(this.clock.localNow() - RETENTION_MS));
  }
}
