import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { ReachabilityCheck } from './reachability-check.service';
import { ReachabilityChecks } from './reachability-checks.service';
import { ReachabilityEvents } from './reachability-events.service';

@Module({
  imports: [CloudsModule],
  providers: [ReachabilityCheck, ReachabilityChecks, ReachabilityEvents],
  exports: [ReachabilityChecks],
})
export class ReachabilityModule {}
