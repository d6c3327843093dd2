import { builtInCatalogue, Catalogue } from '@moorage/domain';
import { Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
import { Packages, readPackages } from './packages';

const packages = {
  provide: Packages,
  inject: [ApiSettings],
  useFactory: ({ packagesFolder, mode }: ApiSettings): Packages =>
    readPackages({ folder: packagesFolder, production: mode === 'production' }),
};

const catalogue = {
  provide: Catalogue,
  inject: [ApiSettings],
  useFactory: ({ clouds: { offered } }: ApiSettings): Catalogue =>
    builtInCatalogue(offered === null ? {} : { only: offered }),
};

@Module({
  controllers: [CatalogueController],
  providers: [CatalogueService, packages, catalogue],
  exports: [Packages, Catalogue],
})
export class CatalogueModule {}
