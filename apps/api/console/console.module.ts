import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { ConsoleController } from './console.controller';
import { SimulatedServers } from './simulated-servers.service';

@Module({
  imports: [CatalogueModule, DeploymentsModule],
  controllers: [ConsoleController],
  providers: [SimulatedServers],
})
export class ConsoleModule {}
