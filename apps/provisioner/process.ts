import 'reflect-metadata';
import { openService, type Operations, type Settings } from '@moorage/runtime';
import type { Log, Running } from '@moorage/server';
import { NestFactory } from '@nestjs/core';
import { ProvisionerModule } from './provisioner.module';

/** The provisioner as a process, or as a part of the all-in-one. */
export async function startProvisioner(options: {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly operations?: Operations;
}): Promise<Running> {
  // it logs in to customers' servers, so it may not publish for the others: api and billing publish for it
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
