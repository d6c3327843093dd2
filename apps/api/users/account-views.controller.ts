import { ADMIN_USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { AccountViews } from './account-views';

@Controller()
export class AccountViewsController {
  constructor(private readonly views: AccountViews) {}

  @Serve(ADMIN_USERS_CALLS.viewAs)
  viewAs({ caller, params, body }: CallInput<typeof ADMIN_USERS_CALLS.viewAs>) {
    return this.views.begin(caller, params.id, body.reason);
  }

  @Serve(ADMIN_USERS_CALLS.endView)
  endView({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.endView>) {
    return this.views.end(caller, params.id);
  }
}
