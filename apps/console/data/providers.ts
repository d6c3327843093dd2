import type { RouteAnswer } from '@moorage/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api';

export type Provider = RouteAnswer<'GET /admin/providers'>[number];

const PROVIDERS = ['providers'];
const REFRESH_MS = 30_000;

/** Every cloud provider as administrators see it. */
export function useProviders() {
  return useQuery({
    queryKey: [...PROVIDERS, 'list'],
    queryFn: ({ signal }) => api('GET /admin/providers', { signal }),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
}
