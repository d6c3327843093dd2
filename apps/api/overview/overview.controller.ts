import { ADMIN_OVERVIEW_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ReadBalanceEnds } from './read-balance-ends.use-case';
import { ReadOverview } from './read-overview.use-case';

type Calls = typeof ADMIN_OVERVIEW_CALLS;

@Controller()
export class OverviewController {
  constructor(
    private readonly platform: ReadOverview,
    private readonly balances: ReadBalanceEnds,
  ) {}

  @Serve(ADMIN_OVERVIEW_CALLS.overview)
  overview({ caller, query }: CallInput<Calls['overview']>) {
    return this.platform.overview(caller, query.period);
  }

  @Serve(ADMIN_OVERVIEW_CALLS.counts)
  counts() {
    return this.platform.counts();
  }

  @Serve(ADMIN_OVERVIEW_CALLS.balanceEnds)
  balanceEnds({ query }: CallInput<Calls['balanceEnds']>) {
    return this.balances.list(query.user_ids);
  }
}
