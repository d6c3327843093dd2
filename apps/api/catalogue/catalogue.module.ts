import { Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
import { Catalogues } from './catalogues';
import { Packages, readPackages } from './packages';

const packages = {
  provide: Packages,
  inject: [ApiSettings],
  useFactory: ({ packagesFolder, mode }: ApiSettings): Packages =>
    readPackages({ folder: packagesFolder, production: mode === 'production' }),
};

@Module({
  controllers: [CatalogueController],
  providers: [CatalogueService, Catalogues, packages],
  exports: [Packages, Catalogues],
})
export class CatalogueModule {}
