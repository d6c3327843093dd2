import { Module } from '@nestjs/common';
import { AccountSettler } from './account-settler';
import { SettlementSweep } from './settlement-sweep';

@Module({ providers: [AccountSettler, SettlementSweep], exports: [AccountSettler, SettlementSweep] })
export class SettlingModule {}
