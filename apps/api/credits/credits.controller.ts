import { REFERRALS_CALLS, SUPPORT_CALLS } from '@moorage/contracts';
import { acceptedLanguage } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { CreditRequests } from './credit-requests.service';
import { RedeemCode } from './redeem-code.use-case';

@Controller()
export class CreditsController {
  constructor(
    private readonly requests: CreditRequests,
    private readonly redeemCode: RedeemCode,
  ) {}

  @Serve(SUPPORT_CALLS.creditRequest)
  request({ body, caller, origin, header }: CallInput<(typeof SUPPORT_CALLS)['creditRequest']>) {
    return this.requests.submit(body, { caller, origin, language: acceptedLanguage(header('accept-language')) });
  }

  @Serve(REFERRALS_CALLS.redeem)
  redeem({ caller, body }: CallInput<(typeof REFERRALS_CALLS)['redeem']>) {
    return this.redeemCode.run(caller, body.code);
  }
}
