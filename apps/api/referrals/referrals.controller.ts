import { REFERRALS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setPageHeaders } from '../http/paging';
import { Serve } from '../http/serve';
import { ReferralsService } from './referrals.service';

type Calls = typeof REFERRALS_CALLS;

@Controller()
export class ReferralsController {
  constructor(private readonly referrals: ReferralsService) {}

  @Serve(REFERRALS_CALLS.validateCode)
  validateCode({ params }: CallInput<Calls['validateCode']>) {
    return this.referrals.validate(params.code);
  }

  @Serve(REFERRALS_CALLS.myLink)
  myLink({ caller }: CallInput<Calls['myLink']>) {
    return this.referrals.myLink(caller);
  }

  @Serve(REFERRALS_CALLS.stats)
  stats({ caller }: CallInput<Calls['stats']>) {
    return this.referrals.stats(caller);
  }

  @Serve(REFERRALS_CALLS.credits)
  async credits({ caller, query, reply }: CallInput<Calls['credits']>) {
    return setPageHeaders(await this.referrals.credits(caller, 'referral', query), reply, '/api/referrals/credits');
  }

  @Serve(REFERRALS_CALLS.signupCredits)
  async signupCredits({ caller, query, reply }: CallInput<Calls['signupCredits']>) {
    return setPageHeaders(await this.referrals.credits(caller, 'signup', query), reply, '/api/signup-credits');
  }
}
