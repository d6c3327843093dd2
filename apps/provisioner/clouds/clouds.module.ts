import { join } from 'node:path';
import { hasSandbox, providerMode } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Clock, Db, Log, Random, Secrets } from '@moorage/server';
import { Module } from '@nestjs/common';
import { FolderCopies, SimulatedCopies } from './sandbox/simulated-copies';
import { Dialer, DirectDialer } from '../ssh/types';
import { CatalogueRefresh } from './catalogue-refresh.service';
import { type Cloud, Clouds, cloudsOf } from './cloud';
import { currentCloud } from './current-cloud';
import { notConfiguredCloud } from './not-configured';
import { Sandbox } from './sandbox/sandbox';
import { SANDBOX_DEFAULTS, SandboxOptions } from './sandbox/sandbox-options';

/** The clouds, each live, simulated or off, and the connection to their servers. */
@Module({
  providers: [
    {
      provide: SimulatedCopies,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): SimulatedCopies => new FolderCopies(join(settings.DATA_DIR, 'backups')),
    },
    {
      provide: SandboxOptions,
      inject: [SimulatedCopies],
      useFactory: (copies: SimulatedCopies): SandboxOptions => ({ ...SANDBOX_DEFAULTS, copies }),
    },
    Sandbox,
    {
      provide: Clouds,
      inject: [ServiceBase, Sandbox, Random, Clock, Db, Log, Secrets],
      useFactory: (
        { settings }: ServiceBase,
        sandbox: Sandbox,
        random: Random,
        clock: Clock,
        db: Db,
        log: Log,
        secrets: Secrets,
      ): Clouds => {
        const setup = cloudSetupOf(settings);
        return cloudsOf((name): Cloud => {
          const mode = providerMode(setup, name);
          if (mode === 'simulated') return sandbox.clouds.of(name);
          if (mode === 'off') return notConfiguredCloud(name, 'is off in this installation');
          return currentCloud(name, { settings, secrets, random, clock, db, log });
        });
      },
    },
    {
      provide: Dialer,
      inject: [ServiceBase, Sandbox],
      // The sandbox redirects only its own addresses to itself.
      useFactory: ({ settings }: ServiceBase, sandbox: Sandbox): Dialer =>
        hasSandbox(cloudSetupOf(settings))
          ? { dial: (address, port) => sandbox.dial(address, port) }
          : new DirectDialer(),
    },
    CatalogueRefresh,
  ],
  exports: [CatalogueRefresh, Clouds, Dialer, Sandbox, SimulatedCopies],
})
export class CloudsModule {}
