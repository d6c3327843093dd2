import 'reflect-metadata';
import { Money } from '@moorage/domain';
import { createLedger, INVARIANTS } from '@moorage/ledger';
import { openService, type Settings } from '@moorage/runtime';
import type { Log, Running } from '@moorage/server';
import { NestFactory } from '@nestjs/core';
import { type Billing, createBilling } from './billing';
import { join } from 'node:path';
import { BillingModule } from './billing.module';
import { createSealFiles } from './proof/seal-files';

export interface BillingOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly relays?: boolean;
}

/** Billing on its service base, without its clocks: what the process runs and an operator's command calls. */
export async function openBilling({ settings, databaseUrl, log, relays = true }: BillingOptions) {
  const base = await openService({ service: 'billing', settings, databaseUrl, log, relays });
  const { db, clock, log: told, outbox, deployments } = base;
  const ledger = createLedger({
    deployments,
    outbox,
    actor: 'billing',
    holdMinutes: settings.DEPLETION_HOLD_MINUTES,
    creditOnlyMaxHourly: Money.of(settings.CREDIT_ONLY_MAX_HOURLY),
  });
  const billing: Billing = createBilling({
    db,
    clock,
    log: told,
    ledger,
    invariants: INVARIANTS,
    sealFiles: createSealFiles(join(settings.DATA_DIR, 'seals')),
  });
  return { base, billing };
}

/** Billing as a process, or as a part of the all-in-one: events, and the clocks of @nestjs/schedule. */
export async function startBilling(options: BillingOptions): Promise<Running> {
  const { base, billing } = await openBilling(options);
  try {
    await base.startMessaging({ handlers: billing.handlers, work: {} });
    const clocks = await NestFactory.createApplicationContext(BillingModule.of({ billing, log: base.log }), {
      logger: false,
    });
    return {
      async stop() {
        await clocks.close();
        await base.close();
      },
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}
