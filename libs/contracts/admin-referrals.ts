import { CONSTANTS, CREDITS_MESSAGES, REFERRAL_DOUBTS } from '@moorage/domain';
import { z } from 'zod';
import { idParams, line } from './account-fields';
import type { Call } from './call';
import { queryNumber, shortText } from './fields';
import { issueText, message } from './message';
import { numberedPages, pageNumber } from './numbered-pages';
import { credit } from './referrals';
import { amount } from './wallet';

const side = z.object({ id: z.int(), username: z.string(), email: z.string(), is_deactivated: z.boolean() });

/** A credit as administrators see it, of whichever account. */
export const adminCredit = credit
  .extend({
    user_id: z.int(),
    user_username: z.string(),
    user_email: z.string(),
    /** Where the referred account signed up; null: not known, or forgotten. */
    ip_address: z.string().nullable(),
    /** The other side of the referral; null: none, or a signup credit. */
    referral_user_username: z.string().nullable(),
    referral_user_email: z.string().nullable(),
  })
  .meta({ id: 'AdminCredit' });
export type AdminCreditAnswer = z.infer<typeof adminCredit>;

export const ADMIN_CREDIT_SORTS = ['created_at', 'user_email', 'amount', 'ip_address'] as const;
export type AdminCreditSort = (typeof ADMIN_CREDIT_SORTS)[number];

export const adminCreditList = z.object({
  page: pageNumber,
  per_page: queryNumber(1, CONSTANTS.pageSizeMax).default(CONSTANTS.adminCreditsPerPage),
  sort_by: z.enum(ADMIN_CREDIT_SORTS).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  /** Only those whose address lies in this network, as `203.0.113.0/24`, or whose account signed up from there. */
  network: z.union([z.cidrv4(), z.cidrv6()]).optional(),
  /** Only those of accounts with an address at this mail domain. */
  mail_domain: shortText(253).optional(),
});
export type AdminCreditList = z.infer<typeof adminCreditList>;

const adminCreditPage = z.object({ credits: z.array(adminCredit), ...numberedPages }).meta({ id: 'AdminCreditPage' });
export type AdminCreditPage = z.infer<typeof adminCreditPage>;

const cluster = z
  .object({
    /** A network as `203.0.113.0/24`, or a mail domain. */
    key: z.string(),
    /** Accounts from there that came by a referral or got free credits. */
    accounts: z.int(),
    /** Of their referrals, those that wait for a review. */
    waiting: z.int(),
    /** What their coming granted, to them and to who referred them. */
    granted_amount: z.number(),
    newest_at: z.iso.datetime(),
  })
  .meta({ id: 'ReferralCluster' });
export type ReferralCluster = z.infer<typeof cluster>;

const decision = {
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.object({ id: z.int(), username: z.string() }).nullable(),
  /** Why it was rejected. */
  rejection: z.string().nullable(),
};

export const adminReferral = z
  .object({
    id: z.int(),
    state: z.enum(['waiting', 'granted', 'rejected']),
    referred: side,
    referrer: side,
    network: z.string().nullable(),
    ip_address: z.string().nullable(),
    /** Why it had to wait; empty: it was granted at once. */
    doubts: z.array(z.object({ kind: z.enum(REFERRAL_DOUBTS), text: message })),
    verified_at: z.iso.datetime(),
    granted_at: z.iso.datetime().nullable(),
    ...decision,
  })
  .meta({ id: 'AdminReferral' });
export type AdminReferralAnswer = z.infer<typeof adminReferral>;

const adminReferralPage = z
  .object({ referrals: z.array(adminReferral), ...numberedPages })
  .meta({ id: 'AdminReferralPage' });
export type AdminReferralPage = z.infer<typeof adminReferralPage>;

export const adminCreditRequest = z
  .object({
    id: z.int(),
    state: z.enum(['waiting', 'approved', 'rejected']),
    email: z.string(),
    reason: z.string(),
    ip_address: z.string().nullable(),
    created_at: z.iso.datetime(),
    /** By when it should be decided: 24 hours after it came. */
    due_at: z.iso.datetime(),
    /** Waits, and `due_at` is over. */
    is_overdue: z.boolean(),
    /** The account with this address now; null: none. An approval then mails a code. */
    account: side.extend({ is_verified: z.boolean() }).nullable(),
    /** What was granted to the same mailbox before; nothing is granted twice. */
    had_before: z.boolean(),
    /** Of the code that was mailed; null: none was. */
    code_expires_at: z.iso.datetime().nullable(),
    /** When it became a credit. */
    credited_at: z.iso.datetime().nullable(),
    ...decision,
  })
  .meta({ id: 'AdminCreditRequest' });
