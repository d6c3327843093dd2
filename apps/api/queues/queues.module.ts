import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { QueueBoard } from './queue-board.service';
import { QueueSessions } from './queue-sessions.service';
import { QueuesController } from './queues.controller';

/** View of the work queues, if there are any. */
@Module({ imports: [AuthModule], controllers: [QueuesController], providers: [QueueBoard, QueueSessions] })
export class QueuesModule {}
