import { type CatalogueNames, useCatalogueNames } from '../../data/catalogue';
import type { Deployment } from '../../data/deployments';

/** Loads the names of what a deployment consists of. */
export function useNamesOf(deployment: Pick<Deployment, 'cloud_provider'> | undefined): CatalogueNames {
  const cloud = deployment?.cloud_provider ?? null;
  return useCatalogueNames(cloud === null ? [] : [cloud]);
}
