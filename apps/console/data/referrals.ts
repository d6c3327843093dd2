import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { keysOf } from './live-hints';

/** The own link, and what has come of it. */
export function useReferrals() {
  return useQuery({
    // what a hint about the balance asks for again: a friend's credit comes with the own
    queryKey: ['credits', 'referrals'],
    queryFn: async ({ signal }) => {
      const [link, stats] = await Promise.all([
        api('GET /referrals/my-link', { signal }),
        api('GET /referrals/stats', { signal }),
      ]);
      return { ...link, ...stats };
    },
  });
}

/** Turns the code of a mail into a credit. */
export function useRedeemCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api('POST /signup-credits/redeem', { body: { code } }),
    onSuccess: () => {
      for (const queryKey of keysOf({ kind: 'balance', id: 0, version: 0 }))
        void client.invalidateQueries({ queryKey });
    },
  });
}
