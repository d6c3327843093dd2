import 'reflect-metadata';
import { openService, type Operations, type Settings } from '@moorage/runtime';
import type { Log, Running } from '@moorage/server';
import { NestFactory } from '@nestjs/core';
import { ProvisionerModule } from './provisioner.module';

/** Starts the provisioner as a process of its own or as a part of the all-in-one. */
export async function startProvisioner(options: {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly operations?: Operations;
}): Promise<Running> {
  // It does not publish events of other services, because it logs in to customers' servers. api and billing publish its
  // events.
  const base = await openService({ service: 'provisioner', relays: false, ...options });
  try {
    const context = await NestFactory.createApplicationContext(ProvisionerModule.of(base), {
      logger: false,
      abortOnError: false,
    });
    return {
      async stop() {
        await context.close();
        await base.close();
      },
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}