export type AdminCreditRequestAnswer = z.infer<typeof adminCreditRequest>;

const adminCreditRequestPage = z
  .object({ requests: z.array(adminCreditRequest), ...numberedPages })
  .meta({ id: 'AdminCreditRequestPage' });
export type AdminCreditRequestPage = z.infer<typeof adminCreditRequestPage>;

const waiting = z
  .object({
    referrals: z.int(),
    requests: z.int(),
    /** Requests that have waited longer than 24 hours. */
    overdue_requests: z.int(),
  })
  .meta({ id: 'ReferralReviews' });
export type ReferralReviews = z.infer<typeof waiting>;

const AMOUNT = issueText(CREDITS_MESSAGES.amount_invalid);
const creditAmount = z
  .number(AMOUNT)
  .pipe(amount)
  .refine((units) => units >= 0, AMOUNT);

const REASON = issueText(CREDITS_MESSAGES.reason_missing);
const rejection = z.object({ reason: z.string(REASON).pipe(line(300)).pipe(z.string().min(1, REASON)) });

export const ADMIN_REFERRALS_CALLS = {
  credits: {
    operation: 'listAllCredits',
    method: 'GET',
    path: '/referrals/admin/credits',
    summary: 'List credits of all users',
    description: 'Sort by address to find users who share one.',
    access: 'admin',
    query: adminCreditList,
    status: 200,
    answer: adminCreditPage,
    errors: ['FIELDS_INVALID'],
  },
  adjust: {
    operation: 'adjustCredit',
    method: 'PATCH',
    path: '/referrals/admin/credits/{id}/adjust',
    summary: 'Adjust the amount of a credit',
    description: 'Never below the used amount. The difference is booked.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: z.object({ amount: creditAmount }),
    status: 200,
    answer: adminCredit,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  clusters: {
    operation: 'listReferralClusters',
    method: 'GET',
    path: '/referrals/admin/clusters',
    summary: 'List networks and email domains with several credited users',
    description: 'Largest first.',
    access: 'admin',
    query: z.object({ by: z.enum(['network', 'mail_domain']).default('network') }),
    status: 200,
    answer: z.array(cluster),
    errors: ['FIELDS_INVALID'],
  },
  waiting: {
    operation: 'countReferralReviews',
    method: 'GET',
    path: '/referrals/admin/waiting',
    summary: 'Count pending referral decisions',
    access: 'admin',
    status: 200,
    answer: waiting,
    errors: [],
  },
  referrals: {
    operation: 'listReferrals',
    method: 'GET',
    path: '/referrals/admin/referrals',
    summary: 'List referrals of verified users',
    description: 'Pending referrals, oldest first, or decided ones, newest first.',
    access: 'admin',
    query: z.object({ state: z.enum(['waiting', 'granted', 'rejected']).default('waiting'), page: pageNumber }),
    status: 200,
    answer: adminReferralPage,
    errors: ['FIELDS_INVALID'],
  },
  approveReferral: {
    operation: 'approveReferral',
    method: 'POST',
    path: '/referrals/admin/referrals/{id}/approve',
    summary: 'Approve a referral',
    description: 'Grants its credits.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminReferral,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  rejectReferral: {
    operation: 'rejectReferral',
    method: 'POST',
    path: '/referrals/admin/referrals/{id}/reject',
    summary: 'Reject a referral',
    description: 'Grants nothing. Only administrators see the reason.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: rejection,
    status: 200,
    answer: adminReferral,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  requests: {
    operation: 'listCreditRequests',
    method: 'GET',
    path: '/support/referral-requests',
    summary: 'List requests for free credits',
    description: 'Pending requests, oldest first, or decided ones, newest first.',
    access: 'admin',
    query: z.object({ state: z.enum(['waiting', 'approved', 'rejected']).default('waiting'), page: pageNumber }),
    status: 200,
    answer: adminCreditRequestPage,
    errors: ['FIELDS_INVALID'],
  },
  approveRequest: {
    operation: 'approveCreditRequest',
    method: 'POST',
    path: '/support/referral-requests/{id}/approve',
    summary: 'Approve a request for free credits',
    description:
      'Grants a signup credit to the user with this email address, or sends a single-use code if there is none.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminCreditRequest,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  rejectRequest: {
    operation: 'rejectCreditRequest',
    method: 'POST',
    path: '/support/referral-requests/{id}/reject',
    summary: 'Reject a request for free credits',
    description: 'The reason is sent by email.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: rejection,
    status: 200,
    answer: adminCreditRequest,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
} as const satisfies Record<string, Call>;
