import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { useRequestKey } from './request-key';

/** react-admin's own keys of the resource begin with its name too: a refund changes the list and the payment. */
const PAYMENTS = ['payments'];

/** What the nightly comparison with the payment provider's books found last. */
export function usePaymentComparison() {
  return useQuery({
    queryKey: [...PAYMENTS, 'comparison'],
    queryFn: ({ signal }) => api('GET /billing/admin/payment-comparison', { signal }),
  });
}

/** Closes a difference between the books that was dealt with by hand. */
export function useSettleDifference() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      api('POST /billing/admin/payment-differences/{id}/settle', { params: { id }, body: { reason } }),
    onSettled: () => void client.invalidateQueries({ queryKey: PAYMENTS }),
  });
}

/** With one key through every retry of the same refund: it is made once. */
export function useRefundPayment(id: string) {
  const client = useQueryClient();
  const key = useRequestKey();
  return useMutation({
    mutationFn: async ({ amount, reason }: { amount: number; reason: string }) => {
      const body = { amount_cents: Math.round(amount * 100), reason };
      const answer = await api('POST /billing/admin/payments/{id}/refund', {
        params: { id },
        body,
        idempotencyKey: key.of(body),
      });
      key.done();
      return answer;
    },
    // after a refusal too, which says that what is shown is old; not awaited: who did it says so first
    onSettled: () => void client.invalidateQueries({ queryKey: PAYMENTS }),
  });
}
