import { readFile } from 'node:fs/promises';
import { hasSandbox } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { Sandbox } from '../clouds/sandbox/sandbox';
import { CertificateOptions } from './certificate-options';
import { TlsCertificateCheck } from './tls-certificate-check';
import { CertificateCheck } from './types';

@Module({
  imports: [CloudsModule],
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
  ],
  exports: [CertificateCheck],
})
export class CertificatesModule {}
