import { Alerts, Deployments } from '@moorage/database';
import { PgNotify, Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Log, Random } from '@moorage/server';
import {
  type Abstract,
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { type Handlers, handlersOf } from './handlers';
import { Metrics } from './metrics';
import { ScheduledTasks } from './scheduled-tasks';
import { ServiceBase } from './service';
import { TRANSPORTS_ON_POSTGRESQL, TransportState } from './transports';

/**
 * Starts the messaging of events and work once all modules are built, with the handlers that their providers declare.
 */
@Injectable()
export class ServiceMessaging implements OnApplicationBootstrap {
  constructor(
    private readonly base: ServiceBase,
    private readonly discovery: DiscoveryService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.base.startMessaging(handlersIn(this.discovery));
  }
}

/** Collects the handlers that the providers of an application declare. */
export function handlersIn(discovery: DiscoveryService): Handlers {
  const instances = discovery.getProviders().map((provider) => provider.instance as unknown);
  // A provider that is an alias of another is the same object.
  return handlersOf([...new Set(instances)].filter((one) => typeof one === 'object' && one !== null));
}

/** Parts of the service base that its modules can inject. */
export type CoreParts = Pick<
  ServiceBase,
  'db' | 'clock' | 'random' | 'log' | 'pgNotify' | 'outbox' | 'work' | 'deployments'
> &
  Partial<Pick<ServiceBase, 'transports' | 'metrics'>>;

/**
 * Provides what every module of a service can inject, which is its database, time, randomness, log, outbox, work and
 * alerts.
 */
@Global()
@Module({})
export class CoreModule {
  static of(base: ServiceBase): DynamicModule {
    return coreOf([{ provide: ServiceBase, useValue: base }, ...valuesOf(base)]);
  }

  /** Provides the parts that a test or simulation has assembled, without messaging. */
  static ofParts(parts: CoreParts): DynamicModule {
    return coreOf(valuesOf(parts));
  }
}

interface Value {
  readonly provide: Abstract<unknown>;
  readonly useValue: unknown;
}

function valuesOf({
  db,
  clock,
  random,
  log,
  pgNotify,
  outbox,
  work,
  deployments,
  transports = TRANSPORTS_ON_POSTGRESQL,
  metrics = new Metrics(),
}: CoreParts): Value[] {
  return [
    { provide: Db, useValue: db },
    { provide: Clock, useValue: clock },
    { provide: Random, useValue: random },
    { provide: Log, useValue: log },
    { provide: PgNotify, useValue: pgNotify },
    { provide: Outbox, useValue: outbox },
    { provide: WorkSchedule, useValue: work },
    { provide: Deployments, useValue: deployments },
    { provide: TransportState, useValue: transports },
    { provide: Metrics, useValue: metrics },
  ];
}

const ALERTS = {
  provide: Alerts,
  inject: [Clock, Log],
  useFactory: (clock: Clock, log: Log): Alerts => new Alerts({ clock, log }),
};

function coreOf(values: readonly Value[]): DynamicModule {
  return {
    module: CoreModule,
    providers: [...values, ALERTS, ScheduledTasks],
    exports: [...values.map(({ provide }) => provide), Alerts, ScheduledTasks],
  };
}

/** Adds messaging of events and work to a running service. */
@Module({ imports: [DiscoveryModule], providers: [ServiceMessaging] })
export class MessagingModule {}
