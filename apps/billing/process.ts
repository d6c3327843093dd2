import 'reflect-metadata';
import { openService, type Operations, type ServiceBase, type Settings } from '@moorage/runtime';
import type { Log, Running } from '@moorage/server';
import { NestFactory } from '@nestjs/core';
import { BillingJobsModule, BillingModule } from './billing.module';
import { BillingService } from './billing.service';

export interface BillingProcess {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly relays?: boolean;
  readonly operations?: Operations;
}

const openBase = ({ relays = true, ...options }: BillingProcess): Promise<ServiceBase> =>
  openService({ service: 'billing', relays, ...options });

/** Runs billing's jobs for an operator's command, without schedule and event handlers. */
export async function withBilling<T>(
  options: BillingProcess,
  run: (billing: BillingService, base: ServiceBase) => Promise<T>,
): Promise<T> {
  const base = await openBase(options);
  try {
    const context = await NestFactory.createApplicationContext(BillingJobsModule.of(base), NEST);
    try {
      return await run(context.get(BillingService), base);
    } finally {
      await context.close();
    }
  } finally {
    await base.close();
  }
}

/** Starts billing as a process, or as part of the all-in-one. */
export async function startBilling(options: BillingProcess): Promise<Running> {
  const base = await openBase(options);
  try {
    const context = await NestFactory.createApplicationContext(BillingModule.of(base), NEST);
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

const NEST = { logger: false, abortOnError: false } as const;
