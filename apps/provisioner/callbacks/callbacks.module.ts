import { Module } from '@nestjs/common';
import { ServerCallbacks } from './server-callbacks';

/** What callbacks of clouds and new servers bring forward. */
@Module({ providers: [ServerCallbacks] })
export class CallbacksModule {}
