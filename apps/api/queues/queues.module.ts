import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { QueueBoard } from './queue-board';
import { QueueSessions } from './queue-sessions';
import { QueuesController } from './queues.controller';

/** A look at the queues that bring work, where there are any. */
@Module({ imports: [AuthModule], controllers: [QueuesController], providers: [QueueBoard, QueueSessions] })
export class QueuesModule {}
