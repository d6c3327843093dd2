import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module';
import { ContainerRestarts } from './container-restarts.service';
import { DeploymentLogs } from './deployment-logs.service';
import { LogsController } from './logs.controller';

/** Logs of the containers of deployments, and restarts of single containers. */
@Module({ imports: [DeploymentsModule], controllers: [LogsController], providers: [DeploymentLogs, ContainerRestarts] })
export class LogsModule {}
