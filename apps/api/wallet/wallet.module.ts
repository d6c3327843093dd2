import { Module } from '@nestjs/common';
import { TopUpSwitchModule } from '../top-up-switch/top-up-switch.module';
import { WalletController } from './wallet.controller';
import { WalletService } from './wallet.service';

@Module({
  imports: [TopUpSwitchModule],
  controllers: [WalletController],
  providers: [WalletService],
})
export class WalletModule {}
