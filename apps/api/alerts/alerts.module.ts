import { Module } from '@nestjs/common';
import { AlertMail } from './alert-mail.service';
import { AlertsSchedule } from './alerts.schedule';
import { OperatorHealth } from './operator-health.service';
import { OperatorHealthController } from './operator-health.controller';
import { SealMail } from './seal-mail.service';

@Module({
  controllers: [OperatorHealthController],
  providers: [AlertMail, SealMail, OperatorHealth, AlertsSchedule],
})
export class AlertsModule {}
