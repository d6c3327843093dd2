import type { BackupsAnswer, DeployCopy, RouteAnswer } from '@moorage/contracts';
import type { Message } from '@moorage/domain';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from './api';
import { patchDeployment } from './deployments';
import { sendOnce } from './request-key';

export type Backups = BackupsAnswer & {
  /** Time until which copies would be kept if the deployment were deleted now. */
  readonly kept_until_if_deleted?: string | null;
  /** Reason why the last restore cannot be undone now. */
  readonly undo_refused?: Message | null;
};
export type Copy = Backups['copies'][number];
export type StaleBackup = RouteAnswer<'GET /admin/stale-backups'>[number];

/** Begins with the subject of a live hint (`keysOf`). */
export const backupsKey = (id: number) => ['deployment', id, 'backups'] as const;

const POLL_MS = 3_000;
/** Time for which the parts of a page share one response. */
const SHARED_MS = 5_000;

/**
 * Returns whether a backup is running or about to start. A live hint announces a backup that waits for its next
 * attempt.
 */
export const isUnderWay = ({ state, retry_at: retryAt }: Pick<Copy, 'state' | 'retry_at'>): boolean =>
  state === 'running' || (state === 'waiting' && retryAt === null);

export const isRestoring = ({ restore }: Pick<Backups, 'restore'>): boolean => restore?.state === 'running';

/** Returns whether the customer's bucket is being checked or copied into. */
const isBucketBusy = ({ bucket }: Pick<Backups, 'bucket'>): boolean =>
  bucket !== null && (bucket.state === 'checking' || bucket.copying);

/** Loads the backups of a deployment. Polls while something is running. Otherwise live hints trigger a reload. */
export function useBackups(id: number, enabled = true) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: backupsKey(id),
    queryFn: ({ signal }): Promise<Backups> => api('GET /deployments/{id}/backups', { params: { id }, signal }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.copies.some(isUnderWay) || isRestoring(data) || isBucketBusy(data)) ? POLL_MS : false,
    retry: false,
    staleTime: SHARED_MS,
  });
  const state = query.data?.restore?.state;
  // The end of a restore also changes the deployment.
  useEffect(() => {
    if (state !== undefined && state !== 'running') refreshDeployment(client, id);
  }, [client, id, state]);
  return query;
}

function refreshDeployment(client: QueryClient, id: number): void {
  for (const part of ['record', 'progress']) void client.invalidateQueries({ queryKey: ['deployment', id, part] });
}

export function useBackUpNow(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /deployments/{id}/backups', { params: { id } }),
    onSuccess: (copy) =>
      client.setQueryData<Backups>(backupsKey(id), (shown) =>
        shown === undefined || shown.copies.some((each) => each.id === copy.id)
          ? shown
          : { ...shown, copies: [copy, ...shown.copies] },
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: backupsKey(id) }),
  });
}

interface Requested {
  /** Reason given by staff for acting on a customer's deployment, or null for the owner. */
  readonly reason: string | null;
}

/** Replaces the deployment's data with that of a copy. */
export function useRestore(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ copy, reason }: Requested & { copy: number }) =>
      api('POST /deployments/{id}/backups/{backup_id}/restore', { params: { id, backup_id: copy }, body: { reason } }),
    onSuccess: (answer) => patchDeployment(client, id, answer),
    onSettled: () => void client.invalidateQueries({ queryKey: ['deployment', id] }),
  });
}

/** Restores the data from before the last restore. */
export function useUndoRestore(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ reason }: Requested) =>
      api('POST /deployments/{id}/undo-restore', { params: { id }, body: { reason } }),
    onSuccess: (answer) => patchDeployment(client, id, answer),
    onSettled: () => void client.invalidateQueries({ queryKey: ['deployment', id] }),
  });
}

/** Orders a new deployment with the data of a copy. Retries of the same order use the same key. */
export function useDeployCopy(id: number, copy: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DeployCopy) =>
      sendOnce({ target: `deploy copy ${copy}`, content: body }, (idempotencyKey) =>
        api('POST /deployments/{id}/backups/{backup_id}/deployments', {
          params: { id, backup_id: copy },
          body,
          idempotencyKey,
        }),
      ),
    onSettled: () => {
      for (const queryKey of [['deployments'], ['billing']]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** Loads, for administrators, the deployments whose newest copy is older than 36 hours. */
export function useStaleBackups() {
  return useQuery({
    // Begins with `deployments`, so that live hints reload it.
    queryKey: ['deployments', 'stale-backups'],
    queryFn: ({ signal }) => api('GET /admin/stale-backups', { signal }),
  });
}
