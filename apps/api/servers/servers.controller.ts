import { SERVERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setPageHeaders } from '../http/paging';
import { Serve } from '../http/serve';
import { ServersService } from './servers.service';
import { VpsChecks } from './vps-checks.service';

@Controller()
export class ServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly checks: VpsChecks,
  ) {}

  @Serve(SERVERS_CALLS.servers)
  async list({ caller, query, reply }: CallInput<typeof SERVERS_CALLS.servers>) {
    const page = await this.servers.list({ viewer: caller, list: query });
    return setPageHeaders(page, reply, '/api/servers');
  }

  @Serve(SERVERS_CALLS.peripheryScript)
  async peripheryScript({ caller, query, reply }: CallInput<typeof SERVERS_CALLS.peripheryScript>) {
    const text = await this.servers.peripheryScript({
      userId: caller.userId,
      package: query.package,
      sshUser: query.user,
    });
    reply.header('content-type', 'text/yaml; charset=utf-8');
    return text;
  }

  @Serve(SERVERS_CALLS.validateVps)
  async validateVps({ caller, body, reply }: CallInput<typeof SERVERS_CALLS.validateVps>) {
    const { ip_address: address, ssh_user: sshUser, sudo_password: password } = body;
    const answer = await this.checks.check({ userId: caller.userId, address, sshUser, password, gone: reply.gone });
    if (answer.state === 'asked') reply.status(202);
    return answer;
  }
}
