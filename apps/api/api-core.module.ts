import { ACCOUNT_SECRETS, SHARED_SECRETS } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { AccountSecrets, Clock, Secrets, SealBox } from '@moorage/server';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Idempotency } from './http/idempotency.service';
import { RateLimiter } from './http/rate-limiter.service';
import { Mails } from './mail/mails.service';
import { SealedLinks } from './mail/sealed-links';
import { SecurityMails } from './mail/security-mails.service';
import type { SealBoxes } from './seal-boxes';
import { ApiSettings } from './settings';

const SHARED = [RateLimiter, Idempotency, Mails, SecurityMails];
const GIVEN = [ApiSettings, SealBox, SealedLinks, Secrets, AccountSecrets, Ledger];

/** Providers shared by the api's features, in addition to the core of every service. */
@Global()
@Module({ providers: SHARED, exports: SHARED })
export class ApiCoreModule {
  static of({ settings, boxes }: { settings: ApiSettings; boxes: SealBoxes }): DynamicModule {
    return {
      module: ApiCoreModule,
      providers: [
        { provide: ApiSettings, useValue: settings },
        { provide: SealBox, useValue: boxes.account },
        { provide: SealedLinks, useValue: new SealedLinks(boxes.links) },
        {
          provide: Secrets,
          inject: [Clock],
          useFactory: (clock: Clock) => new Secrets({ box: boxes.shared, clock, kinds: SHARED_SECRETS }),
        },
        {
          provide: AccountSecrets,
          inject: [Clock],
          useFactory: (clock: Clock) => new AccountSecrets({ box: boxes.account, clock, kinds: ACCOUNT_SECRETS }),
        },
        {
          provide: Ledger,
          inject: [Deployments, Outbox],
          useFactory: (deployments: Deployments, outbox: Outbox) =>
            new Ledger({
              deployments,
              outbox,
              actor: 'api',
              gracePeriodMinutes: settings.gracePeriodMinutes,
              creditOnlyMaxHourly: Money.of(settings.creditOnlyMaxHourly),
            }),
        },
      ],
      exports: GIVEN,
    };
  }

  /** Creates the module from the parts of a test or a simulation. */
  static ofParts({ settings, box, secrets, accountSecrets, ledger }: ApiCoreParts): DynamicModule {
    return {
      module: ApiCoreModule,
      providers: [
        { provide: ApiSettings, useValue: settings },
        { provide: SealBox, useValue: box },
        { provide: SealedLinks, useValue: new SealedLinks(box) },
        { provide: Secrets, useValue: secrets },
        { provide: AccountSecrets, useValue: accountSecrets },
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
  readonly accountSecrets: AccountSecrets;
  readonly ledger: Ledger;
}
