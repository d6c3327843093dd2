import { Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
import { Catalogues } from './catalogues.service';
import { PackageManifests, readPackages } from './packages';
import { ReleaseOffers } from './release-offers.service';

const packages = {
  provide: PackageManifests,
  inject: [ApiSettings],
  useFactory: ({ packagesFolder, mode }: ApiSettings): PackageManifests =>
    readPackages({ folder: packagesFolder, production: mode === 'production' }),
};

@Module({
  controllers: [CatalogueController],
  providers: [CatalogueService, Catalogues, ReleaseOffers, packages],
  exports: [PackageManifests, Catalogues, ReleaseOffers],
})
export class CatalogueModule {}
