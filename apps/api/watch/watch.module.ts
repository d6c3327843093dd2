import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module';
import { ListOpenIncidents } from './list-open-incidents.use-case';
import { ReadIncidents } from './read-incidents.use-case';
import { ReadMetrics } from './read-metrics.use-case';
import { StartServer } from './start-server.use-case';
import { WatchController } from './watch.controller';

/** Metrics and incidents of running deployments. The provisioner writes them. */
@Module({
  imports: [DeploymentsModule],
  controllers: [WatchController],
  providers: [ReadMetrics, ReadIncidents, ListOpenIncidents, StartServer],
})
export class WatchModule {}
