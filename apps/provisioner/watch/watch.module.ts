import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module';
import { CloudsModule } from '../clouds/clouds.module';
import { DnsModule } from '../dns/dns.module';
import { IncidentsModule } from '../incidents/incidents.module';
import { ProvisionerServersModule } from '../servers/servers.module';
import { HostChecks } from './host-checks.service';
import { MetricsRollup } from './metrics-rollup.service';
import { NameChecks } from './name-checks.service';
import { ResponseCheck } from './response-check.service';
import { ResponseChecks } from './response-checks.service';
import { WatchEvents } from './watch-events.service';

/** Regular checks of running deployments, with their metrics. */
@Module({
  imports: [CertificatesModule, CloudsModule, DnsModule, IncidentsModule, ProvisionerServersModule],
  providers: [ResponseCheck, ResponseChecks, WatchEvents, HostChecks, NameChecks, MetricsRollup],
  exports: [ResponseChecks, HostChecks, NameChecks, MetricsRollup],
})
export class WatchModule {}
