import { builtInCatalogue, type Catalogue } from '@moorage/domain';
import type { ApiDeps, Feature } from '../feature';
import { ApiSettings } from '../settings';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
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
      { provide: CatalogueService, useValue: new CatalogueService(packages, catalogue) },
      { provide: ApiSettings, useValue: settings },
    ],
  };
}
