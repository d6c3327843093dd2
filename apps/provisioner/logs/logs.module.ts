import { Module } from '@nestjs/common';
import { ProvisionerServersModule } from '../servers/servers.module';
import { FollowLogs } from './follow-logs.use-case';
import { LogSecrets } from './log-secrets.service';
import { RestartContainer } from './restart-container.use-case';

/** Logs of containers while they are read, and restarts of single containers. */
@Module({
  imports: [ProvisionerServersModule],
  providers: [LogSecrets, FollowLogs, RestartContainer],
})
export class ProvisionerLogsModule {}
