import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { FurtherDomainsController } from './further-domains.controller';
import { FurtherDomains } from './further-domains.service';

/** Further domains of deployments. The provisioner checks them and sets up their redirects. */
@Module({
  imports: [CatalogueModule, DeploymentsModule],
  controllers: [FurtherDomainsController],
  providers: [FurtherDomains],
})
export class FurtherDomainsModule {}
