import { hasSandbox, providerMode } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { Dialer, DirectDialer } from '../ssh/types';
import { CatalogueRefresh } from './catalogue-refresh';
import { type Cloud, Clouds, cloudsOf } from './cloud';
import { notConfiguredCloud } from './not-configured';
import { Sandbox } from './sandbox/sandbox';
import { SANDBOX_DEFAULTS, SandboxOptions } from './sandbox/sandbox-options';

/** The clouds, each live, simulated or off, and the way to their servers. */
@Module({
  providers: [
    { provide: SandboxOptions, useValue: SANDBOX_DEFAULTS },
    Sandbox,
    {
      provide: Clouds,
      inject: [ServiceBase, Sandbox],
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): Clouds => {
        const setup = cloudSetupOf(settings);
        return cloudsOf((name): Cloud => {
          const mode = providerMode(setup, name);
          if (mode === 'simulated') return sandbox.clouds.of(name);
          return notConfiguredCloud(name, mode === 'off' ? 'is off here' : 'has no credentials here');
        });
      },
    },
    {
      provide: Dialer,
      inject: [ServiceBase, Sandbox],
      // the sandbox leads only its own addresses to itself
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): Dialer =>
        hasSandbox(cloudSetupOf(settings))
          ? { dial: (address, port) => sandbox.dial(address, port) }
          : new DirectDialer(),
    },
    CatalogueRefresh,
  ],
  exports: [CatalogueRefresh, Clouds, Dialer, Sandbox],
})
export class CloudsModule {}
