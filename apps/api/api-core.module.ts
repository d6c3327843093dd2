import { Deployments } from '@moorage/database';
import { Money } from '@moorage/domain';
import { createLedger, Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Clock, createSecrets, SealBox, Secrets } from '@moorage/server';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Idempotency } from './http/idempotency';
import { RateLimiter } from './http/rate-limiter';
import { Mails } from './mail/mails';
import { SealedLinks } from './mail/sealed-links';
import { ApiSettings } from './settings';

const SHARED = [RateLimiter, Idempotency, Mails, SealedLinks];
const GIVEN = [ApiSettings, SealBox, Secrets, Ledger];

/** What the api's features share beside the core of every service. */
@Global()
@Module({ providers: SHARED, exports: SHARED })
export class ApiCoreModule {
  static of({ settings, box }: { settings: ApiSettings; box: SealBox }): DynamicModule {
    return {
      module: ApiCoreModule,
      providers: [
        { provide: ApiSettings, useValue: settings },
        { provide: SealBox, useValue: box },
        { provide: Secrets, inject: [Clock], useFactory: (clock: Clock) => createSecrets({ box, clock }) },
        {
          provide: Ledger,
          inject: [Deployments, Outbox],
          useFactory: (deployments: Deployments, outbox: Outbox) =>
            createLedger({
              deployments,
              outbox,
              actor: 'api',
              holdMinutes: settings.holdMinutes,
              creditOnlyMaxHourly: Money.of(settings.creditOnlyMaxHourly),
            }),
        },
      ],
      exports: GIVEN,
    };
  }

  /** Of what a test or a simulation has put together. */
  static ofParts({ settings, box, secrets, ledger }: ApiCoreParts): DynamicModule {
    return {
      module: ApiCoreModule,
      providers: [
        { provide: ApiSettings, useValue: settings },
        { provide: SealBox, useValue: box },
        { provide: Secrets, useValue: secrets },
        { provide: Ledger, useValue: ledger },
      ],
      exports: GIVEN,
    };
  }
}

export interface ApiCoreParts {
  readonly settings: ApiSettings;
  readonly box: SealBox;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
}
