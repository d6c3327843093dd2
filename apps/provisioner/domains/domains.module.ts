import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module';
import { DnsModule } from '../dns/dns.module';
import { ProvisionerServersModule } from '../servers/servers.module';
import { StacksModule } from '../stacks/stacks.module';
import { ApplyDomains } from './apply-domains.use-case';

/** Redirects of further domains, with their DNS records and certificates. */
@Module({
  imports: [CertificatesModule, DnsModule, ProvisionerServersModule, StacksModule],
  providers: [ApplyDomains],
})
export class ProvisionerDomainsModule {}
