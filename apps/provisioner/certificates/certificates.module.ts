import { readFile } from 'node:fs/promises';
import { hasSandbox } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { Sandbox } from '../clouds/sandbox/sandbox';
import { StacksModule } from '../stacks/stacks.module';
import { CertificateChecks } from './certificate-checks.service';
import { CertificateOptions } from './certificate-options';
import { TlsCertificateCheck } from './tls-certificate-check.service';
import { CertificateCheck } from './types';

@Module({
  imports: [CloudsModule, StacksModule],
  providers: [
    {
      provide: CertificateOptions,
      inject: [ServiceBase, Sandbox],
      useFactory: async ({ settings }: ServiceBase, sandbox: Sandbox): Promise<CertificateOptions> => ({
        trustAnchors:
          settings.CERTIFICATE_CA_FILE === undefined ? null : await readFile(settings.CERTIFICATE_CA_FILE, 'utf8'),
        sandboxAnchors: hasSandbox(cloudSetupOf(settings)) ? () => sandbox.authority.certificate() : null,
      }),
    },
    { provide: CertificateCheck, useClass: TlsCertificateCheck },
    CertificateChecks,
  ],
  exports: [CertificateCheck, CertificateChecks],
})
export class CertificatesModule {}
