import { USERS_CALLS } from '@moorage/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { createUsers, type Users, type UsersNeeds } from './users';

const USERS = Symbol('users');

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

export function createUsersFeature(deps: ApiDeps, needs: UsersNeeds): Feature {
  return { controllers: [UsersController], providers: [{ provide: USERS, useValue: createUsers(deps, needs) }] };
}
