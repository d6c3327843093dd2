import { ADMIN_USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setPageHeaders } from '../http/paging';
import { Serve } from '../http/serve';
import { AdminRoles } from './admin-roles.service';
import { AdminUsersService } from './admin-users.service';
import { CreateAccount } from './create-account.use-case';
import { DeactivateAccount } from './deactivate-account.use-case';
import { EraseAccount } from './erase-account.use-case';
import { PrepareDeletion } from './prepare-deletion.use-case';
import { ReactivateAccount } from './reactivate-account.use-case';

@Controller()
export class AdminUsersController {
  constructor(
    private readonly users: AdminUsersService,
    private readonly creation: CreateAccount,
    private readonly roles: AdminRoles,
    private readonly preparation: PrepareDeletion,
    private readonly deactivation: DeactivateAccount,
    private readonly reactivation: ReactivateAccount,
    private readonly erasure: EraseAccount,
  ) {}

  @Serve(ADMIN_USERS_CALLS.list)
  async list({ query, reply }: CallInput<typeof ADMIN_USERS_CALLS.list>) {
    return setPageHeaders(await this.users.list(query), reply, '/api/users');
  }

  @Serve(ADMIN_USERS_CALLS.get)
  get({ params }: CallInput<typeof ADMIN_USERS_CALLS.get>) {
    return this.users.get(params.id);
  }

  @Serve(ADMIN_USERS_CALLS.create)
  create({ caller, body }: CallInput<typeof ADMIN_USERS_CALLS.create>) {
    return this.creation.run(caller, body);
  }

  @Serve(ADMIN_USERS_CALLS.makeAdmin)
  makeAdmin({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.makeAdmin>) {
    return this.roles.make(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.removeAdmin)
  removeAdmin({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.removeAdmin>) {
    return this.roles.remove(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.deactivationCheck)
  deactivationCheck({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.deactivationCheck>) {
    return this.deactivation.check(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.prepareDeletion)
  prepareDeletion({ caller, params, body }: CallInput<typeof ADMIN_USERS_CALLS.prepareDeletion>) {
    return this.preparation.run(caller, params.id, body.reason);
  }

  @Serve(ADMIN_USERS_CALLS.deactivate)
  deactivate({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.deactivate>) {
    return this.deactivation.run(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.reactivate)
  reactivate({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.reactivate>) {
    return this.reactivation.run(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.erase)
  erase({ caller, params }: CallInput<typeof ADMIN_USERS_CALLS.erase>) {
    return this.erasure.run(caller, params.id);
  }
}
