import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { keysOf } from './live-hints';

/** Loads the user's own link and its results. */
export function useReferrals() {
  return useQuery({
    // Reloads with hints about the balance, because a friend's credit arrives together with the user's own.
    queryKey: ['own-referrals'],
    queryFn: async ({ signal }) => {
      const [link, stats] = await Promise.all([
        api('GET /referrals/my-link', { signal }),
        api('GET /referrals/stats', { signal }),
      ]);
      return { ...link, ...stats };
    },
  });
}

/** Redeems an emailed code for a credit. */
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
