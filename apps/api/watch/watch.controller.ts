import { WATCH_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ListOpenIncidents } from './list-open-incidents.use-case';
import { ReadIncidents } from './read-incidents.use-case';
import { ReadMetrics } from './read-metrics.use-case';
import { StartServer } from './start-server.use-case';

type Calls = typeof WATCH_CALLS;

@Controller()
export class WatchController {
  constructor(
    private readonly metricsOf: ReadMetrics,
    private readonly incidentsOf: ReadIncidents,
    private readonly openIncidents: ListOpenIncidents,
    private readonly server: StartServer,
  ) {}

  @Serve(WATCH_CALLS.metrics)
  metrics({ caller, params, query }: CallInput<Calls['metrics']>) {
    return this.metricsOf.read({ viewer: caller, id: params.id, period: query.period });
  }

  @Serve(WATCH_CALLS.incidents)
  incidents({ caller, params }: CallInput<Calls['incidents']>) {
    return this.incidentsOf.read({ viewer: caller, id: params.id });
  }

  @Serve(WATCH_CALLS.startServer)
  startServer({ caller, params, body }: CallInput<Calls['startServer']>) {
    return this.server.start({ viewer: caller, id: params.id, reason: body.reason });
  }

  @Serve(WATCH_CALLS.open)
  open({ query }: CallInput<Calls['open']>) {
    return this.openIncidents.list(query);
  }
}
