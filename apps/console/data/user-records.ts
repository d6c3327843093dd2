import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { fetchTransactions } from './billing';

type Part = 'deployments' | 'credits' | 'top-up' | 'transactions' | 'sessions' | 'mails' | 'support' | 'history';

/** Query keys of an account's data for administrators, by part. */
const keyOf = (id: number, part: Part) => ['person', id, part] as const;

const DEPLOYMENTS = 10;
const DAYS = 5;

export function useUserDeployments(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'deployments'),
    queryFn: ({ signal }) =>
      api('GET /users/{id}/deployments', { params: { id }, query: { per_page: DEPLOYMENTS }, signal }),
  });
}

export function useUserCredits(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'credits'),
    queryFn: ({ signal }) => api('GET /users/{id}/credits', { params: { id }, signal }),
  });
}

export function useUserTopUp(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'top-up'),
    queryFn: ({ signal }) => api('GET /billing/admin/users/{id}/automatic-top-up', { params: { id }, signal }),
  });
}

/** Turns off automatic top-up of an account and reloads its history. */
export function useStopTopUpOf(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      api('POST /billing/admin/users/{id}/automatic-top-up/stop', { params: { id }, body: { reason } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['person', id] }),
  });
}

/** Loads the most recent days. */
export function useUserTransactions({ id, username }: { id: number; username: string }) {
  return useQuery({
    queryKey: [...keyOf(id, 'transactions'), username],
    queryFn: ({ signal }) => fetchTransactions({ page: 1, user: username, daysPerPage: DAYS, signal }),
  });
}

export function useUserSessions(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'sessions'),
    queryFn: ({ signal }) => api('GET /users/{id}/sessions', { params: { id }, signal }),
  });
}

export function useUserEmails(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'mails'),
    queryFn: ({ signal }) => api('GET /users/{id}/mails', { params: { id }, signal }),
  });
}

export function useUserSupport(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'support'),
    queryFn: ({ signal }) => api('GET /users/{id}/support-messages', { params: { id }, signal }),
  });
}

export function useUserHistory(id: number) {
  return useQuery({
    queryKey: keyOf(id, 'history'),
    queryFn: ({ signal }) => api('GET /users/{id}/history', { params: { id }, signal }),
  });
}

/** Ends all sessions of a user and reloads their history. */
export function useEndSessionsOf(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('DELETE /users/{id}/sessions', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['person', id] }),
  });
}
