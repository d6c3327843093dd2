import { LOGS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ContainerRestarts } from './container-restarts.service';
import { DeploymentLogs } from './deployment-logs.service';

type Calls = typeof LOGS_CALLS;

@Controller()
export class LogsController {
  constructor(
    private readonly logs: DeploymentLogs,
    private readonly restarts: ContainerRestarts,
  ) {}

  @Serve(LOGS_CALLS.read)
  read({ caller, params, query }: CallInput<Calls['read']>) {
    const { log_level: level, ...filter } = query;
    return this.logs.read({ viewer: caller, id: params.id }, { ...filter, level });
  }

  @Serve(LOGS_CALLS.search)
  search({ caller, params, query }: CallInput<Calls['search']>) {
    return this.logs.search({ viewer: caller, id: params.id }, query.contains);
  }

  @Serve(LOGS_CALLS.restart)
  restart({ caller, params, body }: CallInput<Calls['restart']>) {
    const { container } = params;
    return this.restarts.request({ viewer: caller, id: params.id }, { container, reason: body.reason });
  }
}
