import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce, sentBefore } from './request-key';

/** react-admin's own keys of the resource begin with its name too: a refund changes the list and the payment. */
const PAYMENTS = ['payments'];

/** What the nightly comparison with the payment provider's books found last. */
export function usePaymentComparison() {
  return useQuery({
    queryKey: [...PAYMENTS, 'comparison'],
    queryFn: ({ signal }) => api('GET /billing/admin/payment-comparison', { signal }),
  });
}

/** Settles a difference between the books. */
export function useSettleDifference() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      api('POST /billing/admin/payment-differences/{id}/settle', { params: { id }, body: { reason } }),
    onSettled: () => void client.invalidateQueries({ queryKey: PAYMENTS }),
  });
}

interface RefundBody {
  readonly amount_cents: number;
  readonly reason: string;
}

const refundOf = (id: string): string => `refund ${id}`;

/** Refunds of a payment that were requested here a moment ago, or without an answer. */
export const refundsBefore = (id: string) => sentBefore<RefundBody>(refundOf(id));

/** Requests a refund, with one key until it is answered, so that it is made once. */
export function useRefundPayment(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ amount, reason }: { amount: number; reason: string }) => {
      const body: RefundBody = { amount_cents: Math.round(amount * 100), reason };
      return sendOnce({ target: refundOf(id), content: body, isShown: true }, (idempotencyKey) =>
        api('POST /billing/admin/payments/{id}/refund', { params: { id }, body, idempotencyKey }),
      );
    },
    // after a refusal too, which says that what is shown is old; not awaited: who did it says so first
    onSettled: () => void client.invalidateQueries({ queryKey: PAYMENTS }),
  });
}
