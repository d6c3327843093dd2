import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { ProvisionerServersModule } from '../servers/servers.module';
import { DecideLeak } from './decide-leak.use-case';
import { LeakOptions } from './leak-options';
import { FindLeaks } from './find-leaks.use-case';

/** Finds and removes our resources at providers that no deployment needs. */
@Module({
  imports: [CloudsModule, ProvisionerServersModule],
  providers: [
    {
      provide: LeakOptions,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): LeakOptions => ({
        setup: cloudSetupOf(settings),
        alertDollarsPerDay: settings.LEAK_ALERT_DOLLARS_PER_DAY,
      }),
    },
    FindLeaks,
    DecideLeak,
  ],
})
export class ProvisionerLeaksModule {}
