import type { AdminCreate, RouteAnswer } from '@moorage/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce, sentBefore } from './request-key';

/** Keys of what is asked about one person besides the record: after a change all of it is asked for again. */
export const personKey = (id: number, ...part: readonly string[]) => ['person', id, ...part] as const;
const checkKey = (id: number) => personKey(id, 'deactivation-check');

/** After a change, and after a refusal, which says that what is shown is old: the lists, the record and the rest of the person. */
function useRefresh(): (id?: number) => void {
  const client = useQueryClient();
  return (id) => {
    void client.invalidateQueries({ queryKey: ['users'] });
    if (id !== undefined) void client.invalidateQueries({ queryKey: personKey(id) });
  };
}

/** Something that is done to one person. */
function useAct<Answer, Input = void>(id: number, act: (input: Input) => Promise<Answer>) {
  const refresh = useRefresh();
  // not awaited: who did it says so before the list has come
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

/** Never an old answer: what runs may have changed since. */
export function useDeactivationCheck(id: number) {
  return useQuery({
    queryKey: checkKey(id),
    queryFn: ({ signal }) => api('GET /users/{id}/deactivation-check', { params: { id }, signal }),
    gcTime: 0,
  });
}

/** Removes all deployments; the answer says what still stands in the way. */
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

/** Adjustments of a balance that were requested here a moment ago, or without an answer. */
export const adjustmentsBefore = (id: number) => sentBefore<Adjustment>(adjustmentOf(id));

/** Adjusts a balance, with one key until the request is answered, so that it is booked once. */
export const useAdjustBalance = (id: number) =>
  useAct(id, (body: Adjustment) =>
    sendOnce({ target: adjustmentOf(id), content: body, isShown: true }, (idempotencyKey) =>
      api('POST /billing/admin/users/{id}/adjust-balance', { params: { id }, body, idempotencyKey }),
    ),
  );
