import type { DeploymentAnswer } from '@moorage/contracts';
import { useCatalogueNames } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';

/** Returns the display names of package and provider. All rows share the request. */
export function useNames({ package: name, cloud_provider: cloud }: DeploymentAnswer): {
  packageName: string;
  place: string;
} {
  const t = useText();
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  return {
    packageName: names.packageName(name),
    place: cloud === null ? t('users.deployments.byovps') : names.providerName(cloud),
  };
}
