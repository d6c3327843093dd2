import type { NotificationAnswer, Sent } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadUser } from './account';
import { api, fetchFile } from './api';
import { useSession } from './session';

type Part =
  'user' | 'two-factor' | 'sessions' | 'sign-ins' | 'api-tokens' | 'notifications' | 'exports' | 'deletion-check';

/** Query keys begin with the subject of a live hint (`keysOf`). */
const keyOf = (part: Part) => ['account', part] as const;

/** Returns the user known from the session immediately, and reloads it from the server. */
export function useOwnUser() {
  const known = useSession()?.user ?? undefined;
  const requested = useQuery({ queryKey: keyOf('user'), queryFn: loadUser });
  // The session has the newest version, because every call that changes the user stores its response there.
  return { data: known ?? requested.data, isError: requested.isError, refetch: requested.refetch };
}

export function useTwoFactor() {
  return useQuery({
    queryKey: keyOf('two-factor'),
    queryFn: ({ signal }) => api('GET /users/self/two-factor', { signal }),
  });
}

export function useSessions() {
  return useQuery({
    queryKey: keyOf('sessions'),
    queryFn: ({ signal }) => api('GET /users/self/sessions', { signal }),
  });
}

export function useSignIns() {
  return useQuery({
    queryKey: keyOf('sign-ins'),
    queryFn: ({ signal }) => api('GET /users/self/sign-ins', { signal }),
  });
}

export function useApiTokens() {
  return useQuery({
    queryKey: keyOf('api-tokens'),
    queryFn: ({ signal }) => api('GET /users/self/api-tokens', { signal }),
  });
}

export function useNotifications() {
  return useQuery({
    queryKey: keyOf('notifications'),
    queryFn: ({ signal }) => api('GET /users/self/notifications', { signal }),
  });
}

/** Loads the data exports. Polls while an export is being prepared. */
export function useExports() {
  return useQuery({
    queryKey: keyOf('exports'),
    queryFn: ({ signal }) => api('GET /users/self/exports', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'preparing') === true ? CONSTANTS.statusPollMs : false,
  });
}

/** Loads whether the account can be deleted. Never cached, because running deployments may have changed. */
export function useDeletionCheck() {
  return useQuery({
    queryKey: keyOf('deletion-check'),
    queryFn: ({ signal }) => api('GET /users/self/deletion-check', { signal }),
    gcTime: 0,
  });
}

/** Returns a function that reloads these parts after a change. */
export function useAccountRefresh(): (...parts: readonly Part[]) => Promise<void> {
  const client = useQueryClient();
  return async (...parts) => {
    await Promise.all(parts.map((part) => client.invalidateQueries({ queryKey: keyOf(part) })));
  };
}

/** Wraps a request that ends something immediately. */
function useEnding<Input>(end: (input: Input) => Promise<Sent>, part: Part) {
  const refresh = useAccountRefresh();
  return useMutation({ mutationFn: end, onSettled: () => refresh(part) });
}

export const useEndSession = () =>
  useEnding((id: number) => api('DELETE /users/self/sessions/{id}', { params: { id } }), 'sessions');
export const useEndOtherSessions = () => useEnding(() => api('DELETE /users/self/sessions'), 'sessions');
export const useRevokeApiToken = () =>
  useEnding((id: number) => api('DELETE /users/self/api-tokens/{id}', { params: { id } }), 'api-tokens');

/** Shows the choice immediately, then the server's response. */
export function useSetNotification() {
  const client = useQueryClient();
  const refresh = useAccountRefresh();
  const queryKey = keyOf('notifications');
  return useMutation({
    mutationFn: ({ kind, is_on }: Pick<NotificationAnswer, 'kind' | 'is_on'>) =>
      api('PUT /users/self/notifications', { body: { kind, is_on } }),
    onMutate: ({ kind, is_on }) =>
      client.setQueryData<NotificationAnswer[]>(queryKey, (all) =>
        all?.map((each) => (each.kind === kind ? { ...each, is_on } : each)),
      ),
    onSettled: () => refresh('notifications'),
  });
}

export function useRequestExport() {
  const refresh = useAccountRefresh();
  return useMutation({ mutationFn: () => api('POST /users/self/exports'), onSettled: () => refresh('exports') });
}

export const fetchExport = (id: number): Promise<Blob> => fetchFile(`/users/self/exports/${id}/file`);
