import { Module } from '@nestjs/common';
import { AccountSettler } from './account-settler.service';
import { SettlementSweep } from './settlement-sweep.service';

@Module({ providers: [AccountSettler, SettlementSweep], exports: [AccountSettler, SettlementSweep] })
export class SettlingModule {}
