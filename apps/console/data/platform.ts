import type { AdminCounts, AdminOverviewAnswer } from '@moorage/contracts';
import { MINUTE_MS } from '@moorage/domain';
import { useSession } from './session';
import { useRead } from './use-read';

export type Overview = AdminOverviewAnswer;
export type { AdminCounts };

/** Live hints announce only part of what changes. */
const REFRESH_MS = MINUTE_MS;

/** Loads the state of the platform. Keeps showing the previous period until the new one arrives. */
export const useOverview = (period: Overview['period']) =>
  useRead(
    'platform',
    'GET /admin/overview',
    { query: { period } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before, retry: false },
  );

/** Loads the numbers beside the administrators' places. Sends nothing for other users. */
export function useAdminCounts(): AdminCounts | undefined {
  const isAdmin = useSession()?.user?.is_admin === true;
  return useRead('platform', 'GET /admin/counts', isAdmin ? {} : null, { refetchInterval: REFRESH_MS, retry: false })
    .data;
}

/** Loads how long the balances of these users last. They are cached with the deployments, whose owners they are. */
export const useBalanceEnds = (userIds: readonly number[]) =>
  useRead(
    'admin-deployments',
    'GET /admin/balance-ends',
    userIds.length === 0 ? null : { query: { user_ids: [...new Set(userIds)].sort((a, b) => a - b).join(',') } },
    { placeholderData: (before) => before, retry: false },
  );
