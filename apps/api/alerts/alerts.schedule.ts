import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AlertMail } from './alert-mail.service';
import { SealMail } from './seal-mail.service';

@Injectable()
export class AlertsSchedule {
  constructor(
    private readonly alertMail: AlertMail,
    private readonly sealMail: SealMail,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('10 * * * * *', { name: 'alerts.mail', timeZone: 'UTC', waitForCompletion: true })
  mailAlerts(): Promise<void> {
    return this.tasks.run('alerts.mail', () => this.alertMail.run());
  }

  @Cron('25 * * * * *', { name: 'alerts.seal', timeZone: 'UTC', waitForCompletion: true })
  mailSeal(): Promise<void> {
    return this.tasks.run('alerts.seal', () => this.sealMail.run());
  }

  @Cron('40 20 * * * *', { name: 'alerts.clean', timeZone: 'UTC', waitForCompletion: true })
  clean(): Promise<void> {
    return this.tasks.run('alerts.clean', () => this.alertMail.clean());
  }
}
