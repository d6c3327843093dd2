import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce, sentBefore } from './request-key';

/** Prefix shared with react-admin's own keys for this resource, so a refund reloads both the list and the payment. */
const PAYMENTS = ['payments'];

/** Loads the latest nightly comparison with the payment provider's records. */
export function usePaymentComparison() {
  return useQuery({
    queryKey: [...PAYMENTS, 'comparison'],
    queryFn: ({ signal }) => api('GET /billing/admin/payment-comparison', { signal }),
  });
}

/** Settles a difference between our records and the provider's. */
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

/** Returns refunds of a payment requested from this tab that are recent or unanswered. */
export const refundsBefore = (id: string) => sentBefore<RefundBody>(refundOf(id));

/** Requests a refund. Uses the same key until a response arrives, so that it is paid only once. */
export function useRefundPayment(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ amount, reason }: { amount: number; reason: string }) => {
      const body: RefundBody = { amount_cents: Math.round(amount * 100), reason };
      return sendOnce({ target: refundOf(id), content: body, isShown: true }, (idempotencyKey) =>
        api('POST /billing/admin/payments/{id}/refund', { params: { id }, body, idempotencyKey }),
      );
    },
    // A refusal also means that the data shown is stale. Not awaited, so that the result shows first.
    onSettled: () => void client.invalidateQueries({ queryKey: PAYMENTS }),
  });
}
