import { Module } from '@nestjs/common';
import { TopUpSwitch } from './top-up-switch';

/** For every feature that takes money from an account, or ends it. */
@Module({ providers: [TopUpSwitch], exports: [TopUpSwitch] })
export class TopUpSwitchModule {}
