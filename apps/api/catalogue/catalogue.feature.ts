import { builtInCatalogue, type Catalogue } from '@moorage/domain';
import type { ApiDeps, Feature } from '../feature';
import { CATALOGUE_SERVICE, CatalogueController, CLOUD_MODE } from './catalogue.controller';
import { createCatalogueService } from './catalogue.service';
import { type Packages, readPackages } from './packages';

/** What can be ordered: packages from their folders, places and sizes from the catalogue. Other features order by it. */
export function createCatalogueFeature({
  settings,
}: Pick<ApiDeps, 'settings'>): Feature & { readonly packages: Packages; readonly catalogue: Catalogue } {
  const packages = readPackages({ folder: settings.packagesFolder, production: settings.mode === 'production' });
  const catalogue = builtInCatalogue(settings.clouds.offered === null ? {} : { only: settings.clouds.offered });
  return {
    packages,
    catalogue,
    controllers: [CatalogueController],
    providers: [
      { provide: CATALOGUE_SERVICE, useValue: createCatalogueService({ packages, catalogue }) },
      { provide: CLOUD_MODE, useValue: settings.clouds.mode },
    ],
  };
}
