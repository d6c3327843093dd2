import type { NewBackupBucket } from '@moorage/contracts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { type Backups, backupsKey } from './backups';

export type Bucket = NonNullable<Backups['bucket']>;

const patch = (client: QueryClient, id: number, bucket: Bucket | null): void =>
  void client.setQueryData<Backups>(backupsKey(id), (shown) => (shown === undefined ? shown : { ...shown, bucket }));

/**
 * Sets the customer's bucket. The response contains the repository password, which is not shown again once the bucket
 * holds a copy.
 */
export function useSetBucket(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewBackupBucket) => api('PUT /deployments/{id}/backups/bucket', { params: { id }, body }),
    onSuccess: ({ bucket }) => patch(client, id, bucket),
    // Keeps the password out of the cache.
    gcTime: 0,
    onSettled: () => void client.invalidateQueries({ queryKey: backupsKey(id) }),
  });
}

export function useCheckBucket(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /deployments/{id}/backups/bucket/check', { params: { id } }),
    onSuccess: (bucket) => patch(client, id, bucket),
    onSettled: () => void client.invalidateQueries({ queryKey: backupsKey(id) }),
  });
}

export function useRemoveBucket(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_: object) => api('DELETE /deployments/{id}/backups/bucket', { params: { id } }),
    onSuccess: () => patch(client, id, null),
    onSettled: () => void client.invalidateQueries({ queryKey: backupsKey(id) }),
  });
}
