import { ScheduledTasks } from '@moorage/runtime';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AutomaticUpdates } from './automatic-updates.service';
import { RebootServer } from './reboot-server.use-case';
import { VersionMails } from './version-mails.service';

@Injectable()
export class UpdatesSchedule {
  constructor(
    private readonly updates: AutomaticUpdates,
    private readonly reboots: RebootServer,
    private readonly mails: VersionMails,
    private readonly tasks: ScheduledTasks,
  ) {}

  @Cron('45 * * * * *', { name: 'automatic_updates.pass', timeZone: 'UTC', waitForCompletion: true })
  pass(): Promise<void> {
    return this.tasks.run('automatic_updates.pass', async () => {
      await this.updates.pass();
      await this.reboots.pass();
    });
  }

  @Cron('5 */5 * * * *', { name: 'version_mails.pass', timeZone: 'UTC', waitForCompletion: true })
  mailVersions(): Promise<void> {
    return this.tasks.run('version_mails.pass', () => this.mails.pass());
  }
}
