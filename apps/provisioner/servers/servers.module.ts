import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module';
import { CloudsModule } from '../clouds/clouds.module';
import { DnsModule } from '../dns/dns.module';
import { SshModule } from '../ssh/ssh.module';
import { StacksModule } from '../stacks/stacks.module';
import { CheckProvider } from './check-provider';
import { CheckVps } from './check-vps';
import { DnsRecheck } from './dns-recheck';
import { EnteredCredentials } from './entered-credentials';
import { AddressChanges } from './moved-servers';
import { ProviderTrust } from './provider-trust';
import { ReconcileServers } from './reconcile-servers';
import { ServerSessions } from './server-sessions';
import { SharedRules } from './shared-rules';

@Module({
  imports: [CertificatesModule, CloudsModule, DnsModule, SshModule, StacksModule],
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
  exports: [ServerSessions, ProviderTrust, CheckProvider],
})
export class ProvisionerServersModule {}
