import { ADMIN_REFERRALS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { AdminCredits } from './admin-credits.service';
import { AdminReferrals } from './admin-referrals.service';
import { CreditRequestList } from './credit-request-list.repository';
import { DecideRequest } from './decide-request.use-case';

type Calls = typeof ADMIN_REFERRALS_CALLS;

/** Calls of administrators for credits, referrals and requests for free credits. */
@Controller()
export class AdminReferralsController {
  constructor(
    private readonly adminCredits: AdminCredits,
    private readonly adminReferrals: AdminReferrals,
    private readonly requestList: CreditRequestList,
    private readonly decideRequest: DecideRequest,
  ) {}

  @Serve(ADMIN_REFERRALS_CALLS.credits)
  credits({ query }: CallInput<Calls['credits']>) {
    return this.adminCredits.page(query);
  }

  @Serve(ADMIN_REFERRALS_CALLS.adjust)
  adjust({ caller, params, body }: CallInput<Calls['adjust']>) {
    return this.adminCredits.adjust(caller, params.id, body.amount);
  }

  @Serve(ADMIN_REFERRALS_CALLS.clusters)
  clusters({ query }: CallInput<Calls['clusters']>) {
    return this.adminCredits.clusters(query.by);
  }

  @Serve(ADMIN_REFERRALS_CALLS.waiting)
  waiting() {
    return this.adminCredits.waiting();
  }

  @Serve(ADMIN_REFERRALS_CALLS.referrals)
  referrals({ query }: CallInput<Calls['referrals']>) {
    return this.adminReferrals.page(query);
  }

  @Serve(ADMIN_REFERRALS_CALLS.approveReferral)
  approveReferral({ caller, params }: CallInput<Calls['approveReferral']>) {
    return this.adminReferrals.approve(caller, params.id);
  }

  @Serve(ADMIN_REFERRALS_CALLS.rejectReferral)
  rejectReferral({ caller, params, body }: CallInput<Calls['rejectReferral']>) {
    return this.adminReferrals.reject(caller, params.id, body.reason);
  }

  @Serve(ADMIN_REFERRALS_CALLS.requests)
  requests({ query }: CallInput<Calls['requests']>) {
    return this.requestList.page(query);
  }

  @Serve(ADMIN_REFERRALS_CALLS.approveRequest)
  approveRequest({ caller, params }: CallInput<Calls['approveRequest']>) {
    return this.decideRequest.approve(caller, params.id);
  }

  @Serve(ADMIN_REFERRALS_CALLS.rejectRequest)
  rejectRequest({ caller, params, body }: CallInput<Calls['rejectRequest']>) {
    return this.decideRequest.reject(caller, params.id, body.reason);
  }
}
