import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { LiveService } from './live.service';

@Injectable()
export class LiveSchedule {
  constructor(
    private readonly live: LiveService,
    private readonly tasks: ScheduledTasks,
  ) {}

  /** Frequent enough for proxies that close idle connections, rare enough to be cheap. */
  @Cron('*/15 * * * * *', { name: 'live.heartbeat', timeZone: 'UTC', waitForCompletion: true })
  heartbeat(): Promise<void> {
    return this.tasks.run('live.heartbeat', () => this.live.heartbeat());
  }
}
