import { Module } from '@nestjs/common';
import { TopUpSwitchModule } from '../payments/automatic/top-up-switch.module';
import { AdminCredits } from './admin-credits';
import { AdminReferrals } from './admin-referrals';
import { AdminReferralsController } from './admin-referrals.controller';
import { CreditRequestList } from './credit-request-list';
import { CreditRequests } from './credit-requests';
import { CreditsController } from './credits.controller';
import { DecideRequest } from './decide-request';
import { FreeCreditCodes } from './free-credit-codes';
import { Mailboxes } from './mailboxes';
import { RedeemCode } from './redeem-code';
import { ReferralCredits } from './referral-credits';

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
