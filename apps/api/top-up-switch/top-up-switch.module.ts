import { Module } from '@nestjs/common';
import { TopUpSwitch } from './top-up-switch.service';

/** Imported by every feature that withdraws money from an account or closes it. */
@Module({ providers: [TopUpSwitch], exports: [TopUpSwitch] })
export class TopUpSwitchModule {}
