import { Module } from '@nestjs/common';
import { ReferralsController } from './referrals.controller';
import { ReferralsService } from './referrals.service';

@Module({ controllers: [ReferralsController], providers: [ReferralsService] })
export class ReferralsModule {}
