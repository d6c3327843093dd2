import type { AdminCreate, RouteAnswer } from '@moorage/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce, sentBefore } from './request-key';

/** Prefix of a user's query keys other than the record. A change reloads all of them. */
export const userKey = (id: number, ...part: readonly string[]) => ['person', id, ...part] as const;
const checkKey = (id: number) => userKey(id, 'deactivation-check');

/**
 * Reloads the lists, the record and everything else about the user after a change, or after a refusal, which means that
 * the data shown is stale.
 */
function useRefresh(): (id?: number) => void {
  const client = useQueryClient();
  return (id) => {
    void client.invalidateQueries({ queryKey: ['users'] });
    if (id !== undefined) void client.invalidateQueries({ queryKey: userKey(id) });
  };
}

/** Wraps an administrator's action on a user. */
function useAct<Answer, Input = void>(id: number, act: (input: Input) => Promise<Answer>) {
  const refresh = useRefresh();
  // Not awaited, so that the result shows before the list has reloaded.
  return useMutation({ mutationFn: act, onSettled: () => refresh(id) });
}

export function useCreateUser() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: AdminCreate) => api('POST /users/admin-create', { body }),
    onSuccess: () => refresh(),
  });
}

export const useSetAdmin = (id: number) =>
  useAct(id, (isAdmin: boolean) =>
    api(isAdmin ? 'PATCH /users/{id}/make-admin' : 'PATCH /users/{id}/remove-admin', { params: { id } }),
  );

/** Loads whether the account can be deactivated. Never cached, because running deployments may have changed. */
export function useDeactivationCheck(id: number) {
  return useQuery({
    queryKey: checkKey(id),
    queryFn: ({ signal }) => api('GET /users/{id}/deactivation-check', { params: { id }, signal }),
    gcTime: 0,
  });
}

/** Removes all deployments. The response lists what still blocks the deletion. */
export function usePrepareDeletion(id: number) {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (reason: string) => api('POST /users/{id}/prepare-deletion', { params: { id }, body: { reason } }),
    onSuccess: ({ check }) =>
      client.setQueryData<RouteAnswer<'GET /users/{id}/deactivation-check'>>(checkKey(id), check),
    onSettled: () => {
      refresh(id);
      void client.invalidateQueries({ queryKey: ['deployments'] });
    },
  });
}

export const useDeactivate = (id: number) => useAct(id, () => api('POST /users/{id}/deactivate', { params: { id } }));

export const useReactivate = (id: number) => useAct(id, () => api('POST /users/{id}/reactivate', { params: { id } }));

export const useErase = (id: number) => useAct(id, () => api('DELETE /users/{id}', { params: { id } }));

interface Adjustment {
  readonly amount: number;
  readonly description: string | null;
}

const adjustmentOf = (id: number): string => `adjustment ${id}`;

/** Returns balance adjustments requested from this tab that are recent or unanswered. */
export const adjustmentsBefore = (id: number) => sentBefore<Adjustment>(adjustmentOf(id));

/** Adjusts a balance. Uses the same key until a response arrives, so that it is booked only once. */
export const useAdjustBalance = (id: number) =>
  useAct(id, (body: Adjustment) =>
    sendOnce({ target: adjustmentOf(id), content: body, isShown: true }, (idempotencyKey) =>
      api('POST /billing/admin/users/{id}/adjust-balance', { params: { id }, body, idempotencyKey }),
    ),
  );
