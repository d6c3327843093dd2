import type { DeploymentUpdatesAnswer, ReleaseRolloutAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { readKey, useRead } from './use-read';

export type Updates = DeploymentUpdatesAnswer;
export type Version = Updates['newer'][number];
export type Rollout = ReleaseRolloutAnswer;

export const updatesKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/updates', { params: { id } });

/** Returns whether an update is under way or is being undone. */
export const isUpdating = ({ last }: Pick<Updates, 'last'>): boolean =>
  last?.state === 'running' || last?.state === 'undoing';

/** Time for which the parts of a page share one response. */
const SHARED_MS = 5_000;

/** Loads the version of a deployment and what is newer. Polls during an update. */
export const useUpdates = (id: number, enabled: boolean) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/updates',
    { params: { id } },
    {
      enabled,
      retry: false,
      staleTime: SHARED_MS,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && isUpdating(data) ? CONSTANTS.statusPollMs : false,
    },
  );

export const ROLLOUTS = 'GET /admin/releases';

/** Loads the versions of all packages, with whom they are offered to. */
export const useRollouts = () => useRead('releases', ROLLOUTS, {}, { retry: false });
