import type { InstanceTypeAnswer, RegionAnswer } from '@moorage/contracts';
import { useInstanceTypes, useProviders, useRegions } from '../../data/catalogue';
import { unfitIn } from '../../parts/order/size-fit';
import { useWizard } from './wizard-context';

interface Chosen {
  readonly package: string | null;
  readonly provider: string | null;
  readonly region: RegionAnswer | null;
  readonly size: (InstanceTypeAnswer & { readonly unfit: boolean }) | null;
}

/** Returns the display names of the choices. Falls back to keys until the catalogue has loaded. */
export function useChosen(): Chosen {
  const {
    config,
    wizard: { draft },
  } = useWizard();
  const providers = useProviders(draft.package, { enabled: draft.package !== null }).data;
  const regions = useRegions(draft.cloud_provider, draft.package).data;
  const sizes = useInstanceTypes(draft.cloud_provider, draft.region, draft.package).data;
  const size = sizes?.find(({ name }) => name === draft.instance_type) ?? null;
  return {
    package: config?.display_name ?? draft.package,
    provider: providers?.find(({ name }) => name === draft.cloud_provider)?.display_name ?? draft.cloud_provider,
    region: regions?.find(({ name }) => name === draft.region) ?? null,
    size: size === null ? null : { ...size, unfit: unfitIn(size, config) !== null },
  };
}
