import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups/backups.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ConsoleController } from './console.controller';
import { SimulatedServers } from './simulated-servers.service';

@Module({ imports: [BackupsModule, CatalogueModule], controllers: [ConsoleController], providers: [SimulatedServers] })
export class ConsoleModule {}
