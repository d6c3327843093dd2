import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ChangeProviders } from './change-providers.use-case';
import { ProvidersController } from './providers.controller';
import { ReadProviders } from './read-providers.use-case';

/** Cloud providers for administrators. The provisioner communicates with them. */
@Module({ imports: [CatalogueModule], controllers: [ProvidersController], providers: [ReadProviders, ChangeProviders] })
export class ProvidersModule {}
