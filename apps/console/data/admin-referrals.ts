import type { AdminCreditList, AdminCreditRequestAnswer, AdminReferralAnswer } from '@moorage/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';

/**
 * Prefix of all query keys here. A decision changes a row, creates credits and changes the counts, so everything
 * reloads.
 */
const keyOf = (...part: readonly unknown[]) => ['reviews', ...part] as const;

export type CreditsQuery = Pick<AdminCreditList, 'page' | 'sort_by' | 'sort_order' | 'network' | 'mail_domain'>;
export type ReferralState = AdminReferralAnswer['state'];
export type RequestState = AdminCreditRequestAnswer['state'];

export function useAdminCredits(query: CreditsQuery) {
  return useQuery({
    queryKey: keyOf('credits', query),
    queryFn: ({ signal }) => api('GET /referrals/admin/credits', { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Loads the number of items waiting for a decision. */
export function useReviews() {
  return useQuery({
    queryKey: keyOf('waiting'),
    queryFn: ({ signal }) => api('GET /referrals/admin/waiting', { signal }),
  });
}

export function useAdminReferrals(query: { state: ReferralState; page: number }) {
  return useQuery({
    queryKey: keyOf('referrals', query),
    queryFn: ({ signal }) => api('GET /referrals/admin/referrals', { query, signal }),
  });
}

export function useCreditRequests(query: { state: RequestState; page: number }) {
  return useQuery({
    queryKey: keyOf('requests', query),
    queryFn: ({ signal }) => api('GET /support/referral-requests', { query, signal }),
  });
}

export function useClusters(by: 'network' | 'mail_domain') {
  return useQuery({
    queryKey: keyOf('clusters', by),
    queryFn: ({ signal }) => api('GET /referrals/admin/clusters', { query: { by }, signal }),
  });
}

function useAct<Answer, Input = void>(act: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  // A refusal also means that the list is stale. Not awaited, so that the result shows before the list has reloaded.
  return useMutation({
    mutationFn: act,
    onSettled: () => void client.invalidateQueries({ queryKey: keyOf() }),
  });
}

export const useAdjustCredit = (id: number) =>
  useAct((amount: number) => api('PATCH /referrals/admin/credits/{id}/adjust', { params: { id }, body: { amount } }));

export const useApproveReferral = (id: number) =>
  useAct(() => api('POST /referrals/admin/referrals/{id}/approve', { params: { id } }));
export const useRejectReferral = (id: number) =>
  useAct((reason: string) => api('POST /referrals/admin/referrals/{id}/reject', { params: { id }, body: { reason } }));

export const useApproveRequest = (id: number) =>
  useAct(() => api('POST /support/referral-requests/{id}/approve', { params: { id } }));
export const useRejectRequest = (id: number) =>
  useAct((reason: string) => api('POST /support/referral-requests/{id}/reject', { params: { id }, body: { reason } }));
