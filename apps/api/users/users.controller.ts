import { USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { UsersService } from './users.service';
import { acceptedLanguage } from '@moorage/domain';

@Controller()
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Serve(USERS_CALLS.signup)
  signup({ body, origin, header }: CallInput<typeof USERS_CALLS.signup>) {
    return this.users.signup(body, { ...origin, language: acceptedLanguage(header('accept-language')) });
  }

  @Serve(USERS_CALLS.me)
  me({ caller }: CallInput<typeof USERS_CALLS.me>) {
    return this.users.me(caller);
  }

  @Serve(USERS_CALLS.resendVerification)
  resendVerification({ caller }: CallInput<typeof USERS_CALLS.resendVerification>) {
    return this.users.resendVerification(caller);
  }
}
