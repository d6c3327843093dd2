import { Deployments } from '@moorage/database';
import { Money } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { CoreModule, MessagingModule, type ServiceBase, type Settings } from '@moorage/runtime';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { join } from 'node:path';
import { AuditModule } from './audit/audit.module';
import { BILLING_DEFAULTS, BillingOptions } from './billing-options';
import { BillingSchedule } from './billing.schedule';
import { BillingService } from './billing.service';
import { ChargingModule } from './charging/charging.module';
import { ForecastModule } from './forecast/forecast.module';
import { BillingMovesModule } from './moves/moves.module';
import { OperationsGauges } from './operations-gauges.service';
import { ProofModule } from './proof/proof.module';
import { SealFolder } from './proof/seal-files';
import { SettlingEvents } from './settling/settling.events';
import { SettlingModule } from './settling/settling.module';
import { WatchModule } from './watch/watch.module';

/** Providers shared by billing's modules, in addition to the core. */
@Global()
@Module({})
export class BillingCoreModule {
  static of(settings: Settings): DynamicModule {
    const options: BillingOptions = {
      ...BILLING_DEFAULTS,
      invariants: INVARIANTS,
      sealFiles: new SealFolder(join(settings.DATA_DIR, 'seals')),
    };
    return {
      module: BillingCoreModule,
      providers: [
        { provide: BillingOptions, useValue: options },
        {
          provide: Ledger,
          inject: [Deployments, Outbox],
          useFactory: (deployments: Deployments, outbox: Outbox) =>
            new Ledger({
              deployments,
              outbox,
              actor: 'billing',
              gracePeriodMinutes: settings.GRACE_PERIOD_MINUTES,
              creditOnlyMaxHourly: Money.of(settings.CREDIT_ONLY_MAX_HOURLY),
            }),
        },
      ],
      exports: [BillingOptions, Ledger],
    };
  }
}

const FEATURES = [
  SettlingModule,
  ChargingModule,
  ForecastModule,
  AuditModule,
  ProofModule,
  WatchModule,
  BillingMovesModule,
];

/** Billing's jobs without schedule and events, for operators' commands. */
@Module({ imports: FEATURES, providers: [BillingService], exports: [BillingService] })
export class BillingJobsModule {
  static of(base: ServiceBase): DynamicModule {
    return { module: BillingJobsModule, imports: [CoreModule.of(base), BillingCoreModule.of(base.settings)] };
  }
}

/** Billing as a service, with its scheduled jobs and event handlers. */
@Module({
  imports: [ScheduleModule.forRoot(), MessagingModule],
  providers: [BillingSchedule, SettlingEvents, OperationsGauges],
})
export class BillingModule {
  static of(base: ServiceBase): DynamicModule {
    return { module: BillingModule, imports: [BillingJobsModule.of(base)] };
  }
}
