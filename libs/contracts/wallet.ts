import { SHAPE_MESSAGES, TRANSACTION_GROUP_NAMES, TRANSACTION_TYPES, type TransactionType } from '@moorage/domain';
import { z } from 'zod';
import { idParams, line } from './account-fields';
import type { Call } from './call';
import { BALANCE_EXAMPLE } from './examples';
import { supportLevel } from './fields';
import { runway, runwayQuestion } from './runway';
import { issueText } from './message';

/** Balances of an account. Amounts are JSON numbers in currency units with at most six decimals. */
export const balance = z
  .object({
    /** Regular balance and all unexpired credits. */
    total_balance: z.number(),
    regular_balance: z.number(),
    referral_credits: z.number(),
    signup_credits: z.number(),
    /** Money that can be spent now, which is the regular balance and the usable credits. */
    available_balance: z.number(),
    /** Amount of refunds and disputes beyond the balance. Later payments pay it first. */
    owed: z.number(),
  })
  .meta({ id: 'Balance', examples: [BALANCE_EXAMPLE] });
export type Balance = z.infer<typeof balance>;

const AMOUNT_MAX = 1_000_000;

/** An amount entered by a user, with at most six decimals. */
export const amount = z
  .number()
  .min(-AMOUNT_MAX)
  .max(AMOUNT_MAX)
  .refine(
    (units) => Number((Math.round(units * 1e6) / 1e6).toFixed(6)) === units,
    issueText(SHAPE_MESSAGES.amount_decimals),
  );

const TYPES = Object.keys(TRANSACTION_TYPES) as [TransactionType, ...TransactionType[]];

const wholeText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, issueText(SHAPE_MESSAGES.whole_between({ from: min, to: max })))
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const days = z.object({
  page: wholeText(1, 100_000).default(1),
  days_per_page: wholeText(1, 100).default(30),
});

export const transactions = z
  .object({
    transactions: z.array(
      z.object({
        /** UTC day, newest first. */
        date: z.iso.date(),
        /** Sum of the whole day, also if it continues on another page. Missing in lists of all accounts. */
        sum: z.number().optional(),
        transactions: z.array(
          z.object({
            id: z.int(),
            type: z.enum(TYPES),
            /** English text. `facts` has its subject. */
            description: z.string(),
            facts: z.object({
              client_name: z.string().nullable(),
              /** Number of hours of a charge, if all hours cost the same. */
              hours: z.int().nullable(),
              credit: z.enum(['signup', 'referral']).nullable(),
              /** Amount that a refund could not return to a credit that had ended. */
              lapsed: z.number(),
              /** The charge covers the rest of a day after the server was found again. */
              reopened: z.boolean(),
              /** The charge covers the rest of a day after a delete was undone. */
              restored: z.boolean(),
              /** Support levels before and after a change of level. */
              level: z.object({ before: supportLevel, after: supportLevel }).nullable(),
              /** Text entered by an administrator. */
              note: z.string().nullable(),
            }),
            /** Signed effect on balance and credits. All rows add up to `total_balance`. */
            amount: z.number(),
            created_at: z.iso.datetime(),
            deployment_id: z.int().nullable(),
            /** Owner of the row, in lists of all accounts. */
            user_id: z.int().optional(),
            username: z.string().optional(),
          }),
        ),
      }),
    ),
    total_pages: z.int(),
    current_page: z.int(),
    has_next: z.boolean(),
    has_previous: z.boolean(),
  })
  .meta({ id: 'Transactions' });
export type Transactions = z.infer<typeof transactions>;

export const WALLET_CALLS = {
  balance: {
    operation: 'getBalance',
    method: 'GET',
    path: '/billing/balance',
    summary: 'Get your balance',
    access: 'user',
    status: 200,
    answer: balance,
    errors: [],
  },
  runway: {
    operation: 'getRunway',
    method: 'GET',
    path: '/billing/runway',
    summary: 'Get how long your balance lasts',
    description:
      'Returns the day at whose start (00:00 UTC) the balance runs out, which deployments stop first, and a forecast by day. Parameters simulate a top-up or an order.',
    access: 'user',
    query: runwayQuestion,
    status: 200,
    answer: runway,
    errors: [],
  },
  transactions: {
    operation: 'listTransactions',
    method: 'GET',
    path: '/billing/transactions',
    summary: 'List your transactions',
    description:
      'Grouped by UTC day, newest first. At most 1,000 rows per page: a day with more continues on the next page.',
    access: 'user',
    query: days.extend({ transaction_group: z.enum(TRANSACTION_GROUP_NAMES).optional() }),
    status: 200,
    answer: transactions,
    errors: [],
  },
  userBalance: {
    operation: 'getBalanceOfUser',
    method: 'GET',
    path: '/users/{id}/balance',
    summary: 'Get the balance of a user',
    description: 'Available to the user and to administrators.',
    access: 'user',
    params: idParams,
    status: 200,
    answer: balance,
    errors: ['NOT_FOUND'],
  },
  userRunway: {
    operation: 'getRunwayOfUser',
    method: 'GET',
    path: '/users/{id}/runway',
    summary: "Get how long a user's balance lasts",
    access: 'admin',
    params: idParams,
    status: 200,
    answer: runway,
    errors: ['NOT_FOUND'],
  },
  adminTransactions: {
    operation: 'listAllTransactions',
    method: 'GET',
    path: '/billing/admin/transactions',
    summary: 'List transactions of all users',
    description:
      '`user` (username or email address) selects one user. At most 1,000 rows per page. `X-Total-Count` has the total of the selected days.',
    access: 'admin',
    query: days.extend({ user: z.string().trim().min(1).max(254).optional() }),
    status: 200,
    answer: transactions,
    errors: ['NOT_FOUND'],
  },
  adjustBalance: {
    operation: 'adjustBalance',
    method: 'POST',
    path: '/billing/admin/users/{id}/adjust-balance',
    summary: 'Adjust the balance of a user',
    description: 'Adds to or subtracts from the regular balance, which never becomes negative.',
    access: 'admin',
    recent_authentication: true,
    idempotency_key: true,
    params: idParams,
    body: z.object({
      amount: amount.refine((units) => units !== 0, issueText(SHAPE_MESSAGES.amount_zero)),
      /** Shown in the list of transactions. Required for a deduction, and then emailed to the owner. */
      description: line(200).nullish(),
    }),
    status: 200,
    answer: balance,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE', 'BALANCE_WOULD_BE_NEGATIVE'],
  },
} as const satisfies Record<string, Call>;
