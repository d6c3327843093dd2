import { CoreModule, MessagingModule, type ServiceBase } from '@moorage/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { AccountModule } from './account/account.module';
import { AccountMailsModule } from './account-mails/account-mails.module';
import { DataExportsModule } from './account/data-exports.module';
import { AlertsModule } from './alerts/alerts.module';
import { ApiCoreModule } from './api-core.module';
import { AuthModule } from './auth/auth.module';
import { FurtherDomainsModule } from './further-domains/further-domains.module';
import { OwnerRecordsModule } from './owner-records/owner-records.module';
import { BackupBucketModule } from './backup-bucket/backup-bucket.module';
import { BackupDownloadsModule } from './backup-downloads/backup-downloads.module';
import { BackupsModule } from './backups/backups.module';
import { BillingDocumentsModule } from './billing-documents/billing-documents.module';
import { CatalogueModule } from './catalogue/catalogue.module';
import { CloudCallbacksModule } from './cloud-callbacks/cloud-callbacks.module';
import { ConsoleModule } from './console/console.module';
import { CreditsModule } from './credits/credits.module';
import { DeploymentsModule } from './deployments/deployments.module';
import { HealthModule } from './health/health.module';
import { HttpModule, type HttpOptions } from './http/http.module';
import { ImagesModule } from './images/images.module';
import { LeaksModule } from './leaks/leaks.module';
import { LiveModule } from './live/live.module';
import { LogsModule } from './logs/logs.module';
import { MailModule } from './mail/mail.module';
import { MovesModule } from './moves/moves.module';
import { UpdatesModule } from './updates/updates.module';
import { WatchModule } from './watch/watch.module';
import { OverviewModule } from './overview/overview.module';
import { PaymentsModule } from './payments/payments.module';
import { ProvidersModule } from './providers/providers.module';
import { QueuesModule } from './queues/queues.module';
import { ReferralsModule } from './referrals/referrals.module';
import { ServersModule } from './servers/servers.module';
import type { SealBoxes } from './seal-boxes';
import type { ApiSettings } from './settings';
import { SshKeysModule } from './ssh-keys/ssh-keys.module';
import { SupportModule } from './support/support.module';
import { UsersModule } from './users/users.module';
import { WalletModule } from './wallet/wallet.module';

const FEATURES = [
  AuthModule,
  UsersModule,
  AccountModule,
  DataExportsModule,
  WalletModule,
  BillingDocumentsModule,
  CreditsModule,
  ReferralsModule,
  LiveModule,
  CatalogueModule,
  ServersModule,
  DeploymentsModule,
  BackupDownloadsModule,
  BackupBucketModule,
  FurtherDomainsModule,
  OwnerRecordsModule,
  BackupsModule,
  SshKeysModule,
  LogsModule,
  MovesModule,
  UpdatesModule,
  ImagesModule,
  WatchModule,
  AccountMailsModule,
  CloudCallbacksModule,
  SupportModule,
  ConsoleModule,
  HealthModule,
  AlertsModule,
  OverviewModule,
  ProvidersModule,
  QueuesModule,
  LeaksModule,
];

/** The api's features, without schedule and messaging. A core module provides what they share. */
@Module({ imports: [DiscoveryModule, ...FEATURES] })
export class ApiModule {
  static of(settings: ApiSettings, options: HttpOptions = {}): DynamicModule {
    return {
      module: ApiModule,
      imports: [HttpModule.of(options), MailModule.of(settings), PaymentsModule.of(settings)],
    };
  }
}

/** The api as a service: its features, their schedule, and its handlers of events and work. */
@Module({ imports: [ScheduleModule.forRoot(), MessagingModule] })
export class ApiServiceModule {
  static of({
    base,
    settings,
    boxes,
    ...options
  }: { base: ServiceBase; settings: ApiSettings; boxes: SealBoxes } & HttpOptions): DynamicModule {
    return {
      module: ApiServiceModule,
      imports: [CoreModule.of(base), ApiCoreModule.of({ settings, boxes }), ApiModule.of(settings, options)],
    };
  }
}
