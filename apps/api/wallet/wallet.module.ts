import { Module } from '@nestjs/common';
import { TopUpSwitchModule } from '../payments/automatic/top-up-switch.module';
import { AccountActsModule } from '../users/account-acts.module';
import { WalletController } from './wallet.controller';
import { WalletService } from './wallet.service';

@Module({
  imports: [TopUpSwitchModule, AccountActsModule],
  controllers: [WalletController],
  providers: [WalletService],
})
export class WalletModule {}
