import type { Balance, RunwayAnswer } from '@moorage/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api';

/** Keys begin with what a live hint is about (`keysOf`). */
export function useRunway() {
  return useQuery({ queryKey: ['runway'], queryFn: ({ signal }) => api<RunwayAnswer>('/billing/runway', { signal }) });
}

export function useBalance() {
  return useQuery({ queryKey: ['balance'], queryFn: ({ signal }) => api<Balance>('/billing/balance', { signal }) });
}
