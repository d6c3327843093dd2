import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ServersController } from './servers.controller';
import { ServersService } from './servers.service';
import { UserKeys } from './user-keys.service';
import { VpsChecks } from './vps-checks.service';

/** Servers of deployments, and access to customers' own servers. */
@Module({
  imports: [CatalogueModule],
  controllers: [ServersController],
  providers: [ServersService, VpsChecks, UserKeys],
})
export class ServersModule {}
