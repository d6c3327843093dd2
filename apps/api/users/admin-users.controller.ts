import { ADMIN_USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setPageHeaders } from '../http/paging';
import { Serve } from '../http/serve';
import { AdminUsersService } from './admin-users.service';

@Controller()
export class AdminUsersController {
  constructor(private readonly users: AdminUsersService) {}

  @Serve(ADMIN_USERS_CALLS.list)
  async list({ query, reply }: CallInput<typeof ADMIN_USERS_CALLS.list>) {
    return setPageHeaders(await this.users.list(query), reply, '/api/users');
  }

  @Serve(ADMIN_USERS_CALLS.get)
  get({ params }: CallInput<typeof ADMIN_USERS_CALLS.get>) {
    return this.users.get(params.id);
  }
}
