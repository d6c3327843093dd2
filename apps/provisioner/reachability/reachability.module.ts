import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { ReachabilityCheck } from './reachability-check';
import { ReachabilityChecks } from './reachability-checks';
import { ReachabilityEvents } from './reachability-events';

@Module({
  imports: [CloudsModule],
  providers: [ReachabilityCheck, ReachabilityChecks, ReachabilityEvents],
  exports: [ReachabilityChecks],
})
export class ReachabilityModule {}
