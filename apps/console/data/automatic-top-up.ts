import type { AutomaticTopUpAnswer, AutomaticTopUpSettings } from '@moorage/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';

/** Begins with the subject of a live hint (`keysOf`). */
const KEY = ['billing', 'automatic-top-up'] as const;

export function useAutomaticTopUp() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api('GET /billing/automatic-top-up', { signal }) });
}

/** Wraps a change whose response is the new state. */
function useChange<Input>(change: (input: Input) => Promise<AutomaticTopUpAnswer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: (answer) => client.setQueryData(KEY, answer) });
}

export const useSetAutomaticTopUp = () =>
  useChange((body: AutomaticTopUpSettings) => api('PUT /billing/automatic-top-up', { body }));
export const useRemoveCard = () => useChange(() => api('DELETE /billing/card'));
