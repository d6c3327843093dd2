import { PAYMENT_PROBLEMS, PAYMENT_STATES } from '@moorage/domain';
import { z } from 'zod';
import { actReason, line } from './account-fields';
import type { Call } from './call';
import { queryNumber } from './fields';
import { numberedPages, pageNumber } from './numbered-pages';

/** A card payment as administrators see it. Amounts are JSON numbers in currency units. */
export const adminPayment = z
  .object({
    /** ID of the checkout session, or the platform's ID of an automatic top-up. */
    id: z.string(),
    kind: z.enum(['checkout', 'automatic']),
    status: z.enum(PAYMENT_STATES),
    test_mode: z.boolean(),
    user_id: z.int(),
    username: z.string(),
    email: z.string(),
    amount: z.number(),
    /** Amount taken by refunds and disputes and not returned. */
    taken_back: z.number(),
    is_disputed: z.boolean(),
    created_at: z.iso.datetime(),
    paid_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AdminPayment' });
export type AdminPaymentAnswer = z.infer<typeof adminPayment>;

const movement = z.object({
  /** Provider's balance transaction. */
  id: z.string(),
  kind: z.enum(['refund', 'refund_failed', 'dispute', 'dispute_won']),
  /** Amount moved by the provider, and the part that the account bore or got back. */
  amount: z.number(),
  posted: z.number(),
  fee: z.number(),
  created_at: z.iso.datetime(),
});

export const adminPaymentDetails = adminPayment
  .extend({
    payment_intent: z.string().nullable(),
    /** Provider's reason why the card was not charged. */
    failure: z.string().nullable(),
    save_card: z.boolean(),
    /** Link to the provider's dashboard, or null in test mode. */
    provider_url: z.string().nullable(),
    /** Signed events about the payment, oldest first, at most 100. */
    events: z.array(z.object({ id: z.string(), type: z.string(), outcome: z.string(), received_at: z.iso.datetime() })),
    reversals: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['refund', 'dispute']),
        amount: z.number(),
        /** Status reported by the provider. */
        status: z.string(),
        reason: z.string().nullable(),
        due_by: z.iso.datetime().nullable(),
        created_at: z.iso.datetime(),
        /** Administrator who requested it, or null if it was created at the provider. */
        requested_by: z.string().nullable(),
        movements: z.array(movement),
      }),
    ),
    /** Refunds requested by administrators, with their state. */
    refund_requests: z.array(
      z.object({
        id: z.uuid(),
        amount: z.number(),
        reason: z.string(),
        requested_by: z.string(),
        state: z.enum(['asked', 'made', 'refused']),
        /** Reason reported by the provider. */
        refusal: z.string().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
    /** Transactions of the payment and of everything that followed from it. */
    ledger: z.array(
      z.object({
        id: z.int(),
        type: z.string(),
        /** Effect on regular balance and credits. */
        amount: z.number(),
        /** Effect on the amount owed. A negative value increases it. */
        owed: z.number(),
        cause: z.string().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
    /**
     * Amount that can still be refunded to the card, and the regular balance. A refund above the balance becomes owed.
     */
    refundable: z.number(),
    regular_balance: z.number(),
    differences: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['missing_here', 'missing_there', 'amount']),
        theirs: z.number().nullable(),
        ours: z.number().nullable(),
        first_seen_at: z.iso.datetime(),
        resolved_at: z.iso.datetime().nullable(),
        /** Administrator who settled it, and the reason. Null if it is open or no longer exists. */
        settled: z.object({ by: z.string(), because: z.string() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'AdminPaymentDetails' });
export type AdminPaymentDetailsAnswer = z.infer<typeof adminPaymentDetails>;

const paymentParams = z.object({ id: z.string().regex(/^[A-Za-z0-9_]{1,255}$/) });

export const ADMIN_PAYMENTS_CALLS = {
  payments: {
    operation: 'listPayments',
    method: 'GET',
    path: '/billing/admin/payments',
    summary: 'List payments',
    description: 'Card payments, newest first.',
    access: 'admin',
    query: z.object({
      page: pageNumber,
      per_page: queryNumber(1, 100).default(25),
      status: z.enum(PAYMENT_STATES).optional(),
      problem: z.enum(PAYMENT_PROBLEMS).optional(),
      /** A username, an email address, or any ID known to the provider. */
      search: line(254).optional(),
    }),
    status: 200,
    answer: z.object({ payments: z.array(adminPayment), ...numberedPages }),
    errors: [],
  },
  payment: {
    operation: 'getPayment',
    method: 'GET',
    path: '/billing/admin/payments/{id}',
    summary: 'Get a payment',
    description: 'Includes its checkout session, events, refunds, disputes and ledger entries.',
    access: 'admin',
    params: paymentParams,
    status: 200,
    answer: adminPaymentDetails,
    errors: ['NOT_FOUND'],
  },
  refundPayment: {
    operation: 'refundPayment',
    method: 'POST',
    path: '/billing/admin/payments/{id}/refund',
    summary: 'Refund a payment',
    description: 'Refunds the card. Any amount beyond the regular balance is recorded as owed.',
    access: 'admin',
    recent_authentication: true,
    idempotency_key: true,
    params: paymentParams,
    body: z.object({ amount_cents: z.int().min(1).max(10_000_000), reason: line(200).min(1) }),
    status: 200,
    answer: z.object({
      refund_request_id: z.uuid(),
      /** `asked` means that the provider has not responded yet. The request is repeated. */
      state: z.enum(['asked', 'made', 'refused']),
      refusal: z.string().nullable(),
    }),
    errors: ['NOT_FOUND', 'ACCOUNT_STATE', 'PAYMENT_STATE', 'REFUND_TOO_HIGH'],
  },
  paymentComparison: {
    operation: 'getPaymentComparison',
    method: 'GET',
    path: '/billing/admin/payment-comparison',
    summary: 'Get the latest comparison with the payment provider',
    description: "Compares the provider's records with ours once a day.",
    access: 'admin',
    status: 200,
    answer: z.object({
      /** Null before the first comparison. */
      last: z
        .object({
          at: z.iso.datetime(),
          from: z.iso.datetime(),
          to: z.iso.datetime(),
          compared: z.int(),
          differences: z.int(),
        })
        .nullable(),
      /** Open differences, oldest first, at most 200. */
      differences: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['missing_here', 'missing_there', 'amount']),
          payment_id: z.string().nullable(),
          payment_intent: z.string().nullable(),
          theirs: z.number().nullable(),
          ours: z.number().nullable(),
          first_seen_at: z.iso.datetime(),
        }),
      ),
    }),
    errors: [],
  },
  settleDifference: {
    operation: 'settlePaymentDifference',
    method: 'POST',
    path: '/billing/admin/payment-differences/{id}/settle',
    summary: 'Close a payment difference',
    description: 'For a difference that was corrected manually or needs no correction. Does not move money.',
    access: 'admin',
    recent_authentication: true,
    /** Provider's balance transaction, or the ID of an entry that only the ledger contains. */
    params: z.object({ id: z.string().regex(/^[\w-]{1,255}$/) }),
    body: z.object({ reason: actReason }),
    status: 200,
    answer: z.object({ id: z.string(), resolved_at: z.iso.datetime() }),
    errors: ['NOT_FOUND', 'PAYMENT_STATE'],
  },
} as const satisfies Record<string, Call>;
