import type { Mark, PriceQuestionBody } from '@moorage/contracts';
import { keepPreviousData, queryOptions, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { api } from './api';
import { markIn } from './package-marks';
import { knownPrices } from './public-prices';
import { readQuery, useRead } from './use-read';

/** The catalogue changes with releases and price lists, not during an order. */
const CATALOGUE = { staleTime: 10 * 60_000 };
const PRICE_MS = 60_000;

export const usePackages = () => useRead('catalogue', 'GET /deployments/packages', {}, CATALOGUE);

/** Query of a package's configuration. Null disables it, here and below. */
export const packageConfigQuery = (name: string | null) => ({
  ...readQuery('catalogue', 'GET /deployments/packages/{name}/config', name === null ? null : { params: { name } }),
  ...CATALOGUE,
});

export const usePackageConfig = (name: string | null) => useQuery(packageConfigQuery(name));

/** Loads the providers. `forPackage` adds the price of the cheapest size that can run it, here and below. */
export const useProviders = (forPackage: string | null, { enabled = true }: { enabled?: boolean } = {}) =>
  useRead(
    'catalogue',
    'GET /deployments/cloud-providers',
    { query: { package: forPackage } },
    { ...CATALOGUE, enabled },
  );

const regionsQuery = (provider: string | null, forPackage: string | null) => ({
  ...readQuery(
    'catalogue',
    'GET /deployments/regions/{provider}',
    provider === null ? null : { params: { provider }, query: { package: forPackage } },
  ),
  ...CATALOGUE,
});

export const useRegions = (provider: string | null, forPackage: string | null) =>
  useQuery(regionsQuery(provider, forPackage));

export const sizesQuery = (provider: string | null, region: string | null, forPackage: string | null) => ({
  ...readQuery(
    'catalogue',
    'GET /deployments/instance-types/{provider}/{region}',
    provider === null || region === null ? null : { params: { provider, region }, query: { package: forPackage } },
  ),
  ...CATALOGUE,
});

/** Loads a place for a new server near this browser that can be ordered as it is. Null disables it. */
export const useSuggestedPlace = (forPackage: string | null) =>
  useRead(
    'catalogue',
    'GET /deployments/suggested-place',
    forPackage === null
      ? null
      : { query: { package: forPackage, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone } },
    CATALOGUE,
  );

export const useInstanceTypes = (provider: string | null, region: string | null, forPackage: string | null) =>
  useQuery(sizesQuery(provider, region, forPackage));

/** Query of the price of a draft. Null disables it. */
const priceQuery = (question: PriceQuestionBody | null) =>
  queryOptions({
    queryKey: ['catalogue', 'price', question],
    queryFn:
      question === null
        ? skipToken
        : ({ signal }) => api('POST /deployments/pricing/calculate', { body: question, signal }),
    staleTime: PRICE_MS,
  });

/** Loads the price of a draft. Shows the previous price until the next is known. */
export const usePrice = (question: PriceQuestionBody | null) =>
  useQuery({ ...priceQuery(question), placeholderData: keepPreviousData });

export const usePrices = () =>
  useRead('catalogue', 'GET /pricing', {}, { initialData: knownPrices, staleTime: Infinity });

export interface CatalogueNames {
  readonly packageName: (name: string) => string;
  readonly packageMark: (name: string) => Mark;
  readonly providerName: (name: string) => string;
  readonly regionName: (provider: string, region: string) => string;
}

/**
 * Returns the display names of packages, providers and regions. Falls back to their IDs until the catalogue has loaded.
 */
export function useCatalogueNames(providers: readonly string[]): CatalogueNames {
  const { data: packages } = usePackages();
  const { data: clouds } = useProviders(null, { enabled: providers.length > 0 });
  const regions = useQueries({ queries: providers.map((provider) => regionsQuery(provider, null)) });
  const nameIn = (
    list: readonly { readonly name: string; readonly display_name: string }[] | undefined,
    name: string,
  ): string => list?.find((one) => one.name === name)?.display_name ?? name;
  return {
    packageName: (name) => nameIn(packages, name),
    packageMark: (name) => markIn(packages, name),
    providerName: (name) => nameIn(clouds, name),
    regionName: (provider, region) => nameIn(regions[providers.indexOf(provider)]?.data, region),
  };
}
