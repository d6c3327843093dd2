import { Module } from '@nestjs/common';
import { ServerCallbacks } from './server-callbacks.service';

/** Handles callbacks of clouds and new servers. */
@Module({ providers: [ServerCallbacks] })
export class CallbacksModule {}
