import type { CloudProviderAnswer, InstanceTypeAnswer, RegionAnswer } from '@moorage/contracts';
import { useInstanceTypes, useProviders, useRegions } from '../../data/catalogue';
import { unfitIn } from '../../parts/order/size-fit';
import { useIsExpress } from '../../parts/order/step-address';
import { useWizard } from './wizard-context';

interface Chosen {
  readonly package: string | null;
  readonly provider: CloudProviderAnswer | null;
  readonly region: RegionAnswer | null;
  readonly size: (InstanceTypeAnswer & { readonly unfit: boolean }) | null;
}

/**
 * Returns the catalogue's entries of the choices, or null until they have loaded. The express order, which offers no
 * list, takes them from the answer with the price.
 */
export function useChosen(): Chosen {
  const {
    config,
    shownPrice,
    wizard: { draft },
  } = useWizard();
  const isExpress = useIsExpress();
  const provider = isExpress ? null : draft.cloud_provider;
  const providers = useProviders(draft.package, { enabled: !isExpress && draft.package !== null }).data;
  const regions = useRegions(provider, draft.package).data;
  const sizes = useInstanceTypes(provider, draft.region, draft.package).data;
  const priced = isExpress ? (shownPrice?.server ?? null) : null;
  const size = priced?.size ?? sizes?.find(({ name }) => name === draft.instance_type) ?? null;
  return {
    package: config?.display_name ?? draft.package,
    provider: priced?.provider ?? providers?.find(({ name }) => name === draft.cloud_provider) ?? null,
    region: priced?.region ?? regions?.find(({ name }) => name === draft.region) ?? null,
    size: size === null ? null : { ...size, unfit: unfitIn(size, config) !== null },
  };
}
