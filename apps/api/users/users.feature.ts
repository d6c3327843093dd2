import { ADMIN_USERS_CALLS, USERS_CALLS } from '@moorage/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { CallInput } from '../http/call-input';
import { tellPage } from '../http/paging';
import { Serve } from '../http/serve';
import { type AdminUsers, createAdminUsers } from './admin-users';
import { createUsers, type Users, type UsersNeeds } from './users';

const USERS = Symbol('users');
const ADMIN_USERS = Symbol('users for administrators');

@Controller()
export class UsersController {
  constructor(@Inject(USERS) private readonly users: Users) {}

  @Serve(USERS_CALLS.signup)
  signup({ body, origin }: CallInput<typeof USERS_CALLS.signup>) {
    return this.users.signup(body, origin);
  }

  @Serve(USERS_CALLS.me)
  me({ caller }: CallInput<typeof USERS_CALLS.me>) {
    return this.users.me(caller);
  }

  @Serve(USERS_CALLS.resendVerification)
  resendVerification({ caller }: CallInput<typeof USERS_CALLS.resendVerification>) {
    return this.users.resendVerification(caller);
  }

  @Serve(USERS_CALLS.listApiTokens)
  listApiTokens({ caller }: CallInput<typeof USERS_CALLS.listApiTokens>) {
    return this.users.apiTokens(caller);
  }

  @Serve(USERS_CALLS.makeApiToken)
  makeApiToken({ caller, body }: CallInput<typeof USERS_CALLS.makeApiToken>) {
    return this.users.makeApiToken(caller, body.label);
  }

  @Serve(USERS_CALLS.revokeApiToken)
  revokeApiToken({ caller, params }: CallInput<typeof USERS_CALLS.revokeApiToken>) {
    return this.users.revokeApiToken(caller, params.id);
  }
}

@Controller()
export class AdminUsersController {
  constructor(@Inject(ADMIN_USERS) private readonly users: AdminUsers) {}

  @Serve(ADMIN_USERS_CALLS.list)
  async list({ query, reply }: CallInput<typeof ADMIN_USERS_CALLS.list>) {
    return tellPage(await this.users.list(query), reply, '/api/users');
  }

  @Serve(ADMIN_USERS_CALLS.get)
  get({ params }: CallInput<typeof ADMIN_USERS_CALLS.get>) {
    return this.users.get(params.id);
  }
}

export function createUsersFeature(deps: ApiDeps, needs: UsersNeeds): Feature {
  return {
    controllers: [UsersController, AdminUsersController],
    providers: [
      { provide: USERS, useValue: createUsers(deps, needs) },
      { provide: ADMIN_USERS, useValue: createAdminUsers(deps) },
    ],
  };
}
