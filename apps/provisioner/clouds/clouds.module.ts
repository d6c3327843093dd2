import { ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { Dialer, DirectDialer } from '../ssh/types';
import { Clouds } from './cloud';
import { notConfiguredClouds } from './not-configured';
import { Sandbox } from './sandbox/sandbox';
import { SANDBOX_DEFAULTS, SandboxOptions } from './sandbox/sandbox-options';

/** The clouds, and the way to their servers: simulated in a sandbox, or those of the internet. */
@Module({
  providers: [
    { provide: SandboxOptions, useValue: SANDBOX_DEFAULTS },
    Sandbox,
    {
      provide: Clouds,
      inject: [ServiceBase, Sandbox],
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): Clouds =>
        settings.CLOUD_MODE === 'sandbox' ? sandbox.clouds : notConfiguredClouds(),
    },
    {
      provide: Dialer,
      inject: [ServiceBase, Sandbox],
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): Dialer =>
        settings.CLOUD_MODE === 'sandbox'
          ? { dial: (address, port) => sandbox.dial(address, port) }
          : new DirectDialer(),
    },
  ],
  exports: [Clouds, Dialer, Sandbox],
})
export class CloudsModule {}
