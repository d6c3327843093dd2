import { Module } from '@nestjs/common';
import { TopUpSwitchModule } from '../top-up-switch/top-up-switch.module';
import { AdminCredits } from './admin-credits.service';
import { AdminReferrals } from './admin-referrals.service';
import { AdminReferralsController } from './admin-referrals.controller';
import { CreditRequestList } from './credit-request-list.repository';
import { CreditRequests } from './credit-requests.service';
import { CreditsController } from './credits.controller';
import { DecideRequest } from './decide-request.use-case';
import { FreeCreditCodes } from './free-credit-codes.service';
import { Mailboxes } from './mailboxes.repository';
import { RedeemCode } from './redeem-code.use-case';
import { ReferralCredits } from './referral-credits.service';

/** Credits that are granted rather than paid for: for referrals, and free credits. */
@Module({
  imports: [TopUpSwitchModule],
  controllers: [CreditsController, AdminReferralsController],
  providers: [
    AdminCredits,
    AdminReferrals,
    CreditRequestList,
    CreditRequests,
    DecideRequest,
    FreeCreditCodes,
    Mailboxes,
    RedeemCode,
    ReferralCredits,
  ],
  exports: [FreeCreditCodes, Mailboxes, ReferralCredits],
})
export class CreditsModule {}
