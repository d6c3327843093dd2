import type { RouteAnswer } from '@moorage/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';

export type Provider = RouteAnswer<'GET /admin/providers'>[number];

const LIST = ['providers', 'list'];
const REFRESH_MS = 30_000;
const POLL_MS = 3_000;

/** Returns whether the provisioner is running a check at this provider. */
export const isChecking = ({ check, credentials }: Pick<Provider, 'check' | 'credentials'>): boolean =>
  check?.is_running === true || credentials?.entered?.state === 'testing';

/** Loads every cloud provider for administrators. Polls while a check is running. */
export function useProviders() {
  return useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => api('GET /admin/providers', { signal }),
    refetchInterval: ({ state: { data = [] } }) => (data.some(isChecking) ? POLL_MS : REFRESH_MS),
    retry: false,
  });
}

export type ProviderName = Provider['provider'];

export const useCheckProvider = (provider: ProviderName) =>
  useProviderChange(() => api('POST /admin/providers/{provider}/check', { params: { provider } }));

export const useConfirmProject = (provider: ProviderName) =>
  useProviderChange((project_id: string) =>
    api('POST /admin/providers/{provider}/confirm', { params: { provider }, body: { project_id } }),
  );

export const useEnterCredentials = (provider: ProviderName) =>
  useProviderChange((values: Record<string, string>) =>
    api('PUT /admin/providers/{provider}/credentials', { params: { provider }, body: { values } }),
  );

export const useRemoveCredentials = (provider: ProviderName) =>
  useProviderChange(() => api('DELETE /admin/providers/{provider}/credentials', { params: { provider } }));

/** Wraps a change whose response is the updated provider. */
function useProviderChange<Input>(change: (input: Input) => Promise<Provider>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) =>
      client.setQueryData<Provider[]>(LIST, (shown) =>
        shown?.map((one) => (one.provider === changed.provider ? changed : one)),
      ),
    onError: () => void client.invalidateQueries({ queryKey: LIST }),
  });
}
