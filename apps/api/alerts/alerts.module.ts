import { Module } from '@nestjs/common';
import { AlertMail } from './alert-mail';
import { AlertsSchedule } from './alerts.schedule';
import { OperatorHealth } from './operator-health';
import { OperatorHealthController } from './operator-health.controller';
import { SealMail } from './seal-mail';

@Module({
  controllers: [OperatorHealthController],
  providers: [AlertMail, SealMail, OperatorHealth, AlertsSchedule],
})
export class AlertsModule {}
