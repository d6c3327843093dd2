import { ADMIN_OVERVIEW_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ReadOverview } from './read-overview.use-case';

type Calls = typeof ADMIN_OVERVIEW_CALLS;

@Controller()
export class OverviewController {
  constructor(private readonly platform: ReadOverview) {}

  @Serve(ADMIN_OVERVIEW_CALLS.overview)
  overview({ caller, query }: CallInput<Calls['overview']>) {
    return this.platform.overview(caller, query.period);
  }

  @Serve(ADMIN_OVERVIEW_CALLS.counts)
  counts() {
    return this.platform.counts();
  }
}
