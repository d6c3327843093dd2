import { Alerts, createAlerts } from '@moorage/database';
import { Clock, Log } from '@moorage/server';
import { Module } from '@nestjs/common';
import { AlertMail } from './alert-mail';
import { AlertsSchedule } from './alerts.schedule';
import { OperatorHealth } from './operator-health';
import { OperatorHealthController } from './operator-health.controller';
import { SealMail } from './seal-mail';

const alerts = {
  provide: Alerts,
  inject: [Clock, Log],
  useFactory: (clock: Clock, log: Log): Alerts => createAlerts({ clock, log }),
};

@Module({
  controllers: [OperatorHealthController],
  providers: [alerts, AlertMail, SealMail, OperatorHealth, AlertsSchedule],
})
export class AlertsModule {}
