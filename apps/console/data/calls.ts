import type { Balance } from '@moorage/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api';

/** What `GET /billing/runway` answers. */
export interface Runway {
  readonly ends_at: string | null;
  readonly daily_cost: number;
  readonly running: number;
}

/** Keys begin with what a live hint is about (`keysOf`). */
export function useRunway() {
  return useQuery({ queryKey: ['runway'], queryFn: ({ signal }) => api<Runway>('/billing/runway', { signal }) });
}

export function useBalance() {
  return useQuery({ queryKey: ['balance'], queryFn: ({ signal }) => api<Balance>('/billing/balance', { signal }) });
}
