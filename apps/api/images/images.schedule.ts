import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { CheckImages } from './check-images.use-case';

@Injectable()
export class ImagesSchedule {
  constructor(
    private readonly images: CheckImages,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('0 40 4 * * *', { name: 'images.check', timeZone: 'UTC', waitForCompletion: true })
  check(): Promise<void> {
    return this.tasks.run('images.check', () => this.images.run());
  }
}
