import { CLOUD_CALLBACKS_PATH, SHARED_SECRETS } from '@moorage/contracts';
import { providerMode, simulatedOwnServers } from '@moorage/domain';
import { cloudSetupOf, CoreModule, MessagingModule, sealKeys, ServiceBase } from '@moorage/runtime';
import { Clock, SealBox, Secrets, Random } from '@moorage/server';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { ProvisionerBackupsModule } from './backups/backups.module';
import { CallbacksModule } from './callbacks/callbacks.module';
import { CloudsModule } from './clouds/clouds.module';
import { ProvisionerDomainsModule } from './domains/domains.module';
import { ProvisionerLeaksModule } from './leaks/leaks.module';
import { ProvisionerLogsModule } from './logs/logs.module';
import { PlatformDnsModule } from './platform-dns/platform-dns.module';
import { ProvisionerOptions } from './provisioner-options';
import { ProvisionerSchedule } from './provisioner.schedule';
import { LifecycleModule } from './lifecycle/lifecycle.module';
import { ProvisionerServersModule } from './servers/servers.module';
import { WatchModule } from './watch/watch.module';
import { INTERVALS, Intervals, RunTimeouts, runTimeouts } from './runs/step-timeouts';

/** Requires https, because the call of a new server carries a token. */
const callbacksUrl = (publicUrl: string | undefined): string | null =>
  publicUrl?.startsWith('https:') === true ? new URL(`/api${CLOUD_CALLBACKS_PATH}`, publicUrl).href : null;

/** Providers shared by the provisioner's modules, in addition to the core. */
@Global()
@Module({
  providers: [
    {
      provide: ProvisionerOptions,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): ProvisionerOptions => ({
        vpsAllowedCidrs: [...simulatedOwnServers(cloudSetupOf(settings)), ...(settings.VPS_ALLOWED_CIDRS ?? [])],
        vpsSshPort: settings.VPS_SSH_PORT,
        callbacksUrl: callbacksUrl(settings.PUBLIC_URL),
        acmeDirectoryUrl: settings.ACME_DIRECTORY_URL,
        traefikPlugins: settings.TRAEFIK_PLUGINS,
        dockerMinimum: settings.LAB_DOCKER_MINIMUM,
        isLive: (provider) => providerMode(cloudSetupOf(settings), provider) === 'live',
      }),
    },
    {
      provide: RunTimeouts,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): RunTimeouts => runTimeouts(cloudSetupOf(settings)),
    },
    { provide: Intervals, useValue: INTERVALS },
    {
      provide: SealBox,
      inject: [ServiceBase, Random],
      useFactory: async ({ settings }: ServiceBase, random: Random) =>
        new SealBox({ keys: await sealKeys(settings, random), random }),
    },
    {
      provide: Secrets,
      inject: [SealBox, Clock],
      useFactory: (box: SealBox, clock: Clock) => new Secrets({ box, clock, kinds: SHARED_SECRETS }),
    },
  ],
  exports: [ProvisionerOptions, RunTimeouts, Intervals, Secrets],
})
export class ProvisionerCoreModule {}

/**
 * The provisioner as a service, with runs and reconciliations as work, event handlers, and the scheduled recovery
 * sweep.
 */
@Module({
  imports: [
    ScheduleModule.forRoot(),
    MessagingModule,
    ProvisionerCoreModule,
    CloudsModule,
    LifecycleModule,
    ProvisionerServersModule,
    WatchModule,
    ProvisionerBackupsModule,
    ProvisionerDomainsModule,
    CallbacksModule,
    ProvisionerLeaksModule,
    ProvisionerLogsModule,
    PlatformDnsModule,
  ],
  providers: [ProvisionerSchedule],
})
export class ProvisionerModule {
  static of(base: ServiceBase): DynamicModule {
    return { module: ProvisionerModule, imports: [CoreModule.of(base)] };
  }
}
