import { ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { PATIENCE } from './connection';
import { HostScripts, readHostScripts } from './scripts';
import { SshClient } from './ssh-client.service';
import { SshOptions } from './ssh-options';
import { Ssh } from './types';

@Module({
  imports: [CloudsModule],
  providers: [
    { provide: SshOptions, useValue: { patience: PATIENCE } satisfies SshOptions },
    {
      provide: HostScripts,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase) => readHostScripts(settings.HOST_SCRIPTS_DIR),
    },
    { provide: Ssh, useClass: SshClient },
  ],
  exports: [Ssh],
})
export class SshModule {}
