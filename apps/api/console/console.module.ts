import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ConsoleController } from './console.controller';
import { SimulatedServers } from './simulated-servers.service';

@Module({
  imports: [BackupPolicyModule, CatalogueModule],
  controllers: [ConsoleController],
  providers: [SimulatedServers],
})
export class ConsoleModule {}
