import { Deployments } from '@moorage/database';
import { Notices, Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Log, Random } from '@moorage/server';
import { type DynamicModule, Global, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { handlersOf } from './handlers';
import { ScheduledTasks } from './scheduled-tasks';
import { ServiceBase } from './service';

/** Starts the exchange of events and work once all modules are built, with the handlers that their providers mark. */
@Injectable()
export class ServiceMessaging implements OnApplicationBootstrap {
  constructor(
    private readonly base: ServiceBase,
    private readonly discovery: DiscoveryService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const instances = this.discovery.getProviders().map((provider) => provider.instance as unknown);
    await this.base.startMessaging(handlersOf(instances.filter((one) => typeof one === 'object' && one !== null)));
  }
}

/** What every module of a service may inject: its database, time, randomness, log, outbox and work. */
@Global()
@Module({})
export class CoreModule {
  static of(base: ServiceBase): DynamicModule {
    const values = [
      { provide: ServiceBase, useValue: base },
      { provide: Db, useValue: base.db },
      { provide: Clock, useValue: base.clock },
      { provide: Random, useValue: base.random },
      { provide: Log, useValue: base.log },
      { provide: Notices, useValue: base.notices },
      { provide: Outbox, useValue: base.outbox },
      { provide: WorkSchedule, useValue: base.work },
      { provide: Deployments, useValue: base.deployments },
    ];
    return {
      module: CoreModule,
      providers: [...values, ScheduledTasks],
      exports: [...values.map(({ provide }) => provide), ScheduledTasks],
    };
  }
}

/** The core of a service that runs: with it the service takes part in the exchange of events and work. */
@Module({ imports: [DiscoveryModule], providers: [ServiceMessaging] })
export class MessagingModule {}
