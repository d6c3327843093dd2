import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';

const downloadsKey = (id: number) => ['deployment', id, 'backup-downloads'] as const;

const POLL_MS = 3_000;

/** Loads the archives of a deployment's backups for its owner. Polls while an archive is being prepared. */
export function useBackupDownloads(id: number) {
  return useQuery({
    queryKey: downloadsKey(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/backup-downloads', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'preparing') === true ? POLL_MS : false,
    retry: false,
  });
}

/** Prepares an archive. The response contains the archive password, which is not shown again. */
export function usePrepareDownload(id: number, copy: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /deployments/{id}/backups/{backup_id}/download', { params: { id, backup_id: copy } }),
    onSettled: () => void client.invalidateQueries({ queryKey: downloadsKey(id) }),
  });
}

/** Requests a download URL that is valid for a few minutes. */
export function useDownloadLink(id: number) {
  return useMutation({
    mutationFn: (download: number) =>
      api('POST /deployments/{id}/backup-downloads/{download_id}/link', { params: { id, download_id: download } }),
  });
}
