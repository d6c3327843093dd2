import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ConsoleController } from './console.controller';
import { SimulatedServers } from './simulated-servers';

@Module({ imports: [CatalogueModule], controllers: [ConsoleController], providers: [SimulatedServers] })
export class ConsoleModule {}
