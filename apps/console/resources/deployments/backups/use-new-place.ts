import type {
  CloudProviderAnswer,
  DeployCopy,
  InstanceTypeAnswer,
  PackageConfigAnswer,
  Price,
  RegionAnswer,
} from '@moorage/contracts';
import type { Message, SupportLevel } from '@moorage/domain';
import { useState } from 'react';
import { useInstanceTypes, usePackageConfig, usePrice, useProviders, useRegions } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { unfitIn } from '../../../parts/order/size-fit';
import type { VpsCheckState } from '../../../parts/order/draft-storage';
import { tidyDomain } from '../../../parts/order/domain-name';
import { priceQuestionOf } from '../../../parts/order/price-question';
import { isOver } from '../../../parts/deployment/deployment-messages';

/** Input for a new deployment. Empty strings mean that nothing is chosen yet. */
interface NewPlace {
  readonly server_type: 'new' | 'vps';
  readonly cloud_provider: string;
  readonly region: string;
  readonly instance_type: string;
  readonly vps_ip_address: string;
  readonly support_level: SupportLevel;
  readonly client_name: string;
  readonly domain: string;
  readonly hasOtherDomain: boolean;
}

/** Result of the check of the customer's own server. */
export interface ServerCheckForm {
  readonly state: 'none' | 'looking' | 'passed' | 'refused';
  readonly message: Message | null;
  readonly found: VpsCheckState | null;
}

export const NOT_CHECKED: ServerCheckForm = { state: 'none', message: null, found: null };

/** The server's errors by field. */
export type Problems = Readonly<Partial<Record<string, Message>>>;

export interface NewPlaceForm {
  readonly place: NewPlace;
  readonly change: (fields: Partial<NewPlace>) => void;
  readonly serverCheck: ServerCheckForm;
  readonly setServerCheck: (serverCheck: ServerCheckForm) => void;
  readonly providers: readonly CloudProviderAnswer[];
  readonly regions: readonly RegionAnswer[];
  readonly sizes: readonly InstanceTypeAnswer[];
  readonly config: PackageConfigAnswer | null;
  /** The catalogue could not be loaded. */
  readonly isBroken: boolean;
  /** Price of the current choice, or null until it is known. */
  readonly price: Price | null;
  readonly isPriced: boolean;
  readonly refetchPrice: () => Promise<unknown>;
  /** Request body, or null while required input is missing. */
  readonly body: DeployCopy | null;
}

/** Form state for the place of the new deployment. Starts with the old place if it is still offered. */
export function useNewPlace(deployment: Deployment | undefined): NewPlaceForm {
  const [place, setPlace] = useState<NewPlace>(() => startOf(deployment));
  const [serverCheck, setServerCheck] = useState<ServerCheckForm>(NOT_CHECKED);
  const pack = deployment?.package ?? null;
  const isNew = place.server_type === 'new';
  const config = usePackageConfig(pack).data ?? null;
  const providers = useProviders(pack);
  const offered = providers.data?.find(({ name, from_daily: from }) => name === place.cloud_provider && from !== null);
  const provider = isNew ? (offered?.name ?? null) : null;
  const regions = useRegions(provider, pack);
  const region = regions.data?.find(({ name }) => name === place.region)?.name ?? null;
  const sizes = useInstanceTypes(provider, region, pack);
  const size = sizes.data?.find(({ name }) => name === place.instance_type);
  const instance = size?.available === true && unfitIn(size, config) === null ? size.name : null;

  const { server_type, support_level } = place;
  const question = priceQuestionOf({
    server_type,
    support_level,
    cloud_provider: provider,
    region,
    instance_type: instance,
  });
  const priced = usePrice(question);
  const price = question === null || priced.isPlaceholderData ? null : (priced.data ?? null);
  const isReady = isNew ? instance !== null : serverCheck.state === 'passed';
  const text = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());
  return {
    place: { ...place, cloud_provider: offered?.name ?? '', region: region ?? '', instance_type: instance ?? '' },
    change: (fields) => setPlace((now) => ({ ...now, ...fields })),
    serverCheck,
    setServerCheck,
    providers: providers.data ?? [],
    regions: regions.data ?? [],
    sizes: sizes.data ?? [],
    config,
    isBroken: [providers, regions, sizes].some(({ isError }) => isError),
    price,
    isPriced: price !== null,
    refetchPrice: () => priced.refetch(),
    body:
      !isReady || price === null
        ? null
        : {
            server_type,
            support_level,
            cloud_provider: provider,
            region,
            instance_type: instance,
            vps_ip_address: isNew ? null : text(place.vps_ip_address),
            client_name: text(place.client_name),
            domain: place.hasOtherDomain ? text(tidyDomain(place.domain)) : null,
            expected_hourly_cost: price.hourly_cost,
          },
  };
}

function startOf(deployment: Deployment | undefined): NewPlace {
  const isGone = deployment === undefined || isOver(deployment);
  const wasOwn = deployment?.server_type === 'vps';
  return {
    // A customer's own server stays in use while the old deployment runs.
    server_type: wasOwn && isGone ? 'vps' : 'new',
    cloud_provider: deployment?.cloud_provider ?? '',
    region: deployment?.region ?? '',
    instance_type: deployment?.instance_type ?? '',
    vps_ip_address: wasOwn && isGone ? (deployment.vps_ip_address ?? '') : '',
    support_level: deployment?.support_level ?? 2,
    client_name: isGone ? (deployment?.client_name ?? '') : '',
    domain: '',
    // A domain cannot point to two servers.
    hasOtherDomain: !isGone && deployment.domain !== null,
  };
}
