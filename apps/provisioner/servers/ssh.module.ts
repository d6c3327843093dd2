import { ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { PATIENCE } from '../ssh/connection';
import { HostScripts, readHostScripts } from '../ssh/scripts';
import { SshClient } from '../ssh/ssh-client.service';
import { SshOptions } from '../ssh/ssh-options';
import { Ssh } from '../ssh/types';

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
