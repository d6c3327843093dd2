import 'reflect-metadata';
import { openService, type Operations, type Settings } from '@moorage/runtime';
import type { Log, Running } from '@moorage/server';
import { NestFactory } from '@nestjs/core';
import { ProvisionerModule } from './provisioner.module';

/** The provisioner as a process, or as a part of the all-in-one. */
export async function startProvisioner({
  relays = true,
  ...options
}: {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly relays?: boolean;
  readonly operations?: Operations;
}): Promise<Running> {
  const base = await openService({ service: 'provisioner', relays, ...options });
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
