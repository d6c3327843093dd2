import type { RouteAnswer } from '@moorage/contracts';
import type { LeakFilter } from '@moorage/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';

export type LeakPage = RouteAnswer<'GET /admin/leaks'>;
export type Leak = LeakPage['leaks'][number];
export type LeakDecision = 'remove' | 'keep' | 'adopt';

const LEAKS = ['leaks'];
const REFRESH_MS = 30_000;
/** Poll interval while a decision is being carried out. */
const SOON_MS = 3_000;
const PER_PAGE = 10;

const isUnderWay = ({ state }: Leak): boolean => state === 'removing' || state === 'adopting';

/** Loads a page of resources left behind at the providers. */
export function useLeaks({ show, page }: { show: LeakFilter; page: number }) {
  return useQuery({
    queryKey: [...LEAKS, show, page],
    queryFn: ({ signal }) => api('GET /admin/leaks', { query: { show, page, per_page: PER_PAGE }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.leaks.some(isUnderWay) === true ? SOON_MS : REFRESH_MS),
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Removes, keeps or adopts a leaked resource. */
export function useDecideLeak(decision: LeakDecision) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      api(`POST /admin/leaks/{id}/${decision}`, { params: { id }, body: { reason } }),
    onSettled: () => void client.invalidateQueries({ queryKey: LEAKS }),
  });
}
