import { Module } from '@nestjs/common';
import { SettlingModule } from '../settling/settling.module';
import { DailyRun } from './daily-run.service';

@Module({ imports: [SettlingModule], providers: [DailyRun], exports: [DailyRun] })
export class ChargingModule {}
