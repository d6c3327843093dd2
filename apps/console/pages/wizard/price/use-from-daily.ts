import { PRICE_LIST, reliableIn } from '@moorage/domain';
import { useInstanceTypes, usePackages, useProviders } from '../../../data/catalogue';
import { unfitIn } from '../../../parts/order/size-fit';
import { OWN_SERVER_DAILY } from '../own-server-price';
import { useWizard } from '../wizard-context';

/** Returns the lowest possible daily price of the order given the choices so far, or null while it is unknown. */
export function useFromDaily(): number | null {
  const { wizard, config } = useWizard();
  const { package: name, server_type: type, cloud_provider: cloud, region } = wizard.draft;
  const packages = usePackages().data;
  const providers = useProviders(name).data;
  const sizes = useInstanceTypes(cloud, region, name).data;
  if (name === null) return lowest((packages ?? []).map((one) => one.from_daily));
  if (type === 'vps') return OWN_SERVER_DAILY;
  if (cloud === null) return packages?.find((one) => one.name === name)?.from_daily ?? null;
  if (region === null) return providers?.find((one) => one.name === cloud)?.from_daily ?? null;
  const fitting = (sizes ?? []).filter((one) => one.available && unfitIn(one, config) === null);
  const reliable = reliableIn(fitting, ({ display_name: named }) => named);
  return lowest(reliable.map(({ hourly_cost: hourly }) => hourly * PRICE_LIST.hoursPerDay));
}

function lowest(prices: readonly (number | null | undefined)[]): number | null {
  const known = prices.filter((each) => each !== null && each !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}
