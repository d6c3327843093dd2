import type { BackupsAnswer } from '@moorage/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readKey, useRead } from './use-read';

export type Backups = BackupsAnswer;
export type Copy = Backups['copies'][number];
export type Bucket = NonNullable<Backups['bucket']>;

export const backupsKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/backups', { params: { id } });

/** Interval while something of the backups is running. */
export const BACKUPS_POLL_MS = 3_000;
/** Time for which the parts of a page share one response. */
const SHARED_MS = 5_000;

/**
 * Returns whether a backup is running or about to start. A live hint announces a backup that waits for its next
 * attempt.
 */
export const isUnderWay = ({ state, retry_at: retryAt }: Pick<Copy, 'state' | 'retry_at'>): boolean =>
  state === 'running' || (state === 'waiting' && retryAt === null);

const isRestoring = ({ restore }: Pick<Backups, 'restore'>): boolean => restore?.state === 'running';

/** Returns whether the customer's bucket is being checked or copied into. */
const isBucketBusy = ({ bucket }: Pick<Backups, 'bucket'>): boolean =>
  bucket !== null && (bucket.state === 'checking' || bucket.copying);

/** Loads the backups of a deployment. Polls while something is running. Otherwise live hints trigger a reload. */
export function useBackups(id: number, enabled = true) {
  return useRead(
    'deployments',
    'GET /deployments/{id}/backups',
    { params: { id } },
    {
      enabled,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && (data.copies.some(isUnderWay) || isRestoring(data) || isBucketBusy(data))
          ? BACKUPS_POLL_MS
          : false,
      retry: false,
      staleTime: SHARED_MS,
    },
  );
}

/** Reloads a deployment when its restore ends, which also changes the deployment. */
export function useReloadAfterRestore(id: number, state: NonNullable<Backups['restore']>['state'] | undefined): void {
  const client = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    const hasEnded = before.current === 'running' && state !== 'running';
    before.current = state;
    if (!hasEnded) return;
    for (const route of ['GET /deployments/{id}', 'GET /deployments/{id}/progress'] as const)
      void client.invalidateQueries({ queryKey: readKey('deployments', route, { params: { id } }) });
  }, [client, id, state]);
}
