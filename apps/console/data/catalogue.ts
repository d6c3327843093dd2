import type { Mark, PriceQuestionBody } from '@moorage/contracts';
import { keepPreviousData, queryOptions, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { markIn } from './package-marks';
import { api } from './api';

/** The catalogue changes with releases and price lists, not during an order. */
const CATALOGUE_MS = 10 * 60_000;
const PRICE_MS = 60_000;

export function usePackages() {
  return useQuery({
    queryKey: ['catalogue', 'packages'],
    queryFn: ({ signal }) => api('GET /deployments/packages', { signal }),
    staleTime: CATALOGUE_MS,
  });
}

export const packageConfigQuery = (name: string) =>
  queryOptions({
    queryKey: ['catalogue', 'config', name],
    queryFn: ({ signal }) => api('GET /deployments/packages/{name}/config', { params: { name }, signal }),
    staleTime: CATALOGUE_MS,
  });

/** Loads the providers. `forPackage` adds the price of the cheapest size that can run it, here and below. */
export const providersQuery = (forPackage: string | null) =>
  queryOptions({
    queryKey: ['catalogue', 'providers', forPackage],
    queryFn: ({ signal }) => api('GET /deployments/cloud-providers', { query: { package: forPackage }, signal }),
    staleTime: CATALOGUE_MS,
  });

export const useProviders = (forPackage: string | null) => useQuery(providersQuery(forPackage));

const regionsQuery = (provider: string | null, forPackage: string | null) =>
  queryOptions({
    queryKey: ['catalogue', 'regions', provider, forPackage],
    queryFn: ({ signal }) =>
      api('GET /deployments/regions/{provider}', {
        params: { provider: provider ?? '' },
        query: { package: forPackage },
        signal,
      }),
    enabled: provider !== null,
    staleTime: CATALOGUE_MS,
  });

export const useRegions = (provider: string | null, forPackage: string | null) =>
  useQuery(regionsQuery(provider, forPackage));

export const sizesQuery = (provider: string | null, region: string | null, forPackage: string | null) =>
  queryOptions({
    queryKey: ['catalogue', 'sizes', provider, region, forPackage],
    queryFn: ({ signal }) =>
      api('GET /deployments/instance-types/{provider}/{region}', {
        params: { provider: provider ?? '', region: region ?? '' },
        query: { package: forPackage },
        signal,
      }),
    enabled: provider !== null && region !== null,
    staleTime: CATALOGUE_MS,
  });

export const useInstanceTypes = (provider: string | null, region: string | null, forPackage: string | null) =>
  useQuery(sizesQuery(provider, region, forPackage));

/** Loads the price of a draft. Null disables the query. */
export function usePrice(question: PriceQuestionBody | null) {
  return useQuery({
    queryKey: ['price', question],
    queryFn:
      question === null
        ? skipToken
        : ({ signal }) => api('POST /deployments/pricing/calculate', { body: question, signal }),
    staleTime: PRICE_MS,
    // Shows the previous price until the next is known.
    placeholderData: keepPreviousData,
  });
}

export function usePrices() {
  return useQuery({
    queryKey: ['prices'],
    queryFn: ({ signal }) => api('GET /pricing', { signal }),
    staleTime: Infinity,
  });
}

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
  const { data: clouds } = useQuery({ ...providersQuery(null), enabled: providers.length > 0 });
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

/** Requests a package that is not in the catalogue. */
export function requestPackage(body: { package_name: string; reason: string }) {
  return api('POST /deployments/package-request', { body });
}
