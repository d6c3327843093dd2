import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module';
import { CloudsModule } from '../clouds/clouds.module';
import { DnsModule } from '../dns/dns.module';
import { IncidentsModule } from '../incidents/incidents.module';
import { SshModule } from './ssh.module';
import { StacksModule } from '../stacks/stacks.module';
import { CheckProvider } from './check-provider.use-case';
import { CheckVps } from './check-vps.use-case';
import { DnsRecheck } from './dns-recheck.service';
import { EnteredCredentials } from './entered-credentials.service';
import { AddressChanges } from './address-changes.service';
import { ProviderTrust } from './provider-trust.policy';
import { ReconcileServers } from './reconcile-servers.use-case';
import { ServerSessions } from './server-sessions.service';
import { SharedRules } from './shared-rules.policy';

@Module({
  imports: [CertificatesModule, CloudsModule, DnsModule, IncidentsModule, SshModule, StacksModule],
  providers: [
    ServerSessions,
    ProviderTrust,
    AddressChanges,
    SharedRules,
    ReconcileServers,
    EnteredCredentials,
    CheckProvider,
    DnsRecheck,
    CheckVps,
  ],
  exports: [ServerSessions, ProviderTrust, AddressChanges, CheckProvider],
})
export class ProvisionerServersModule {}
