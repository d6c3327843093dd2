import { ADMIN_USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ImpersonationService } from './impersonation.service';

@Controller()
export class ImpersonationController {
  constructor(private readonly impersonations: ImpersonationService) {}

  @Serve(ADMIN_USERS_CALLS.impersonate)
  impersonate({ caller, params, body }: CallInput<typeof ADMIN_USERS_CALLS.impersonate>) {
    return this.impersonations.begin(caller, params.id, body.reason);
  }

  @Serve(ADMIN_USERS_CALLS.endImpersonation)
  endImpersonation({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.endImpersonation>) {
    return this.impersonations.end(caller, params.id);
  }
}
