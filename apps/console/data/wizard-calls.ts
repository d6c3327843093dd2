import type {
  CloudProviderAnswer,
  DeploymentAnswer,
  InstanceTypeAnswer,
  PackageAnswer,
  PackageConfigAnswer,
  Price,
  PriceQuestionBody,
  RegionAnswer,
  RunwayAnswer,
  VpsCheckAnswer,
} from '@moorage/contracts';
import type { Draft } from '@moorage/domain';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, callApi } from './api';
import { keyHeader } from './request-key';

/** The catalogue changes with releases and price lists, not while somebody chooses. */
const CATALOGUE_MS = 10 * 60_000;
const PRICE_MS = 60_000;
const HOURLY_DECIMALS = 6;

const path = (...parts: readonly string[]): string => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

export function usePackages() {
  return useQuery({
    queryKey: ['catalogue', 'packages'],
    queryFn: ({ signal }) => api<PackageAnswer[]>('/deployments/packages/', { signal }),
    staleTime: CATALOGUE_MS,
  });
}

export const packageConfigQuery = (name: string) =>
  queryOptions({
    queryKey: ['catalogue', 'config', name],
    queryFn: ({ signal }) => api<PackageConfigAnswer>(`/deployments/packages${path(name)}/config`, { signal }),
    staleTime: CATALOGUE_MS,
  });

/** `forPackage`: with the price of the cheapest size that it can run on, here as below. */
export function useProviders(forPackage: string | null) {
  return useQuery({
    queryKey: ['catalogue', 'providers', forPackage],
    queryFn: ({ signal }) =>
      api<CloudProviderAnswer[]>('/deployments/cloud-providers/', { query: { package: forPackage }, signal }),
    staleTime: CATALOGUE_MS,
  });
}

export function useRegions(provider: string | null, forPackage: string | null) {
  return useQuery({
    queryKey: ['catalogue', 'regions', provider, forPackage],
    queryFn: ({ signal }) =>
      api<RegionAnswer[]>(`/deployments/regions${path(provider ?? '')}`, { query: { package: forPackage }, signal }),
    enabled: provider !== null,
    staleTime: CATALOGUE_MS,
  });
}

export function useInstanceTypes(provider: string | null, region: string | null, forPackage: string | null) {
  return useQuery({
    queryKey: ['catalogue', 'sizes', provider, region, forPackage],
    queryFn: ({ signal }) =>
      api<InstanceTypeAnswer[]>(`/deployments/instance-types${path(provider ?? '', region ?? '')}`, {
        query: { package: forPackage },
        signal,
      }),
    enabled: provider !== null && region !== null,
    staleTime: CATALOGUE_MS,
  });
}

/** What a draft costs; null asks nothing. */
export function usePrice(question: PriceQuestionBody | null) {
  return useQuery({
    queryKey: ['price', question],
    queryFn: ({ signal }) => api<Price>('/deployments/pricing/calculate', { method: 'POST', body: question, signal }),
    enabled: question !== null,
    staleTime: PRICE_MS,
    // the price before stays in sight until the next is known
    placeholderData: keepPreviousData,
  });
}

/** The runway as if something of this hourly price were ordered now; null asks nothing. */
export function useOrderEffect(hourly: number | null) {
  const order = hourly?.toFixed(HOURLY_DECIMALS);
  return useQuery({
    queryKey: ['runway', 'order', order],
    queryFn: ({ signal }) => api<RunwayAnswer>('/billing/runway', { query: { order_hourly: order }, signal }),
    enabled: hourly !== null,
  });
}

export function usePeripheryScript(forPackage: string | null) {
  return useQuery({
    queryKey: ['script', forPackage],
    queryFn: ({ signal }) => api<string>('/servers/periphery-script', { query: { package: forPackage }, signal }),
    staleTime: CATALOGUE_MS,
  });
}

/** 202, `asked`: the answer is not there yet, ask again. A refusal is an ApiError with the results beside its code. */
export async function validateVps(address: string, signal: AbortSignal): Promise<VpsCheckAnswer> {
  const { data } = await callApi<VpsCheckAnswer>('/servers/validate-vps', {
    method: 'POST',
    body: { ip_address: address },
    signal,
  });
  return data;
}

/** The draft with the names and the database fields that come with it (decisions 24, 25). */
export type OrderBody = Draft & {
  readonly client_name: string;
  readonly client_id: string;
  readonly postgres_host: string | null;
  readonly github_repo: string;
};

/** The same key is the same order, however often it is sent. */
export function createDeployment(body: OrderBody, idempotencyKey: string): Promise<DeploymentAnswer> {
  return api<DeploymentAnswer>('/deployments/', {
    method: 'POST',
    body,
    headers: keyHeader(idempotencyKey),
  });
}

export function requestPackage(body: { package_name: string; reason: string }): Promise<{ message?: string }> {
  return api<{ message?: string }>('/deployments/package-request', { method: 'POST', body });
}
