import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { LiveController } from './live.controller';
import { LiveEvents } from './live.events';
import { LiveSchedule } from './live.schedule';
import { LiveService } from './live.service';

@Module({
  imports: [AuthModule],
  controllers: [LiveController],
  providers: [LiveService, LiveEvents, LiveSchedule],
  exports: [LiveService],
})
export class LiveModule {}
