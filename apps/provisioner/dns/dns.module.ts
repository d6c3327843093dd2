import { hasSandbox } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { Sandbox } from '../clouds/sandbox/sandbox';
import { StacksModule } from '../stacks/stacks.module';
import { SystemResolverClient } from './dns-resolver-client';
import { DnsChecks } from './dns-checks.service';
import { DnsOptions } from './dns-options';
import { ResolverDnsCheck } from './resolver-dns-check.service';
import { DnsCheck } from './types';

/** Authority that CAA records must allow, unless another authority issues. */
const CAA_AUTHORITY = 'letsencrypt.org';

@Module({
  imports: [CloudsModule, StacksModule],
  providers: [
    {
      provide: DnsOptions,
      inject: [ServiceBase, Sandbox],
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): DnsOptions => ({
        resolvers: settings.DNS_RESOLVERS ?? null,
        authority: settings.CERTIFICATE_CA_FILE === undefined ? CAA_AUTHORITY : null,
        sandbox: hasSandbox(cloudSetupOf(settings))
          ? async (host) => ({ a: await sandbox.names.resolve(host), aaaa: [] })
          : null,
        newClient: () => new SystemResolverClient(),
      }),
    },
    { provide: DnsCheck, useClass: ResolverDnsCheck },
    DnsChecks,
  ],
  exports: [DnsChecks],
})
export class DnsModule {}
