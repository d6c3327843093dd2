import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { ApiSettings } from '../settings';
import { Module } from '@nestjs/common';
import { CreateRecords } from './create-records.use-case';
import { DnsAccounts } from './dns-accounts';
import { OwnerRecordsController } from './owner-records.controller';
import { ReadDnsProvider } from './read-dns-provider.use-case';
import { WantedRecords } from './wanted-records.service';
import { ZoneRequests, zoneRequests } from './zone-requests';

/** DNS records of customers' own domains, created at their providers. */
@Module({
  imports: [CatalogueModule, DeploymentsModule],
  controllers: [OwnerRecordsController],
  providers: [
    CreateRecords,
    DnsAccounts,
    ReadDnsProvider,
    WantedRecords,
    { provide: ZoneRequests, inject: [ApiSettings], useFactory: zoneRequests },
  ],
})
export class OwnerRecordsModule {}
